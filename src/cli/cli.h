/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the subcommands share. Only src/cli deals with argv, exit statuses and terminals. */
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

enum { CLI_EXAMPLES_MOST = 2 };

/* A subcommand: a file of command/, which ends in a const descriptor. */
struct cli_command_type {
    const char *name;
    int (*run)(int argc, const char *argv[]); /* argv[0] is the name; returns the exit status */
    struct {
        const char *arguments, *purpose;
    } example[CLI_EXAMPLES_MOST]; /* for the help of the program; the purpose is NULL after the last */
};

/* All commands in the order of `commands` in src/meson.build, which is that of the help, and their number. */
extern const struct cli_command_type *const cli_command_types[];
extern const size_t cli_command_types_count;

/* ---- ranks_mpi.c, or ranks_alone.c in a build without MPI: the processes that mpirun started ---- */

/* Whether this process is rank 0, which runs the command; the others call cli_ranks_help() until it ends. */
bool cli_ranks_begin(void);
int cli_ranks_help(void);

/* The last call of every process: takes the exit status and returns it. */
int cli_ranks_end(int status);

/* The ranks that share the work of reports; the caller frees them. NULL if there is only one process. */
const struct sb_ranks *cli_ranks_new(void);
void cli_ranks_free(const struct sb_ranks *ranks);

/*
 * ---- options.c: the table of a command's options, and how it is read ----
 *
 * From a flag to an option: every option passes three places, and --exclude is the example.
 *
 *     1. The row in the command's table:    cli_asked_options() in command/gate_options.c stores the text
 *        that follows --exclude in a struct of the command, as typed.
 *     2. cli_options_read() in options.c reads argv by the table; no other code looks at flags.
 *     3. The command's settle function:     cli_asked_settle() in command/gate_options.c checks the text and
 *        writes the number to `exclude` of the library's struct sb_gate_options.
 *
 * Rows that several commands share are in shared_options.c; cli_common_settle() in arguments.c checks the
 * numbers among them. The options that describe a stream have both places in subject.c, the outputs
 * (--format, -o, --export, --figure) in outputs.c. All other options have both places in command/NAME.c.
 */

enum { CLI_TEXTS_MOST = 32 };

/* The arguments of an option that may be repeated, in the order typed; parts of argv. */
struct cli_texts {
    size_t count;
    char *text[CLI_TEXTS_MOST]; /* [count] */
};

/*
 * A row of the table. `text`, `file` or `list` receives the argument, which points into argv. An option
 * without an argument raises a flag; if it has no flag either, it prints the help.
 */
struct cli_option {
    const char *name;       /* without "--"; NULL: none */
    char letter;            /* without "-"; 0: none; without name and letter, the row ends the table */
    const char *help;       /* one line; the default is in brackets */
    const char *argument;   /* its name in the help; NULL: the option has none */
    char **text;            /* if the option is repeated, the last argument counts */
    char **file;            /* a file of evidence: the option may not be repeated, and "-" is an error */
    struct cli_texts *list; /* receives the arguments of all repetitions */
    int *flag;              /* becomes 1 */
};

/* A command's options, and the examples at the start of its help. */
struct cli_syntax {
    const char *command, *arguments, *examples;
    const struct cli_option *options;
};

enum { CLI_OPTIONS_MOST = 64 }; /* rows of a table, with its end */

/* Adds rows to a table that has room for CLI_OPTIONS_MOST. */
void cli_options_add(struct cli_option options[], const struct cli_option rows[], size_t count);

/*
 * Reads the options in argv. True if the command should run: then argv holds only the words, from argv[1] on,
 * with NULL at their end. False, with the exit status, after --help or after a line about a wrong option.
 */
bool cli_options_read(const struct cli_syntax *syntax, int argc, const char *argv[], int *status);

/* ---- flags.c: the library's fields, as they are typed ---- */

/* A line of the library with --samples for `samples`, which the caller frees; NULL without memory. */
char *cli_flags(const char *line);

