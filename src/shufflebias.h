/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shufflebias: whether a shuffle is fair, by how much it is not, and how sure that is.
 *
 * The library never prints, exits, reads the environment or leaves GSL's error handler changed. What can fail
 * returns an `enum sb_status`, writes one line for people into a `struct sb_error` (which may be NULL), and
 * leaves its output untouched. Whoever allocates frees: each ..._new() has a ..._free(), which takes NULL.
 */
#ifndef SHUFFLEBIAS_H
#define SHUFFLEBIAS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SB_API __attribute__((visibility("default")))

/* How a call ended. */
enum sb_status {
    SB_OK = 0,
    SB_INVALID,   /* an unknown name, or a number out of its range */
    SB_TOO_LARGE, /* a sound request beyond what can be done; the line says how far it goes */
    SB_NO_MEMORY, /* also where GMP, whose memory functions are replaced, would abort: docs/reliability.md */
    SB_IO,        /* writing failed; errno says why */
    SB_STOPPED,   /* the caller's stop flag was raised before there was anything to report */
    SB_SUBJECT, /* what is on trial did not keep its word: no permutation, an exit status, too long a silence
                 */
    SB_BROKEN,  /* something that should not happen */
};

/*
 * The line that explains a status: lower case, naming the offender and the remedy. Fields of the structs below
 * stand in it between backquotes: "`deal=4`: there are only 3 items". `saved` stands for evidence that was
 * saved, and `seeds` of reports for seeds_first and seeds_count.
 */
struct sb_error {
    enum sb_status status;
    char field[32]; /* the first field that the line names, "deal"; "" where it names none */
    char value[96]; /* the value beside it, "4"; "" where there is none; cut where it is long */
    char text[512];
};

/* This library's version, "1.2.3". Static. */
SB_API const char *sb_version(void);

/* ---- what there is ---- */

/* One line of the lists of shuffles, draws, generators, statistics, tests and formats. All strings are
 * static. */
struct sb_entry {
    const char *family;    /* "shuffle", "draw", "rng", "statistic", "test", "format" */
    const char *name;      /* as in a scheme */
    const char *parameter; /* the name of the number after the colon (the W of `modulo:W`), or NULL */
    const char *title;     /* what it is, in a line */
    const char *cite;      /* where it was published, or NULL */
};

/* The index-th entry of all families, in their order; false once there are no more. */
SB_API bool sb_entry_get(size_t index, struct sb_entry *entry);

/* ---- reports ---- */

/* The kinds of evidence; they can be joined with |. */
enum sb_by {
    SB_BY_EXACT = 1,  /* the law itself */
    SB_BY_SAMPLE = 2, /* tallies of many shuffles */
    SB_BY_SEEDS = 4,  /* the first deck from each seed of a generator */
};

/* Called now and then from the calling thread during long work: `done` of `total` shuffles. */
typedef void sb_progress(void *state, const char *subject, uint64_t done, uint64_t total);

/* What a report is to be made of. Fill it with sb_options_init() and change what you need. A value out of its
 * range is SB_INVALID in every call, also where the call does not use the field. */
struct sb_options {
    size_t n;             /* items, 0..65535, and n * deal up to 2^26 where positions are counted; 3 */
    size_t deal;          /* cards dealt, 1..n; 0, the default, for all */
    uint64_t samples;     /* shuffles per scheme; 0, the default, for about a second's work */
    uint64_t seed;        /* of the generator; 1 */
    unsigned by;          /* enum sb_by, joined; 0, the default: sampled, and exact where that is feasible */
    uint64_t seeds_first; /* by seeds: the first, ... */
    uint64_t seeds_count; /* ... and how many; 0, the default, for all that the generator has */
    unsigned threads; /* at most, 1..1024; 0, the default: one per processor. Results do not depend on it. */
    bool counts;      /* lists all counts also above 8 items */
    double alpha;     /* the level of the verdicts and intervals, in [1e-100, 1); 0.001 */
    const char *statistics; /* that a sample is tested by beside rank and position: names with commas between,
                               "" for none; NULL, the default, for all. "repeat" is one of them: whole decks
                               that come up again, where they are too many to be counted one by one */
    const char *profile;    /* as in struct sb_gate_options */
    bool increments;        /* a sample's steps from one permutation to the next are tested, too; those of a
                               scheme begin anew with each block of 16 to 65536 permutations */
    const char *draw;       /* for the schemes that name none; NULL for "ideal" */
    const char *rng;        /* for the schemes that name none; NULL for "philox" */
    const char *save;  /* a file that the sample of the only scheme is put down in, at the end and now and
                          then before; no exact law is reported then; NULL: none */
    double checkpoint; /* seconds between that, above 0; 60 */
    unsigned shards;   /* what is saved is a part of the sample, one of so many, up to 1000000: ... */
    unsigned shard;    /* ... the shard-th, from 1, for sb_saved_merge(). 0 of 0, the default: all of it */
    const volatile sig_atomic_t *stop; /* raised from outside to end early with what is known; may be NULL */
    sb_progress *progress;             /* may be NULL */
    void *progress_state;
    const struct sb_ranks *ranks; /* processes that share the work of sb_reports_new() and sb_reports_saved(),
                                   of which this is the first; NULL, the default: none */
};

