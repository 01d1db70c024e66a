/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line: what the subcommands share. Only here are argv, exit statuses and terminals. */
#ifndef SB_CLI_CLI_H
#define SB_CLI_CLI_H

#include "report/result.h"
#include "shufflebias.h"

#include <sys/types.h>

/* Exit statuses; EXIT_DONE also stands for fair (uniform, PASS). */
enum {
    EXIT_DONE = 0,
    EXIT_BIASED = 1,
    EXIT_USAGE = 2,
    EXIT_INCONCLUSIVE = 3,
    EXIT_BROKEN = 4,
    EXIT_INTERRUPTED = 130,
};

/* A subcommand: argv[0] is its name. Returns the exit status. */
int cli_report(int argc, const char *argv[]);
int cli_gate(int argc, const char *argv[]);
int cli_prove(int argc, const char *argv[]);
int cli_explain(int argc, const char *argv[]);
int cli_odds(int argc, const char *argv[]);
int cli_plan(int argc, const char *argv[]);
int cli_merge(int argc, const char *argv[]);
int cli_deal(int argc, const char *argv[]);
int cli_law(int argc, const char *argv[]);
int cli_bench(int argc, const char *argv[]);
int cli_list(int argc, const char *argv[]);
int cli_zoo(int argc, const char *argv[]);
int cli_watch(int argc, const char *argv[]);
int cli_lesson(int argc, const char *argv[]);

/* ---- ranks_mpi.c, or ranks_alone.c where there is no MPI: the processes that mpirun started ---- */

/* Whether this one is the first, which does what was typed; the others cli_ranks_help() it, until it ends. */
bool cli_ranks_begin(void);
int cli_ranks_help(void);

/* The last call, of all, with the exit status; returns it. */
int cli_ranks_end(int status);

/* The ranks that share reports, to be freed; NULL where there is but one process. */
const struct sb_ranks *cli_ranks_new(void);
void cli_ranks_free(const struct sb_ranks *ranks);

/* ---- options.c: the table of a command's options, and what is read by it ---- */

enum { CLI_TEXTS_MOST = 32 };

/* The arguments of an option that may be repeated, in the order typed; parts of argv. */
struct cli_texts {
    size_t count;
    char *text[CLI_TEXTS_MOST]; /* [count] */
};

/*
 * A row of the table. Its place takes what was typed, a part of argv. An option without an argument raises a
 * flag; where it has no flag either, it prints the help.
 */
struct cli_option {
    const char *name;       /* without "--"; NULL: none */
    char letter;            /* without "-"; 0: none; neither of both: the table's end */
    const char *help;       /* one line; the default is in brackets */
    const char *argument;   /* what the help calls it; NULL: the option has none */
    char **text;            /* the last one counts */
    char **file;            /* of evidence: there is one such file, and no stream */
    struct cli_texts *list; /* all of them */
    int *flag;              /* becomes 1 */
};

/* A command's options, and the examples that its help leads with. */
struct cli_syntax {
    const char *command, *arguments, *examples;
    const struct cli_option *options;
};

enum { CLI_OPTIONS_MOST = 64 }; /* that a command has, the end of the table included */

/* Adds rows to a table of CLI_OPTIONS_MOST. */
void cli_options_add(struct cli_option options[], const struct cli_option rows[], size_t count);

/*
 * Reads argv by a table. True where the command is to run: then argv holds the words alone, from argv[1] on,
 * with a NULL at their end. False with the exit status after --help, and after a line on a wrong option.
 */
bool cli_options_read(const struct cli_syntax *syntax, int argc, const char *argv[], int *status);

/* ---- flags.c: the library's fields, as they are typed ---- */

/* A line of the library with --samples for `samples`, which the caller frees; NULL without memory. */
char *cli_flags(const char *line);

/* The same in the sentences of results, before they are written. */
void cli_flags_reports(struct sb_reports *reports);
void cli_flags_suite(struct sb_suite *suite);

/* ---- arguments.c: what was typed ---- */

/* Ends a command for a slip in its arguments: prints "shufflebias COMMAND: ..." and returns EXIT_USAGE. */
__attribute__((format(printf, 2, 3))) int cli_usage(const char *command, const char *format, ...);

/* Ends a command that was interrupted: returns EXIT_INTERRUPTED, after a line about how to go on from the
 * file of its evidence, if it has one, which may be NULL. */
int cli_resumable(const char *command, const char *file);

/* Prints a line of the library, with options in place of its fields; returns EXIT_USAGE. */
int cli_say(const char *command, const char *line);

/* Ends a command for an error of the library; returns the exit status that goes with it. */
int cli_failed(const char *command, const struct sb_error *error);

/* A whole number from low to high, written 1000000 or 1e6. Otherwise a line that names the option, and false.
 */
bool cli_number(const char *command, const char *option, const char *text, uint64_t low, uint64_t high,
                uint64_t *number);