/* The same in the sentences of results, before they are written. */
void cli_flags_reports(struct sb_reports *reports);
void cli_flags_suite(struct sb_suite *suite);

/* ---- arguments.c: what was typed ---- */

/* Reports a wrong argument: prints "shufflebias COMMAND: ..." and returns EXIT_USAGE. */
__attribute__((format(printf, 2, 3))) int cli_usage(const char *command, const char *format, ...);

/* Returns EXIT_INTERRUPTED for an interrupted command. If its evidence is in `file` (which may be NULL),
 * first prints a line on how to resume. */
int cli_resumable(const char *command, const char *file);

/* Prints a line of the library, with options in place of its fields; returns EXIT_USAGE. */
int cli_say(const char *command, const char *line);

/* Ends a command for an error of the library; returns the exit status that goes with it. */
int cli_failed(const char *command, const struct sb_error *error);

/* Reads a whole number from low to high, written 1000000 or 1e6. Otherwise prints a line that names the
 * option and returns false. */
bool cli_number(const char *command, const char *option, const char *text, uint64_t low, uint64_t high,
                uint64_t *number);

/* The same for a size_t. */
bool cli_size(const char *command, const char *option, const char *text, size_t low, size_t high,
              size_t *number);

/* The same; the number may also be written as a power of two, 2^32. */
bool cli_power(const char *command, const char *option, const char *text, uint64_t low, uint64_t high,
               uint64_t *number);

/* Whether the text is a whole number from low to high; prints nothing. */
bool cli_number_is(const char *text, uint64_t low, uint64_t high, uint64_t *number);

/* Reads a number strictly between 0 and 1. */
bool cli_share(const char *command, const char *option, const char *text, double *number);

/* Reads a number of seconds above 0. */
bool cli_seconds(const char *command, const char *option, const char *text, double *seconds);

/* Reads an error probability, at least 1e-100 and below 1. */
bool cli_alpha(const char *command, const char *option, const char *text, double *number);

/* The options that commands share, as typed; NULL for those that were not. */
struct cli_common {
    char *n, *deal, *samples, *seed, *draw, *rng, *threads;
    size_t most; /* the largest n; 0: 65,535 */
};

/* Copies them into the library's options; false after a line about a wrong one. */
bool cli_common_settle(const char *command, const struct cli_common *common, struct sb_options *options);

/* ---- subject.c: the shuffle under test ---- */

/* As typed. */
struct cli_subject {
    char *input, *base, *cards, *timeout;
    int free, chained;
    const char *
        *command;     /* the words after the first "--", with NULL at their end; NULL if there is no "--" */
    const char *file; /* a file named by an option; NULL: the words may name one */
};

/* Cuts the arguments at the first "--" and returns the command after it; NULL if there is no "--". */
const char **cli_command_split(int *argc, const char *argv[]);

/* Adds to a table the options that say how a stream is read. */
void cli_subject_options(struct cli_subject *typed, struct cli_option options[]);

enum cli_kind {
    CLI_NOTHING, /* something is wrong; a line said what */
    CLI_SCHEMES, /* the words, if any, are schemes */
    CLI_OUTSIDE, /* one subject outside the library: a command, a file or standard input */
};

/* Decides what the words and the options mean. Fills in the subject if it is CLI_OUTSIDE. */
enum cli_kind cli_subject_settle(const char *command, const struct cli_subject *typed,
                                 const struct cli_common *common, const char *const words[],
                                 struct sb_subject *subject);

/* An option, as typed, that requires a scheme or a stream; NULL if there is none. */
const char *cli_subject_misplaced(const struct cli_subject *typed, const struct cli_common *common);

/* Fills in the subject for a scheme; false after a line about what is wrong. */
bool cli_subject_scheme(const char *command, const struct cli_common *common, const char *scheme,
                        struct sb_subject *subject);

