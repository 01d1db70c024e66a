/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A request is a command with all its options. Each option is one row of one table, in options.c: the row says how the
 * option is called, which commands have it, how its text is read, and which member of the request receives the value.
 * Every surface sets options by sb_request_set(), with the name in the row: the command line, the keys of a suite, the
 * library's callers in all languages.
 */
#ifndef SB_CORE_REQUEST_H
#define SB_CORE_REQUEST_H

#include "shufflebias.h"

/* The commands, as bits of a set. */
enum {
    SB_REPORT = 1 << 0,
    SB_GATE = 1 << 1,
    SB_WATCH = 1 << 2,
    SB_PROVE = 1 << 3,
    SB_EXPLAIN = 1 << 4,
    SB_ODDS = 1 << 5,
    SB_PLAN = 1 << 6,
    SB_LAW = 1 << 7,
    SB_ZOO = 1 << 8,
    SB_BENCH = 1 << 9,
    SB_DEAL = 1 << 10,
    SB_MERGE = 1 << 11,
    SB_LESSON = 1 << 12,
    SB_PLAYGROUND = 1 << 13,
    SB_LIST = 1 << 14,
};

/* The groups of options, in the order of the help. The group also says whether a suite's subject has the option as a
 * key (TEST to STREAM; cli/command/suite.c), and whether "How to reproduce it" repeats it (study/run/run.c). */
enum sb_option_group {
    SB_GROUP_TEST,    /* what the command finds out; the group of each row that names no group */
    SB_GROUP_SHUFFLE, /* which built-in shuffle */
    SB_GROUP_STREAM,  /* how permutations from outside are read */
    SB_GROUP_RUNS,    /* saved runs and ledgers */
    SB_GROUP_OUTPUT,
    SB_GROUP_PROGRAM, /* what does not affect results */
    SB_GROUPS,
};

/* How an option's text is read, and the type of the member. */
enum sb_option_kind {
    SB_KIND_TEXT,       /* const char *: the text */
    SB_KIND_FILE,       /* const char *: the name of a regular file of evidence; may be given once */
    SB_KIND_LIST,       /* struct sb_option_list: the option may be repeated */
    SB_KIND_FLAG,       /* bool; the option takes no argument on the command line */
    SB_KIND_SIZE,       /* size_t: a whole number, such as 1000000 or 1e6, in low..high */
    SB_KIND_COUNT,      /* uint64_t: likewise */
    SB_KIND_SMALL,      /* unsigned: likewise */
    SB_KIND_POWER,      /* uint64_t: likewise, or a power of two, such as 2^32 */
    SB_KIND_SHARE,      /* double: strictly between 0 and 1 */
    SB_KIND_SHARE_OR_0, /* double: 0, or strictly between 0 and 1 */
    SB_KIND_LEVEL,      /* double: an error probability in [1e-100, 1) */
    SB_KIND_SECONDS,    /* double: above 0, up to 1e9 */
    SB_KIND_BY,         /* unsigned: exact, sample, both or seeds; see enum sb_by */
    SB_KIND_RANGE,      /* struct sb_option_range: A..B */
    SB_KIND_SHARD,      /* struct sb_option_shard: K/M */
    SB_KIND_STATISTICS, /* const char *: names; "all" is NULL, and "none" is "" */
    SB_KIND_HELP,       /* no member: prints the help */
};

enum { SB_LIST_MOST = 32, SB_OPTIONS_MOST = 120, SB_WHY = 160 };

/* The arguments of a repeatable option, in the order given. */
struct sb_option_list {
    size_t count;
    const char *text[SB_LIST_MOST]; /* [count] */
};

struct sb_option_range {
    uint64_t first, count; /* count 0: not given */
};

struct sb_option_shard {
    unsigned number, of; /* both 0: not given */
};

/* A row of the table. */
struct sb_option {
    /* as typed, without dashes, and as a key of a suite; a name of one letter has one dash, and no long form */
    const char *name;
    const char *field; /* what errors call the option; NULL: the name */
    const char *old;   /* an earlier name, which works as well; NULL: none */
    const char *value; /* name of the argument in the help; NULL: no argument */
    const char *help;  /* ends with the default in parentheses, if there is a default; NULL: the command writes it */
    enum sb_option_kind kind;
    enum sb_option_group group;
    unsigned of;    /* the commands that have the option */
    unsigned first; /* those whose `--help` shows it; `--help all` shows all options */
    /* evidence records the option, and a run that resumes the evidence must agree with it */
    bool saved;
    char letter;        /* short name beside the long one; 0: none */
    size_t at;          /* offset of the member in struct sb_request */
    uint64_t low, high; /* range of a whole number; a low of 1: a text is not empty */
    const char *usual;  /* the default as a text; NULL: 0, NULL or false */
};

extern const struct sb_option sb_options_table[];
extern const size_t sb_options_count;

/* ---- what hears of a run ---- */

/* Reports that `done` of `total` shuffles of `subject` are complete. */
typedef void sb_progress(void *state, const char *subject, uint64_t done, uint64_t total);

/* Receives a line that a command wrote to its standard error, cut and without control characters. */
typedef void sb_overheard(void *state, const char *line);

/* The kinds of reports. Combine several with |. */
enum sb_by {
    SB_BY_EXACT = 1,  /* the law itself */
    SB_BY_SAMPLE = 2, /* tallies of many shuffles */
    SB_BY_SEEDS = 4,  /* the first deck from each seed of a generator */
};

/* Reports, after a look at the tallies, that biases of `bound` or more (total variation, 0..1) are ruled out so far. */
typedef void sb_gate_bound(void *state, double bound, double goal);

/* An alarm of a watch. Opaque; valid until the callback sb_alarmed() returns. */
struct sb_alarm;