SB_API void sb_options_init(struct sb_options *options);

/* Reports on several schemes, exact before sampled for each. Opaque; immutable once made. */
struct sb_reports;

/*
 * Makes the reports on schemes[0..count-1] (SHUFFLE, SHUFFLE/DRAW or SHUFFLE/DRAW/RNG); with count 0 on all
 * shuffles, which the text and Markdown formats then sum up in a table. SB_INVALID, SB_TOO_LARGE,
 * SB_NO_MEMORY, SB_STOPPED.
 */
SB_API enum sb_status sb_reports_new(const char *const schemes[], size_t count,
                                     const struct sb_options *options, struct sb_error *error,
                                     struct sb_reports **reports);
SB_API void sb_reports_free(struct sb_reports *reports);

/* A sample that was saved: options.save of sb_reports_new(). Opaque. */
struct sb_saved;

/* Whether the file at `path` begins as saved evidence does, whole or not; "-" is standard input, and none. */
SB_API bool sb_saved_is(const char *path);

/* Reads it. SB_IO: it cannot be read, or was cut, edited or damaged, or is something else; the line names the
 * place. SB_NO_MEMORY. */
SB_API enum sb_status sb_saved_new(const char *path, struct sb_error *error, struct sb_saved **saved);
SB_API void sb_saved_free(struct sb_saved *saved);

/* Sets what the run was asked for: n, deal, seed, samples, by, statistics, profile, increments and, unless it
 * was merged of several, the part; the texts live as long as `saved`. The scheme names draw and rng, which
 * are NULL. */
SB_API void sb_saved_options(const struct sb_saved *saved, struct sb_options *options);

/* Whether these options, and a scheme unless it is NULL, mean the run that was saved; SB_INVALID: the line
 * names the first that differs. */
SB_API enum sb_status sb_saved_agrees(const struct sb_saved *saved, const char *scheme,
                                      const struct sb_options *options, struct sb_error *error);

/*
 * The report on it, as the run made it. With options.save, the file that it was read from, the run first goes
 * on to its end, and what is saved then is what it would be had the run never been interrupted. Of the
 * options it uses save, checkpoint, threads, counts, alpha, stop and progress. Takes the evidence out of
 * `saved`, which is good for sb_saved_free() alone thereafter. SB_INVALID: another version saved it, and it
 * cannot go on; or a report has its evidence already; errors as sb_reports_new(), and SB_IO.
 */
SB_API enum sb_status sb_reports_saved(struct sb_saved *saved, const struct sb_options *options,
                                       struct sb_error *error, struct sb_reports **reports);

/*
 * Adds up parts of one run, which were saved in files of their own or merged before, into a file that is not
 * there yet: all parts, or with `partial` those that there are, at their ends or not. The sum of all is the
 * file of the run had it never been divided, to the byte. Of the options it uses save, the file, and threads,
 * stop and progress. SB_INVALID: the same part twice, a part that is missing or not at its end, another run's
 * file, or one that is no part; another version's; the file is there. SB_IO, SB_STOPPED, SB_NO_MEMORY.
 */
SB_API enum sb_status sb_saved_merge(const char *const paths[], size_t count, bool partial,
                                     const struct sb_options *options, struct sb_error *error);

/* How text looks. */
struct sb_look {
    bool unicode; /* block characters; else plain ASCII */
    bool colour;  /* ANSI colours */
    /* What "svg" draws: of any result "terminal", its text; of reports also "bars", "matrix" or "tree", of the gate
     * "curve", "bars" or "matrix". NULL for the one that suits; SB_INVALID for any other. */
    const char *figure;
};

/*
 * Writes the reports: "text", "markdown", "json", "csv", "junit", "tap", "html" or "svg". `look` concerns
 * "text" and "svg" alone and may be NULL for plain. SB_INVALID for an unknown format, SB_IO.
 */
SB_API enum sb_status sb_reports_write(const struct sb_reports *reports, const char *format,
                                       const struct sb_look *look, struct sb_error *error, FILE *stream);

/* Whether `format` is one that sb_reports_write() knows. */
SB_API bool sb_format_known(const char *format);

/* Whether the work was ended early by the stop flag. */
SB_API bool sb_reports_interrupted(const struct sb_reports *reports);

/* How many reports there are. */
SB_API size_t sb_reports_count(const struct sb_reports *reports);

/* The numbers of one report that a program asks for most; JSON has them all. Strings live as long as the
 * reports. */
struct sb_summary {
    const char *subject;    /* the scheme, as written */
    const char *by;         /* "exact", "sample" or "seeds" */
    const char *verdict;    /* "uniform", "biased", "no bias seen" or "inconclusive" */
    const char *sentence;   /* the verdict in words */
    double total_variation; /* from uniform, 0..1; NaN where deals were not counted one by one */
    double p;               /* the smallest p-value after correction; NaN where there is none */
};

/* The summary of report `index`, 0..sb_reports_count()-1; false beyond. */
SB_API bool sb_reports_summary(const struct sb_reports *reports, size_t index, struct sb_summary *summary);

/* ---- ranks ---- */

/*
 * Processes that share the work of reports, over any transport: MPI in the program. Each has one of
 * these. The first makes its reports with options.ranks, and they are to the byte what it would make alone;
 * all others are in sb_ranks_help() meanwhile. So all call `broadcast` to `close` at the same places, and these
 * have no errors: where one member is lost, all are to end.
 */