/* As cli_failed(); if a word is neither a scheme nor a file, the line says both. */
int cli_subject_failed(const char *command, const char *const words[], struct sb_error *error);

/* Prints a line of the command's standard error. The state is a struct cli_progress_state. */
sb_overheard cli_stderr_relay;

/* ---- report_options.c: options of `report` that are more than a number or a word ---- */

/* What was typed with --by, --seeds and --shard, which may be NULL; false after a line about a wrong one. */
bool cli_report_by(const char *by, struct sb_options *options);
bool cli_report_seeds(char *seeds, struct sb_options *options);
bool cli_report_shard(const char *shard, struct sb_options *options);

/* ---- command/gate_options.c: the gate's options ---- */

/* The options for one subject, as typed. The subjects of a suite inherit those that they do not set. */
struct cli_asked {
    struct cli_common common;
    struct cli_subject subject;
    char *limit, *exclude, *tolerate, *profile, *seeds;
    int increments;
};

/* Adds the rows of the gate's options to a command's table. */
void cli_asked_options(struct cli_asked *asked, struct cli_option options[]);

/* Copies them into the library's options; false after a line about a wrong one. */
bool cli_asked_settle(const char *command, const struct cli_asked *asked, struct sb_gate_options *options);

/* Several subjects, ready to be tested. */
struct cli_suite {
    size_t count;
    struct sb_suite_case *cases; /* [count]; owned */
    struct cli_asked *asked;     /* [count] as written in the file; the commands are owned */
    struct json_t *root;         /* the file; all strings above point into it; owned */
};

/* Reads a suite's file; returns the exit status. The caller closes the suite even after an error. */
int cli_suite_open(const char *path, const struct cli_asked *typed, const struct sb_gate_options *options,
                   struct cli_suite *suite);
void cli_suite_close(struct cli_suite *suite);

/* ---- alarm.c: the command that an alarm starts ---- */

enum { CLI_ALARMS_MOST = 16 }; /* commands running at the same time */

/* Initialise it as { .command = ..., }. */
struct cli_alarms {
    char *command;                     /* for the shell; NULL: none */
    const volatile sig_atomic_t *stop; /* raised when the program should end; may be NULL */
    bool told;                         /* a line said that commands still run */
    struct {
        pid_t id; /* of the process and its group; 0: none */
        double began;
    } running[CLI_ALARMS_MOST];
};

/* Prints an alarm on standard error and starts the command with the alarm on its standard input. The state is
 * a struct cli_alarms. */
sb_alarmed cli_alarm_start;

/* Checks the running commands. Kills a command after a minute, and prints a line for each that fails. */
void cli_alarm_look(void *alarms);

/* Waits until all commands have ended, which takes at most a minute. */
void cli_alarm_end(struct cli_alarms *alarms);

/* ---- github.c: annotations and a summary for GitHub's workflows ---- */

struct cli_github {
    int wanted;    /* --github */
    FILE *summary; /* for the job's page; NULL: none */
};

/* Opens the file that GITHUB_STEP_SUMMARY names; writes the summary to it and the annotations to standard
 * error. Both return the exit status. */
int cli_github_open(const char *command, struct cli_github *github);
int cli_github_write(const char *command, struct cli_github *github, const struct sb_suite *suite);
void cli_github_close(struct cli_github *github);

/* ---- output.c: files that appear whole or not at all ---- */

struct cli_output {
    FILE *stream;
    char *path;      /* as given; owned; NULL for standard output */
    char *target;    /* the file's name with links resolved; owned; NULL if it is written in place */
    char *temporary; /* the file that is written first, then renamed; not owned; NULL if written in place */
    int lock;        /* a descriptor that holds the lock; below 1: none */
};

/* The end of a temporary file's name. If that name is in use, it ends in a dot and six characters instead. */
#define SB_OUTPUT_TEMPORARY ".shufflebias-new"