/* Receives each alarm, in the thread that called sb_watch_new(). */
typedef int sb_alarmed(void *state, const struct sb_alarm *alarm);

/* Sets and hands: which order within a line does not count; and kinds of items (core/core.h). */
struct sb_grouping {
    bool sets;                /* all items of a line are one group */
    const char *hands;        /* the sizes of the groups, in the order of a line, as "13,13,13,13"; NULL: not hands */
    bool unordered;           /* which of the groups of one size comes first does not count, either */
    const char *kinds;        /* what the items are, in their order, as "land: 24, spell: 36"; NULL: not given */
    const char *const *seats; /* [4] what a file calls four hands that share all items; static; no option sets it */
};

/* Whether lines are sets or hands. */
bool sb_grouping_is(const struct sb_grouping *grouping);

/* A command with its options. The caller owns the strings. */
struct sb_request {
    unsigned of; /* the command */
    /* [sb_options_count]; what was given for each row of the table; NULL: nothing */
    const char *given[SB_OPTIONS_MOST];

    /* which shuffle: docs/schemes.md */
    size_t n, deal;
    uint64_t seed;
    const char *draw, *rng, *cards;
    struct sb_grouping grouping;

    /* what the command finds out */
    uint64_t samples, limit, seeds, paths;
    unsigned by;                       /* enum sb_by; 0: a sample, and the exact law if that is quick */
    struct sb_option_range seed_range; /* of a report by seeds; count 0: all seeds of the generator */
    const char *profile, *fair, *matrix, *counts, *statistics, *suite, *test, *path, *alarm, *tolerance;
    double alpha, delta, exclude, tolerate, power, detect;
    unsigned jobs, cells, draws;
    uint64_t member;
    bool increments, window, step, partial;

    /* how permutations from outside are read */
    const char *follow, *input, *base, *match, *json_path, *field, *separator;
    double timeout;
    bool free, chained, ordered, once;

    /* saved runs and ledgers */
    const char *ledger, *save;
    double checkpoint;
    struct sb_option_shard shard;

    /* output, and what does not affect results */
    const char *metrics, *title, *format, *output, *figure;
    bool details;
    struct sb_option_list exports;
    double interval;
    unsigned threads;
    bool all_counts, github, quiet;

    /* the run; no row of the table sets these members, and each pointer may be NULL */
    const volatile sig_atomic_t *stop; /* nonzero ends the work early, with the results so far */
    volatile sig_atomic_t *reopen;     /* nonzero makes a watch open a followed file again */
    volatile sig_atomic_t *group;      /* receives the process group of the command while it runs, else 0 */
    const struct sb_ranks *ranks;      /* the processes that share the work, of which this is rank 0 */
    const char *evidence;              /* a file of evidence that a gate judges without a run */
    size_t size;                       /* of a proof's function: bytes of an item; 0 means 2: uint16_t */
    sb_progress *progress;
    void *progress_state; /* passed to progress; likewise below */
    sb_gate_bound *bound;
    void *bound_state;
    sb_overheard *overheard; /* receives the standard error of a proof's command; NULL discards it */
    void *overheard_state;
    sb_overheard *tell; /* receives messages of a watch: what it waits for, has lost, or cannot write */
    void *tell_state;
    sb_alarmed *alarmed; /* receives a watch's alarms */
    void *alarmed_state;
    void (*idle)(void *state); /* a watch calls this several times a second */
    void *idle_state;

    struct sb_call *call; /* what is set beside options; NULL: nothing */
};

/* Makes a request for one command, with the default of each of its options. */
void sb_request_init(struct sb_request *request, unsigned of);

enum { SB_OPTION_TEXT = 32 };

/* Returns an option's value as a text that sb_request_set() reads to the same value; NULL if the option has no value.
 * Numbers are written to `room`, and other texts are the request's. The option is one of those that are saved. */
const char *sb_request_text(const struct sb_request *request, const struct sb_option *option,
                            char room[SB_OPTION_TEXT]);

/* Returns the row of a saved request's command that sets the same member as this row of another command, and is saved;
 * NULL if there is none. */
const struct sb_option *sb_option_saved(const struct sb_request *saved, const struct sb_option *option);

/* Sets each option that the request was not given to its value in a saved request, if that has the option, too. */
void sb_request_fill(struct sb_request *request, const struct sb_request *saved);

/* Returns the command of a name, or 0 if callers of the library have no such command; and the name of a command. */
unsigned sb_request_of(const char *name);
const char *sb_request_command(unsigned of);

/* Returns the row of the option that the command has under a name of the table or of an error; NULL if there is
 * none. */
const struct sb_option *sb_option_find(unsigned of, const char *name);

/* Returns what was given for an option of the request's command; NULL if nothing was, or there is no such option. */
const char *sb_request_given(const struct sb_request *request, const char *name);

/* Why a text is wrong for an option. */
struct sb_wrong {
    bool part; /* whether only a part of the text is wrong, which is `text` */
    char text[64];
    char why[SB_WHY]; /* "must be a whole number from 1 to 5" */
};

/* Reads a text, and sets the option's member, and `given`. The text must live as long as the request. Returns false,
 * and leaves the request unchanged, if the text is wrong. */
bool sb_request_set(struct sb_request *request, const struct sb_option *option, const char *text,
                    struct sb_wrong *wrong);

/* Likewise, for a whole number in low..high instead of the row's range. */
bool sb_request_set_within(struct sb_request *request, const struct sb_option *option, const char *text, uint64_t low,
                           uint64_t high, struct sb_wrong *wrong);

/* Reads a whole number in low..high, such as 1000000, 1.5e3 or 1e6. */
bool sb_whole_number(const char *text, uint64_t low, uint64_t high, uint64_t *number);

#endif