struct sb_ranks {
    unsigned rank, size; /* this member, 0..size-1, of so many, two at least */
    void *state;         /* for the functions */
    /* Hands the bytes of the first member to all others, who may wait for long. */
    void (*broadcast)(void *state, void *bytes, size_t size);
    /* Element by element: what all members have, at the first one, is their sum, the largest of them, and the
     * bits that are set in any. The others' are not changed. */
    void (*sum)(void *state, uint64_t tally[], size_t count);
    void (*most)(void *state, uint8_t held[], size_t count);
    void (*either)(void *state, uint64_t bits[], size_t count);
    /* Appends the bytes of all others to the first one's, who has room for all; how many it then has. */
    size_t (*gather)(void *state, void *bytes, size_t size);
    /* A number that all members take from. Until all are there it is not open, and `first` is it then. */
    void (*open)(void *state, uint64_t first);
    void (*close)(void *state);
    /* Adds to it, and returns what it was before; called while it is open, by one thread at a time. */
    uint64_t (*take)(void *state, uint64_t count);
};

/*
 * Of every other member: does its part of all reports that the first one makes, on all its processors or on
 * options.threads, until the first lets it go. SB_INVALID: the first is of another version; SB_NO_MEMORY:
 * then the others wait for it in vain, and are to be ended.
 */
SB_API enum sb_status sb_ranks_help(const struct sb_ranks *ranks, struct sb_error *error);

/* Of the first: lets the others go. */
SB_API void sb_ranks_dismiss(const struct sb_ranks *ranks);

/* ---- proofs ---- */

/* Gets a line that a command wrote to its standard error, made harmless: no control characters, none too
 * long. */
typedef void sb_overheard(void *state, const char *line);

/* How somebody else's shuffle is to be asked. Fill it with sb_proof_init() and change what you need. */
struct sb_proof {
    size_t n;       /* items, 0..10; 3 */
    uint32_t cells; /* equal cells of [0, 1) for those who ask for a number, 1..65536; 0, the default, for
                       lcm(1..n): as many make floor(u k) exact for every k <= n */
    uint32_t draws; /* the most draws of one shuffle, 1..1000000; longer ones are cut, and their
                       probability is reported as not resolved; 1000 */
    uint64_t paths; /* the most series of answers; about more are refused; 1000000 */
    bool counts;    /* lists all counts also above 8 items */
    const volatile sig_atomic_t *stop; /* raised from outside to end early with what is known; may be NULL */
    sb_progress *progress;             /* may be NULL */
    void *progress_state;

    size_t size; /* of a callback alone: bytes of an item; 0, the default, for 2: uint16_t */

    /* Of a command alone. */
    double timeout;          /* seconds without a question or a deck until it is given up; 60 */
    sb_overheard *overheard; /* its standard error; NULL: nobody listens */
    void *overheard_state;
    /*
     * Holds the number of its process group while it runs, else 0: for a signal handler that ends the
     * program at once, and may kill() the group first. May be NULL.
     */
    volatile sig_atomic_t *group;
};

SB_API void sb_proof_init(struct sb_proof *proof);

/* Who answers the draws of one shuffle. Opaque; good for the call that it was given to. */
struct sb_draws;

/* An integer in 0..bound-1, bound >= 1. */
SB_API uint32_t sb_draws_below(struct sb_draws *draws, uint32_t bound);

/* A number in [0, 1), for code that asks for one: the middle of a cell. Integers are much cheaper to prove.
 */
SB_API double sb_draws_uniform(struct sb_draws *draws);

/*
 * A shuffle on trial, by draws alone: the array of n items, `size` bytes each, is to be shuffled in place. It
 * may hold no state from call to call, and has to end on random answers.
 *
 * Items of 1, 2, 4 or 8 bytes are the unsigned integers 0..n-1 in their order. Items of any other size are
 * objects to be moved as a whole: the first two bytes are such an integer, and the others have a pattern.
 */
typedef void sb_drawn_shuffle(void *items, size_t n, size_t size, struct sb_draws *draws, void *state);

/*
 * The exact law of a shuffle: it is called with every series of answers in turn, in this thread, and more
 * often to see whether it depends on them alone. The one report has the verdict "uniform", "biased", or
 * "inconclusive" where part of the probability is not resolved. `name` is for people; NULL: "callback".
 * SB_INVALID; SB_TOO_LARGE: more items or series of answers than that; SB_SUBJECT: no permutation, or not the
 * same one from the same answers; SB_NO_MEMORY; SB_STOPPED.
 */
SB_API enum sb_status sb_prove_callback(const char *name, sb_drawn_shuffle *shuffle, void *state,
                                        const struct sb_proof *proof, struct sb_error *error,
                                        struct sb_reports **reports);

/*
 * The same of a program, NULL after its last argument; it is started without a shell, and ended with all that
 * it started. It is told `start`, asks `draw K` (an integer in 0..K-1) or `random` (a number in [0, 1)),
 * reads the answer, and at last prints `deck 2 0 1`, from 0 or from 1. SB_SUBJECT also where it cannot be
 * started, says something else, ends, or keeps silent.
 */