/* The same where `high` is a size of this machine. */
bool cli_size(const char *command, const char *option, const char *text, size_t low, size_t high,
              size_t *number);

/* The same, or a power of two, written 2^32. */
bool cli_power(const char *command, const char *option, const char *text, uint64_t low, uint64_t high,
               uint64_t *number);

/* Whether the text is such a number; nothing is said. */
bool cli_number_is(const char *text, uint64_t low, uint64_t high, uint64_t *number);

/* A number strictly between 0 and 1, likewise. */
bool cli_share(const char *command, const char *option, const char *text, double *number);

/* How long to wait: any number above 0. */
bool cli_seconds(const char *command, const char *option, const char *text, double *seconds);

/* A probability of error, which is at least 1e-100. */
bool cli_alpha(const char *command, const char *option, const char *text, double *number);

/* The options that commands share, as typed; NULL where they were not. */
struct cli_common {
    char *n, *deal, *samples, *seed, *draw, *rng, *threads;
};

/* Puts them into the options of the library; false after a line about the one that is wrong. */
bool cli_common_settle(const char *command, const struct cli_common *common, struct sb_options *options);

/* ---- subject.c: what is on trial ---- */

/* As typed. */
struct cli_subject {
    char *input, *base, *cards, *timeout;
    int free, chained;
    const char **command; /* behind the first "--", NULL at its end; NULL where there is none */
    const char *file;     /* named as one; NULL: the words are looked at */
};

/* Cuts the arguments at the first "--", behind which a command stands: returns that, NULL for none. */
const char **cli_command_split(int *argc, const char *argv[]);

/* Adds those of struct cli_common that a subject of the gate or the watch may have to a command's table. */
void cli_common_options(struct cli_common *common, struct cli_option options[]);

/* Adds the options that say how a stream is read to a command's table. */
void cli_subject_options(struct cli_subject *typed, struct cli_option options[]);

enum cli_kind {
    CLI_NOTHING, /* there was a line about what is wrong */
    CLI_SCHEMES, /* the words, if any, are schemes */
    CLI_OUTSIDE, /* one subject, which stands outside */
};

/* What the words and the options mean; the subject is ready where it stands outside. */
enum cli_kind cli_subject_settle(const char *command, const struct cli_subject *typed,
                                 const struct cli_common *common, const char *const words[],
                                 struct sb_subject *subject);

/* An option that goes with a scheme or a stream; NULL where none was typed. */
const char *cli_subject_misplaced(const struct cli_subject *typed, const struct cli_common *common);

/* Makes it ready where it is a scheme; false after a line about what is wrong. */
bool cli_subject_scheme(const char *command, const struct cli_common *common, const char *scheme,
                        struct sb_subject *subject);

/* As cli_failed(); of a word that is no scheme it adds that it is no file either. */
int cli_subject_failed(const char *command, const char *const words[], struct sb_error *error);

/* Prints what a command says on its standard error. The state is a struct cli_progress_state. */
sb_overheard cli_overheard;

/* ---- gate.c and suite.c: what the gate is asked ---- */

/* Of one subject, as typed; a suite's subjects have all that they do not set themselves from here. */
struct cli_asked {
    struct cli_common common;
    struct cli_subject subject;
    char *limit, *exclude, *tolerate, *profile, *seeds;
    int increments;
};

/* Puts it into the options of the library; false after a line about the one that is wrong. */
bool cli_asked_settle(const char *command, const struct cli_asked *asked, struct sb_gate_options *options);

/* Several subjects, ready to be tried. */
struct cli_suite {
    size_t count;
    struct sb_suite_case *cases; /* [count]; owned */
    struct cli_asked *asked;     /* [count] as the file has it; the commands are owned */
    struct json_t *root;         /* the file; its texts are what all else points to; owned */
};

/* Reads a suite's file; the exit status. To be closed in any case. */
int cli_suite_open(const char *path, const struct cli_asked *typed, const struct sb_gate_options *options,
                   struct cli_suite *suite);
void cli_suite_close(struct cli_suite *suite);

/* ---- alarm.c: the command that is run at an alarm ---- */

enum { CLI_ALARMS_MOST = 16 }; /* that run at a time */

/* Begins as { .command = ..., }. */
struct cli_alarms {
    char *command;                     /* for the shell; NULL: none is run */
    const volatile sig_atomic_t *stop; /* raised where an end is wanted; may be NULL */
    bool told;                         /* that it is not there yet */
    struct {
        pid_t id; /* of the process and its group; 0: none */
        double began;
    } running[CLI_ALARMS_MOST];
};

/* Gets an alarm, of which the state is a struct cli_alarms: says it on standard error, and starts the command
 * with it on its standard input. */
sb_alarmed cli_alarm_start;

/* Looks after the commands that run: one that fails, or takes a minute and is ended for it, has a line. */
void cli_alarm_look(void *alarms);

/* Waits for all of them, a minute for each at most. */
void cli_alarm_end(struct cli_alarms *alarms);