/* Opens an output, before the work begins. "-" or NULL is standard output. On failure prints a line and
 * returns false. */
bool cli_output_open(const char *command, const char *path, struct cli_output *output);

/* Removes a temporary file that no run has locked: a killed run left it. */
void cli_output_clean(const char *path);

/* Makes a folder for outputs; cli_output_unlink() removes it, too. On failure prints a line and returns
 * false. */
bool cli_output_folder(const char *command, const char *path);

/* Whether two open outputs go to the same place. Any number may go to /dev/null. */
bool cli_output_same(const struct cli_output *one, const struct cli_output *other);

/*
 * Closes the output and renames it to its final name. If it could not be written, prints a line (none for a
 * closed pipe) and returns false. If an earlier write failed, errno must still hold the reason.
 */
bool cli_output_keep(const char *command, struct cli_output *output);

/* Flushes standard output; returns `status`, or EXIT_BROKEN if that failed. */
int cli_finish(const char *command, int status);

/* Closes and removes an output. Does nothing for one that was kept or never opened. */
void cli_output_drop(struct cli_output *output);

/* Removes all unfinished files before the program exits immediately. Safe in a signal handler. */
void cli_output_unlink(void);

/* ---- outputs.c: one result in several formats, to several places ---- */

/* One destination of a result. */
struct cli_place {
    const char *format; /* borrowed */
    struct cli_output output;
};

struct cli_outputs {
    const char *command;
    const struct sb_result_type *type;                                          /* of the result */
    char help[SB_RESULT_FORMATS_ROOM + 16], drawn[SB_RESULT_FORMATS_ROOM + 64]; /* of --format and --figure */
    char *format, *file, *figure; /* as typed with --format, -o and --figure; NULL for those that were not */
    struct cli_texts exports;     /* as typed with --export */
    size_t count;
    struct cli_place place[CLI_TEXTS_MOST + 1]; /* [count] are open */
};

/* Adds --format, -o, --export and --figure to a command's table. */
void cli_outputs_options(struct cli_outputs *outputs, struct cli_option options[]);

/* The output that would overwrite the file `path`; NULL if there is none, or if `path` is NULL. */
const struct cli_place *cli_outputs_over(const struct cli_outputs *outputs, const char *path);

/* Opens all outputs, before the work begins; returns the exit status. */
int cli_outputs_open(struct cli_outputs *outputs);

/* Writes a result to all outputs; returns the exit status. */
int cli_outputs_write(struct cli_outputs *outputs, const void *result);

/* Closes and removes the outputs whose format is not wanted. */
void cli_outputs_keep(struct cli_outputs *outputs, bool (*wanted)(const char *format));

/* Closes and removes the outputs that were not written. */
void cli_outputs_close(struct cli_outputs *outputs);

/* ---- terminal.c: signals, colours and progress ---- */

/*
 * The flag that Ctrl-C, SIGTERM or SIGHUP raises. Catches these signals from now on; a second signal ends the
 * program immediately. Call this before opening an output.
 */
const volatile sig_atomic_t *cli_stop_flag(void);

/* The flag that SIGHUP raises from now on, instead of the stop flag. The reader lowers it. */
volatile sig_atomic_t *cli_reopen_flag(void);

/* Whether Ctrl-C raised the stop flag. */
bool cli_interrupted(void);

enum { CLI_GROUPS_MOST = 256 };

/* A slot for the process group of a command under test, which the second signal kills; index <
 * CLI_GROUPS_MOST. */
volatile sig_atomic_t *cli_group(size_t index);

/* How text to this stream may look. */
struct sb_look cli_look(FILE *stream);

/* Shows progress on standard error, if that is a terminal and the work takes longer than a second. */
sb_progress cli_progress;

struct cli_progress_state {
    bool wanted, shown;
    double began, last; /* seconds */
};

void cli_progress_begin(bool quiet, struct cli_progress_state *state);
void cli_progress_end(struct cli_progress_state *state);

#endif