SB_API enum sb_status sb_prove_command(const char *const command[], const struct sb_proof *proof,
                                       struct sb_error *error, struct sb_reports **reports);

/* ---- odds ---- */

/* How likely one permutation is, exactly. Strings live as long as the odds. */
struct sb_odds_line {
    const char *permutation; /* one-line notation from 1: "231", above nine items "10.2.1..." */
    const char *count;       /* decimal digits, over the denominator that all lines share */
    const char *probability; /* the same in lowest terms, "p/q"; "0", "1" */
    double share, ratio; /* the probability, and over the fair share 1/n!; 0 or infinite where out of range */
};

/* The odds of some permutations. Opaque; immutable once made. */
struct sb_odds;

/*
 * The exact odds of permutations[0..count-1], all of as many items, up to 128, for which no sample would do.
 * Of a shuffle made of swaps each is had by itself, by undoing the steps; of any other the whole law is
 * needed. Uses draw, rng, threads, stop and progress of the options. SB_INVALID, SB_TOO_LARGE, SB_NO_MEMORY,
 * SB_STOPPED.
 */
SB_API enum sb_status sb_odds_new(const char *scheme, const char *const permutations[], size_t count,
                                  const struct sb_options *options, struct sb_error *error,
                                  struct sb_odds **odds);
SB_API void sb_odds_free(struct sb_odds *odds);

/* Line `index`, from 0, in the order asked for; false beyond the last. */
SB_API bool sb_odds_line_get(const struct sb_odds *odds, size_t index, struct sb_odds_line *line);

/* Writes the odds: "text", "markdown", "json", "csv", "html" or "svg"; otherwise as sb_reports_write(). */
SB_API enum sb_status sb_odds_write(const struct sb_odds *odds, const char *format,
                                    const struct sb_look *look, struct sb_error *error, FILE *stream);

/* ---- plans ---- */

/* What is to be seen. Zero-initialise it and set what you need. */
struct sb_aim {
    const char *scheme; /* this scheme's bias; NULL for any bias of a size */
    double detect;      /* without a scheme: that size, in total variation; 0: whatever can be seen */
    double power;       /* the probability of seeing it, in (0, 1); 0, the default, for 0.9 */
};

/* How many shuffles one test needs. A number that does not exist is NaN. Strings are static. */
struct sb_plan_line {
    const char *statistic;  /* "rank" or "position" */
    const char *test;       /* "pearson", "likelihood-ratio", "matrix" or "known-alternative" */
    const char *direction;  /* without a scheme: "worst" or "typical" of all biases of that size; else NULL */
    double total_variation; /* of the law from uniform, 0..1 */
    double samples;         /* the fewest shuffles that see it with the power asked for: whole below 2^53; for
                               "known-alternative" how many it takes on average; NaN: it never does */
    double effect;          /* noncentrality per shuffle; for "known-alternative" KL per shuffle, in nats */
    double dof;             /* degrees of freedom; NaN for "known-alternative" */
    double expected_least;  /* the smallest expected count in so many shuffles */
    double power;           /* of options->samples shuffles, where that is given, else NaN */
    const char *warning;    /* why the figure is not to be relied on, or NULL */
};

/* How many shuffles show a bias, test by test. Opaque; immutable once made. */
struct sb_plan;

/*
 * With a scheme: how many shuffles show its bias; with aim->detect: a bias of that size; with neither but
 * options->samples: which bias so many shuffles show. Where options->samples is given beside one of the first
 * two, each line has the power of so many shuffles, too. Of the options it uses n, deal, samples, alpha (each
 * test's own level), draw, rng, threads, stop and progress.
 *
 * SB_INVALID, also for a scheme that is uniform; SB_TOO_LARGE, SB_NO_MEMORY, SB_STOPPED.
 */
SB_API enum sb_status sb_plan_new(const struct sb_aim *aim, const struct sb_options *options,
                                  struct sb_error *error, struct sb_plan **plan);
SB_API void sb_plan_free(struct sb_plan *plan);

/* Line `index`, from 0; false beyond the last. */
SB_API bool sb_plan_line_get(const struct sb_plan *plan, size_t index, struct sb_plan_line *line);

/* Writes the plan: "text", "markdown", "json", "csv", "html" or "svg"; otherwise as sb_reports_write(). */
SB_API enum sb_status sb_plan_write(const struct sb_plan *plan, const char *format,
                                    const struct sb_look *look, struct sb_error *error, FILE *stream);

/* ---- explanations ---- */

/* A shuffle explained: its steps, its tree of draws and what it leads to, and why it is fair or is not.
 * Opaque; immutable once made. */
struct sb_explain;

/*
 * Explains a scheme. `path`, if not NULL, is a path to be walked step by step: its answers with commas
 * between, "0,2,1", or "first". The tree is there up to 4096 paths, the orders up to 40320 where their exact
 * law takes no more than seconds; beyond there is what can be said without. Uses n, deal, draw, rng, threads
 * and stop of the options. SB_INVALID, also for a path that is none; SB_TOO_LARGE, SB_NO_MEMORY, SB_STOPPED.
 */
SB_API enum sb_status sb_explain_new(const char *scheme, const char *path, const struct sb_options *options,
                                     struct sb_error *error, struct sb_explain **explain);
SB_API void sb_explain_free(struct sb_explain *explain);