/* ---- github.c: what GitHub's workflows are told ---- */

struct cli_github {
    int wanted;    /* --github */
    FILE *summary; /* what the job's page shows; NULL for none */
};

/* Opens what GITHUB_STEP_SUMMARY names; the exit status. Writes there and to standard error; likewise. */
int cli_github_open(const char *command, struct cli_github *github);
int cli_github_write(const char *command, struct cli_github *github, const struct sb_suite *suite);
void cli_github_close(struct cli_github *github);

/* ---- output.c: files that appear whole or not at all ---- */

struct cli_output {
    FILE *stream;
    char *path;      /* as given; owned; NULL for standard output */
    char *target;    /* the file's own name, without links; owned; NULL where it is written in place */
    char *temporary; /* what is written until all is there; not owned; NULL where it is written in place */
    int lock;        /* a descriptor that holds it; below 1: it needs none */
};

/* What the name of a temporary file ends with; where that one is in use, it ends in a dot and six characters.
 */
#define SB_OUTPUT_TEMPORARY ".shufflebias-new"

/* Opens before the work begins. "-" or NULL is standard output. Prints a line and returns false if it cannot.
 */
bool cli_output_open(const char *command, const char *path, struct cli_output *output);

/* Removes a temporary file that no run holds: one that was killed has left it. */
void cli_output_clean(const char *path);

/* Makes a folder for outputs, which goes with them when the program ends at once. Prints a line and returns
 * false if it cannot. */
bool cli_output_folder(const char *command, const char *path);

/* Whether two open outputs end up in one place. All may go to /dev/null. */
bool cli_output_same(const struct cli_output *one, const struct cli_output *other);

/*
 * Gives the file its name; false after a line (none for a closed pipe) if it could not be written. Where an
 * earlier write failed errno must still say why.
 */
bool cli_output_keep(const char *command, struct cli_output *output);

/* Makes sure that standard output was written; the status to exit with. */
int cli_finish(const char *command, int status);

/* Leaves no trace. Does nothing for an output that was kept or never opened. */
void cli_output_drop(struct cli_output *output);

/* Removes all that is half written, when the program ends at once. Safe in a signal handler. */
void cli_output_unlink(void);

/* ---- outputs.c: one result in several formats, to several places ---- */

/* One place that a result goes to. */
struct cli_place {
    const char *format; /* borrowed */
    struct cli_output output;
};

struct cli_outputs {
    const char *command;
    const struct sb_result_type *type;                                          /* of the result */
    char help[SB_RESULT_FORMATS_ROOM + 16], drawn[SB_RESULT_FORMATS_ROOM + 64]; /* of --format and --figure */
    char *format, *file, *figure; /* as typed with --format, -o and --figure; NULL where they were not */
    struct cli_texts exports;     /* as typed with --export */
    size_t count;
    struct cli_place place[CLI_TEXTS_MOST + 1]; /* [count] that are open */
};

/* Adds --format, -o, --export and --figure to a command's table. */
void cli_outputs_options(struct cli_outputs *outputs, struct cli_option options[]);

/* The place that would be written over a file that is to stay; NULL if there is none, as where `path` is
 * NULL. */
const struct cli_place *cli_outputs_over(const struct cli_outputs *outputs, const char *path);

/* Opens everything that will be written, before the work begins; the exit status. */
int cli_outputs_open(struct cli_outputs *outputs);

/* Writes a result of their type to all of them; the exit status. */
int cli_outputs_write(struct cli_outputs *outputs, const void *result);

/* Drops those whose format is not wanted, and leaves no trace of them. */
void cli_outputs_keep(struct cli_outputs *outputs, bool (*wanted)(const char *format));

/* Leaves no trace of those that were not written. */
void cli_outputs_close(struct cli_outputs *outputs);

/* ---- terminal.c: the person at the other end ---- */

/*
 * Raised by Ctrl-C, SIGTERM or SIGHUP, which are caught from now on; one more ends the program at once. To be
 * asked for before an output is opened.
 */
const volatile sig_atomic_t *cli_stop_flag(void);

/* Raised by SIGHUP from now on, which stops nothing any more; whoever has seen it lowers it. */
volatile sig_atomic_t *cli_reopen_flag(void);

/* Whether it was Ctrl-C that raised the stop flag. */
bool cli_interrupted(void);

enum { CLI_GROUPS_MOST = 256 };

/* Where the process group of a command that is on trial stands, for the second signal to end it, too. There
 * may be several; index < CLI_GROUPS_MOST. */
volatile sig_atomic_t *cli_group(size_t index);

/* How text to this stream may look. */
struct sb_look cli_look(FILE *stream);

/* A progress line on standard error, for work longer than a second, where that is a terminal. */
sb_progress cli_progress;

struct cli_progress_state {
    bool wanted, shown;
    double began, last; /* seconds */
};

void cli_progress_begin(bool quiet, struct cli_progress_state *state);
void cli_progress_end(struct cli_progress_state *state);

#endif