/* Writes the explanation: "text", "markdown", "json", "html" or "svg"; otherwise as sb_reports_write(). */
SB_API enum sb_status sb_explain_write(const struct sb_explain *explain, const char *format,
                                       const struct sb_look *look, struct sb_error *error, FILE *stream);

/* ---- laws of fair shuffles ---- */

/* One cell of a statistic's law. */
struct sb_null_cell {
    size_t cell;     /* the value of the statistic, or a number that the label explains */
    double p, ln_p;  /* its probability, 0 below the smallest double, and the natural logarithm */
    char label[384]; /* what it means to people: "25", "not dealt", "231" */
};

/* The law of a statistic under a fair shuffle. Opaque; immutable once made. */
struct sb_null_law;

/*
 * The law of a statistic, by its name, for the n and deal of the options; `member` is the item, from 0, of
 * those that each item has, else 0. The rounding of ln_p is a few units in its last place. SB_INVALID,
 * SB_TOO_LARGE, SB_STOPPED, SB_NO_MEMORY.
 */
SB_API enum sb_status sb_null_law_new(const char *statistic, size_t member, const struct sb_options *options,
                                      struct sb_error *error, struct sb_null_law **law);
SB_API void sb_null_law_free(struct sb_null_law *law);

/* Cell `index`, from 0, of those that can occur, in rising order; false beyond the last. */
SB_API bool sb_null_law_cell_get(const struct sb_null_law *law, size_t index, struct sb_null_cell *cell);

/* Writes the law: "text", "markdown", "json", "csv", "html" or "svg"; otherwise as sb_reports_write(). */
SB_API enum sb_status sb_null_law_write(const struct sb_null_law *law, const char *format,
                                        const struct sb_look *look, struct sb_error *error, FILE *stream);

/* ---- costs ---- */

/* What shuffles cost: draws, accesses, memory and time. Opaque; immutable once made. */
struct sb_costs;

/*
 * Counts and times schemes[0..count-1], with count 0 all shuffles, for the n and deal of the options;
 * `samples` decks of each are timed, 0 for a million, on this thread. SB_INVALID, SB_NO_MEMORY, SB_STOPPED.
 */
SB_API enum sb_status sb_costs_new(const char *const schemes[], size_t count,
                                   const struct sb_options *options, struct sb_error *error,
                                   struct sb_costs **costs);
SB_API void sb_costs_free(struct sb_costs *costs);

/* Writes the costs: "text", "markdown", "json", "csv", "html" or "svg"; otherwise as sb_reports_write(). */
SB_API enum sb_status sb_costs_write(const struct sb_costs *costs, const char *format,
                                     const struct sb_look *look, struct sb_error *error, FILE *stream);

/* ---- the gate ---- */

/*
 * A shuffle on trial that draws where it likes: the array of n items, `size` bytes each, is to be shuffled in
 * place. What items are: see sb_drawn_shuffle.
 */
typedef void sb_own_shuffle(void *items, size_t n, size_t size, void *state);

/*
 * What is on trial: a scheme, a stream of permutations from outside, or a function of yours. Zero-initialise
 * it, set one of scheme, command, file and shuffle, and what else you need.
 */
struct sb_subject {
    const char *scheme;         /* SHUFFLE, SHUFFLE/DRAW or SHUFFLE/DRAW/RNG */
    const char *const *command; /* a program and its arguments, NULL at the end; started without a shell */
    const char *file;           /* a recording; "-" is standard input */
    sb_own_shuffle *shuffle;    /* called for one permutation after another, in this thread alone */

    size_t n;    /* items; 0: 3, but a text's first line shows them, and binary must say */
    size_t deal; /* cards dealt of the n, 1..n; 0 for all. A text's must say n, too */

    /* A function. */
    const char *name; /* for people; NULL for "callback" */
    void *state;      /* handed to it */
    size_t size;      /* bytes of an item; 0 for 2: uint16_t */

    /* A scheme. */
    uint64_t seed;    /* of the generator */
    const char *draw; /* as in struct sb_options */
    const char *rng;

    /* A stream; `chained` also a function, which then is given its last result again. */
    const char *input; /* "text", the default for NULL; "u8", "u16", "u32": little-endian, no header */
    const char *base;  /* text: "0" or "1", what the first item is called; NULL: the first line shows it */
    const char *cards; /* text: the items' names, in the order before the shuffle, blanks between; or NULL */
    bool free;         /* text: the ends of lines mean nothing; n must be known */
    bool chained;      /* each permutation is a shuffle of the one before: the steps between are looked at */
    double timeout;    /* seconds without a permutation until the subject is given up; 0 for 60 */
    sb_overheard *overheard; /* a command's standard error; NULL: nobody listens */
    void *overheard_state;
    /*
     * Holds the number of a command's process group while it runs, else 0: for a signal handler that ends the
     * program at once, and may kill() the group first. May be NULL.
     */
    volatile sig_atomic_t *group;
};

/* A gate's evidence that was saved. Opaque. */
struct sb_gate_saved;

/* What is asked of a subject. Fill it with sb_gate_options_init() and change what you need. */
struct sb_gate_options {
    double alpha;    /* the most that a fair shuffle fails with, in [1e-100, 1); 1e-9 */
    double delta;    /* the most that a shuffle as biased as `exclude` passes with, likewise; 1e-6 */
    double exclude;  /* total variation from fair that a pass rules out, in (0, 1); 0.01 */
    double tolerate; /* total variation from fair that is no failure, from 0, the default, to `exclude` */
    uint64_t limit;  /* permutations that count in this run, at most: docs/save.md; 2,000,000 */
    uint64_t seeds;  /* a pass rules out fewer equally likely decks, as from short seeds; 0, the default */
    const char *profile; /* "cards": more statistics, of 52 playing cards in a new deck's order; or NULL */
    bool increments;     /* looks at the steps from one permutation to the next, too */
    /*
     * A file in which all runs that name it share alpha and delta, however many; NULL: this is the only run.
     * It is made where there is none. FILE.lock locks it; FILE.decks, 4 MB at most, has decks of keys.
     */
    const char *ledger;
    const char *key; /* a version of what is tested, whose runs add up their evidence; needs a ledger; NULL */
    const char *save;  /* a file that the evidence is put down in, at the end and now and then before, in
                          place of a ledger; NULL: none. Nothing may be there, unless it is what `saved` was
                          read from */
    double checkpoint; /* seconds between that, above 0; 60 */
    /*
     * Evidence that was saved, to be gone on with to the same limit; without `save`, which a report's does
     * not take, it is looked at as it is, and no subject is tried. NULL: none.
     */
    const struct sb_gate_saved *saved;
    const volatile sig_atomic_t *stop; /* raised from outside to end early with what is known; may be NULL */
    sb_progress *progress;             /* may be NULL */
    void *progress_state;
};

SB_API void sb_gate_options_init(struct sb_gate_options *options);

/* The gate's findings on one subject. Opaque; immutable once made. */
struct sb_gate;

/*
 * Looks at the subject's permutations until it is known whether they are fair, and ends the subject. The
 * verdict is in the findings: SB_OK says nothing of it. How it is reached: docs/gate.md.
 *
 * SB_INVALID; SB_TOO_LARGE: too many items to be counted; SB_SUBJECT: it cannot be started, prints what is no
 * permutation or none at all, ends with an exit status, or keeps silent for too long; SB_STOPPED: before the
 * first permutation; SB_IO: it, or the ledger, cannot be read or is damaged, or the ledger not written;
 * SB_NO_MEMORY.
 */
SB_API enum sb_status sb_gate_new(const struct sb_subject *subject, const struct sb_gate_options *options,
                                  struct sb_error *error, struct sb_gate **gate);
SB_API void sb_gate_free(struct sb_gate *gate);

/* Reads evidence that sb_gate_new() saved, or a report: sb_saved_new(), which has the same errors. */
SB_API enum sb_status sb_gate_saved_new(const char *path, struct sb_error *error,
                                        struct sb_gate_saved **saved);
SB_API void sb_gate_saved_free(struct sb_gate_saved *saved);

/*
 * Sets what the run was asked for, and options.saved; all lives as long as `saved`. The subject is whole only
 * where it is a scheme: a command, a file or a function is to be set again. Then sb_gate_new() goes on: a
 * scheme and a recording, which give the same permutations again, where they were, so that what is saved at
 * the end is what it would be had the run never been interrupted; of any other subject the new permutations
 * are added. What is set to anything else than it was is SB_INVALID; of the subject what is left out is as it
 * was, but for the seed. Evidence with a verdict, or with as many permutations as were to be looked at, is
 * just looked at. So is a report's, once: its terms stay those of the options, the limit is 0, for all of it.
 */
SB_API void sb_gate_saved_asked(const struct sb_gate_saved *saved, struct sb_subject *subject,
                                struct sb_gate_options *options);

/* The numbers that a program asks for most; JSON has them all. Strings live as long as the gate. */
struct sb_gate_summary {
    const char *verdict;    /* "pass", "fail" or "inconclusive" */
    const char *sentence;   /* the verdict in words */
    uint64_t total;         /* permutations that were looked at */
    double ln_e;            /* evidence: a fair shuffle's ever reaches ln(1/alpha) with probability alpha */
    double tv_low, tv_high; /* bounds of the total variation from fair */
    bool interrupted;       /* by the stop flag */
    double alpha, delta;    /* what this run spent: with a ledger a share, else all */
    double seeds_low;       /* fewer equally likely decks are ruled out, since none came up twice; or 0 */
    uint64_t run, share;    /* with a ledger: which run it is, and which share of alpha and delta; else 0 */
};

SB_API void sb_gate_summary_get(const struct sb_gate *gate, struct sb_gate_summary *summary);

/* Writes the findings: "text", "markdown", "json", "junit", "tap", "html" or "svg"; otherwise as
 * sb_reports_write(). */
SB_API enum sb_status sb_gate_write(const struct sb_gate *gate, const char *format,
                                    const struct sb_look *look, struct sb_error *error, FILE *stream);

/* One subject of a suite, and what is asked of it. */
struct sb_suite_case {
    const char *name; /* for people; each has another. NULL: what the subject is called by itself */
    struct sb_subject subject;
    struct sb_gate_options options;
};

/* The gate's findings on several subjects. Opaque; immutable once made. */
struct sb_suite;

/*
 * The gate on each of count >= 1 subjects, `jobs` at a time (0 for 1), in the order given. What a subject's
 * findings are does not depend on `jobs`; but its callbacks then come from several threads at once. A subject
 * has 1/count of the alpha and the delta in its options, so that all together are wrong no more often than
 * one alone would be. What breaks its word does not keep the others from being tried.
 *
 * SB_INVALID, SB_TOO_LARGE: what can be seen to be wrong before it all begins; SB_NO_MEMORY.
 */
SB_API enum sb_status sb_suite_new(const struct sb_suite_case cases[], size_t count, unsigned jobs,
                                   struct sb_error *error, struct sb_suite **suite);
SB_API void sb_suite_free(struct sb_suite *suite);

/* All together. */
struct sb_suite_summary {
    const char *verdict; /* the worst: "broken", then "fail", "inconclusive" and "pass". Static */
    bool interrupted;    /* by the stop flag */
    size_t count;        /* of subjects */
};

SB_API void sb_suite_summary_get(const struct sb_suite *suite, struct sb_suite_summary *summary);

/* One of them; all lives as long as the suite. */
struct sb_suite_part {
    const char *name;
    const struct sb_gate *gate;   /* NULL where the subject broke its word, ... */
    const struct sb_error *error; /* ... and why; else NULL */
};

/* The part of that number, from 0; false beyond the last. */
SB_API bool sb_suite_get(const struct sb_suite *suite, size_t index, struct sb_suite_part *part);

/*
 * Writes the findings on all of them, as sb_gate_write(). Beyond its formats there are "github", a line for
 * each that did not pass as GitHub's workflows show it beside a change, and "github-summary", a table in
 * Markdown.
 */
SB_API enum sb_status sb_suite_write(const struct sb_suite *suite, const char *format,
                                     const struct sb_look *look, struct sb_error *error, FILE *stream);

/*
 * A report, as sb_reports_new() makes, on a subject that stands outside: a command or a file, not a scheme.
 * Of the options it uses samples (the most to read; 0 for 2,000,000), counts, statistics, profile,
 * increments, alpha, stop and progress; n and deal are the subject's own. Errors as sb_gate_new().
 */
SB_API enum sb_status sb_reports_observe(const struct sb_subject *subject, const struct sb_options *options,
                                         struct sb_error *error, struct sb_reports **reports);

/*
 * A report on a matrix that somebody else has counted: a text with a line per item and a count per position,
 * between them commas, semicolons, tabs or blanks; a line of titles before and a column of names may be
 * there, but no sums. "-" is standard input. Of the options it uses deal, alpha and stop; deal is how many of
 * the items each shuffle shows, which must be said where they are fewer than all. SB_INVALID: the file cannot
 * be read, has sums, or no number of shuffles makes these counts (the line says where); SB_TOO_LARGE, SB_IO,
 * SB_NO_MEMORY, SB_STOPPED.
 */
SB_API enum sb_status sb_reports_recorded(const char *path, const struct sb_options *options,
                                          struct sb_error *error, struct sb_reports **reports);

/* ---- the watch ---- */

/* An alarm of a watch. Opaque; good for the call that it was given to. */
struct sb_alarm;

/* Gets each alarm, in the thread that watches, which goes on when this returns. */
typedef void sb_alarmed(void *state, const struct sb_alarm *alarm);

/* What is asked of a watch. Fill it with sb_watch_options_init() and change what you need. */
struct sb_watch_options {
    double alpha; /* a fair shuffle ever raises the alarm with this probability at most, or with `window` one
                     alarm in 1/alpha permutations at most, on average; in [1e-100, 1); 1e-9 */
    double delta; /* the bounds on total variation are ever wrong with this probability at most; 1e-6 */
    const char *profile; /* as in struct sb_gate_options, ... */
    bool increments;     /* ... likewise */
    bool window;         /* finds changes that begin late; there may be several alarms */
    bool follow;         /* the subject is a file that others write to, and may move away */
    uint64_t limit;      /* permutations to look at in this run, at most; 0: no limit */
    const char *save;    /* a file that the evidence is put down in, and taken up from; or NULL */
    double checkpoint;   /* seconds between that, above 0; 60 */
    const char *metrics; /* a file for Prometheus; or NULL */
    double interval;     /* seconds between that, above 0; 5 */
    sb_alarmed *alarmed; /* may be NULL, as all that follow */
    void *alarmed_state;
    void (*idle)(void *state); /* called in that thread several times a second at least */
    void *idle_state;
    sb_overheard *tell; /* gets lines on what is waited for, is lost, or cannot be written */
    void *tell_state;
    volatile sig_atomic_t *reopen;     /* raised from outside to open a followed file anew */
    const volatile sig_atomic_t *stop; /* raised from outside to end */
};

SB_API void sb_watch_options_init(struct sb_watch_options *options);

/* What is known at the end of a watch. Opaque; immutable once made. */
struct sb_watch;

/*
 * Watches a subject until it ends, or the stop flag or the limit ends that; in constant memory. One without a
 * timeout of its own may be silent for any time. How: docs/watch.md. Errors as sb_gate_new(), but SB_STOPPED;
 * after SB_SUBJECT, also of a run that `save` has, what came before is saved. SB_INVALID: also of another.
 */
SB_API enum sb_status sb_watch_new(const struct sb_subject *subject, const struct sb_watch_options *options,
                                   struct sb_error *error, struct sb_watch **watch);
SB_API void sb_watch_free(struct sb_watch *watch);

/* The numbers that a program asks for most; total and alarms include those of earlier runs. The sentence
 * lives as long as the watch. */
struct sb_watch_summary {
    uint64_t total, alarms;
    double ln_e, tv_low, tv_high; /* as in struct sb_gate_summary, of all permutations */
    bool interrupted;             /* by the stop flag */
    const char *sentence;
};

SB_API void sb_watch_summary_get(const struct sb_watch *watch, struct sb_watch_summary *summary);

/* Writes what is known: "text", "markdown", "json", "html" or "svg"; an alarm: "json". Otherwise as
 * sb_reports_write(). */
SB_API enum sb_status sb_watch_write(const struct sb_watch *watch, const char *format,
                                     const struct sb_look *look, struct sb_error *error, FILE *stream);
SB_API enum sb_status sb_alarm_write(const struct sb_alarm *alarm, const char *format, struct sb_error *error,
                                     FILE *stream);

/* The alarm in words, as long as it is there. */
SB_API const char *sb_alarm_sentence(const struct sb_alarm *alarm);

/* ---- the zoo ---- */

/* What is asked of the zoo. Fill it with sb_zoo_options_init() and change what you need. */
struct sb_zoo_options {
    size_t n;         /* items, 2..1000; 8 */
    size_t deal;      /* cards dealt, 1..n; 0, the default, for all */
    uint64_t samples; /* permutations from a seed at most; 0, the default, for 20,000; of a test's run 1000 */
    unsigned seeds;   /* runs of each shuffle, 1..1000; 3 */
    unsigned threads; /* 1..1024; 0, the default, for one per processor. Results do not depend on it. */
    double alpha;     /* each statistic's own level, in [1e-100, 1); 1e-6 */
    const char *test; /* instead of the statistics: a command for the shell, which gets permutations on its
                         standard input, one a line, and has exit status 0 where it finds nothing; or NULL */
    const volatile sig_atomic_t *stop; /* raised from outside to end early, without a result; may be NULL */
    volatile sig_atomic_t *group;      /* of the test, as in struct sb_proof; may be NULL */
    sb_progress *progress;             /* may be NULL */
    void *progress_state;
};

SB_API void sb_zoo_options_init(struct sb_zoo_options *options);

/* Which test sees which bias, and how soon. Opaque; immutable once made. */
struct sb_zoo;

/*
 * All biased shuffles, and one whose generator has a short seed, against all statistics, or against a test of
 * your own. SB_INVALID; SB_SUBJECT: the test did not run; SB_TOO_LARGE, SB_NO_MEMORY, SB_IO, SB_STOPPED.
 */
SB_API enum sb_status sb_zoo_new(const struct sb_zoo_options *options, struct sb_error *error,
                                 struct sb_zoo **zoo);
SB_API void sb_zoo_free(struct sb_zoo *zoo);

/* Writes it: "text", "markdown", "json", "csv", "html" or "svg"; otherwise as sb_reports_write(). */
SB_API enum sb_status sb_zoo_write(const struct sb_zoo *zoo, const char *format, const struct sb_look *look,
                                   struct sb_error *error, FILE *stream);

/* ---- lessons ---- */

/* A page of a small course on what goes wrong with shuffles. All strings are static. */
struct sb_course_page {
    const char *file;    /* what others link to: "three-cards.html" */
    const char *title;   /* of the window */
    const char *summary; /* a line; NULL of the index */
};

/* Page `index`: 0 is "index.html", then come the lessons; false beyond the last. */
SB_API bool sb_course_page_get(size_t index, struct sb_course_page *page);

/*
 * Writes that page as HTML. Everything in it is computed anew, within seconds, and does not depend on threads
 * or time: the same version writes the same page. Of the options, which may be NULL, it uses threads and
 * stop. SB_INVALID beyond the last page; SB_IO, SB_NO_MEMORY, SB_STOPPED.
 */
SB_API enum sb_status sb_course_write(size_t index, const struct sb_options *options, struct sb_error *error,
                                      FILE *stream);

/* ---- decks ---- */

/* Shuffles decks one after another, the very decks that sb_reports_new() tallies for the same options.
 * Opaque. */
struct sb_dealer;

/*
 * Uses n, deal, seed, draw, rng and stop of the options. The dealer keeps the pointer to the stop flag, which
 * has to outlive it, and of the options nothing else. SB_INVALID, SB_TOO_LARGE, SB_NO_MEMORY.
 */
SB_API enum sb_status sb_dealer_new(const char *scheme, const struct sb_options *options,
                                    struct sb_error *error, struct sb_dealer **dealer);
SB_API void sb_dealer_free(struct sb_dealer *dealer);

/*
 * Shuffles the next deck. `items` becomes items of the dealer, [deal], each in 0..n-1, good until the next
 * call. SB_STOPPED by the stop flag, where a deck takes long; SB_BROKEN if the generator gives the same few
 * words over and over, so that the deck would never be done. Then there are no further decks.
 */
SB_API enum sb_status sb_dealer_next(struct sb_dealer *dealer, const uint16_t **items);

#ifdef __cplusplus
}
#endif

#endif
