/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the subcommands share. Only src/cli deals with argv, exit statuses and terminals. */
#ifndef SB_CLI_CLI_H
#define SB_CLI_CLI_H

#include "study/results.h"

/* Exit statuses. EXIT_DONE is also the status of a fair shuffle (uniform, PASS). */
enum {
    EXIT_DONE = 0,
    EXIT_BIASED = 1,
    EXIT_USAGE = 2,
    EXIT_INCONCLUSIVE = 3,
    EXIT_BROKEN = 4,
    EXIT_INTERRUPTED = 130,
};

enum { CLI_EXAMPLES_MOST = 16 };

struct cli_line;

/* What users type, and what it does; a row without `purpose` ends a list. */
struct cli_example {
    const char *typed, *purpose;
};

/* A subcommand. data/commands.json has its members, and command/NAME.c its functions. */
struct cli_command_type {
    const char *name;
    unsigned of; /* the command in the table of options, core/options.c */
    const char *arguments;
    struct cli_example examples[CLI_EXAMPLES_MOST + 1];
    const char *notes;                   /* lines after the examples; NULL: none */
    const char *word;                    /* the error of a line that names nothing; NULL: words may be missing */
    const char *stray;                   /* the error of a line with words; NULL: a line may have words */
    const char *single;                  /* "scheme", if a line has one word at most; NULL: any number */
    bool program;                        /* whether the words after "--" are a program to run */
    const struct sb_result_type *result; /* what --format, -o, --export and --figure write; NULL: no such options */
    int (*run)(struct cli_line *line);   /* returns the exit status; NULL: cli_run() */
    int (*verdict)(const void *result);  /* of cli_run(): the exit status for a result; NULL: 0 */
    const char *heading;                 /* of the commands from this one on, in the program's help; NULL: none */
    struct cli_example first[3];         /* for the program's help: what the command says of them */
};

/* All commands, in the order of `commands` in src/meson.build. */
extern const struct cli_command_type *const cli_command_types[];
extern const size_t cli_command_types_count;

/* The methods of commands that do more than cli_run(). */
int cli_report_run(struct cli_line *line);
int cli_gate_run(struct cli_line *line);
int cli_watch_run(struct cli_line *line);
int cli_deal_run(struct cli_line *line);
int cli_lesson_run(struct cli_line *line);
int cli_playground_run(struct cli_line *line);
int cli_list_run(struct cli_line *line);
int cli_prove_verdict(const void *result);

/* The page of `shufflebias playground`. Meson generates the array from the file that its option `playground` names. */
extern const char sb_asset_playground[];        /* [sb_asset_playground_length] */
extern const size_t sb_asset_playground_length; /* bytes; 0: the program was built without the page */

/* ---- ranks_mpi.c, or ranks_alone.c in a build without MPI: the processes that mpirun started ---- */

/* Returns whether this process is rank 0. Rank 0 runs the command. Each other rank calls cli_ranks_help(),
 * which returns an exit status when the command ends. */
bool cli_ranks_begin(void);
int cli_ranks_help(void);

/* Ends MPI and returns `status`. Every process calls this function last. */
int cli_ranks_end(int status);

/* Makes the struct for the ranks that share the work of reports; the caller frees the struct. Returns NULL if
 * there is only one process. */
const struct sb_ranks *cli_ranks_new(void);
void cli_ranks_free(const struct sb_ranks *ranks);

/* ---- arguments.c: the names of options, and of the library's fields ---- */

/* Returns the next option of a command, in the order of the table, after `row`; NULL: the first. Returns NULL after the
 * last. */
const struct sb_option *cli_option_next(const struct cli_command_type *type, const struct sb_option *row);

/* Returns the letter of an option, or 0; and whether the option has a long name. */
char cli_option_letter(const struct sb_option *row);
bool cli_option_is_long(const struct sb_option *row);

/* Returns a copy of a line of text from the library. The copy names options instead of fields, for example
 * --samples instead of `samples`. The caller frees the copy. Returns NULL if memory runs out. */
char *cli_flags(const char *line);

/* These two functions replace fields by options, in place, in the sentences of results. */
void cli_flags_reports(struct sb_reports *reports);
void cli_flags_suite(struct sb_suite *suite);

/* ---- lines about wrong arguments, and the texts of options as values ---- */

/* Reports a wrong argument: prints "shufflebias COMMAND: ..." and returns EXIT_USAGE. */
__attribute__((format(printf, 2, 3))) int cli_usage(const char *command, const char *format, ...);

/* Likewise; returns false, for functions that say whether all is well. */
#define cli_refuse(...) (cli_usage(__VA_ARGS__), false)

/* Writes a word as a user types it in a shell, in quotation marks if it is not plain, into at most `room` bytes.
 * Returns `typed`. */
const char *cli_typed(const char *word, char typed[], size_t room);

/* Returns EXIT_INTERRUPTED. `file` is the command's file of evidence. If `file` is not NULL, first prints a
 * line that tells how to resume. */
int cli_resumable(const char *command, const char *file);

/* Prints a line of text from the library, with names of options in place of fields; returns EXIT_USAGE. */
int cli_say(const char *command, const char *line);

/* Like cli_say(), for the line in `error`; returns the exit status for the error. */
int cli_failed(const char *command, const struct sb_error *error);

/* Sets an option. If the text is wrong, prints a line and returns false. `where` begins the line: a command, or a place
 * in a suite's file. */
bool cli_set(const char *where, struct sb_request *request, const struct sb_option *option, const char *text);

/* Sets each option to the text that request->given has, which is the last that was given. Leaves out repeatable
 * options, and -n and --deal, whose ranges depend on the subject. */
bool cli_set_given(const char *where, struct sb_request *request);

/* Reads -n and --deal, if the subject is a scheme. `named`: whether --cards gives the number of items. */
bool cli_settle_items(const char *where, struct sb_request *request, bool named);

/* Likewise for one option, a whole number in low..high. Does nothing if the option was not given. */
bool cli_settle_within(const char *where, struct sb_request *request, const char *name, uint64_t low, uint64_t high);

/* ---- options.c: the command line ---- */

/* Reads a command line and runs the command; returns the exit status. argv[0] is the name of the command. */
int cli_command_run(const struct cli_command_type *type, int argc, const char *argv[]);

/* ---- options.c: the help ---- */

/* Prints the help of the program: examples of each command, and the exit statuses. */
void cli_help_program(FILE *stream);

/* Prints a text that begins at `column`, with line breaks between words, so that lines have at most `width`
 * columns. A width of 0 means no line breaks. */
void cli_wrap(const char *text, size_t column, size_t width);

/* ---- subject.c: the shuffle under test ---- */

/* Returns whether an option says how to read a file, which therefore is no saved evidence. */
bool cli_subject_is_read(const struct sb_request *request);

/* Returns the word that names a file of saved evidence, if this is all that the line names; else NULL. */
const char *cli_evidence_named(const struct cli_line *line);

enum cli_kind {
    CLI_NOTHING, /* an argument is wrong; the function has printed a line about it */
    CLI_SCHEMES, /* the words are schemes, or there are no words */
    CLI_OUTSIDE, /* the subject is outside the library: a command, a file or standard input */
};

/* Decides what the words in request->call, which are its schemes so far, and the options mean. If the result is
 * CLI_OUTSIDE, reads the numbers of the subject; a word that is a file becomes the file of the call. */
enum cli_kind cli_subject_settle(const char *where, struct sb_request *request);

/* Likewise for a command with one subject, which may be a scheme; `missing` is the error of a line that names none;
 * NULL: the subject is known. If something is wrong, prints a line and returns false. */
bool cli_subject_one(const char *where, struct sb_request *request, const char *missing);

/* Returns an option that was given and requires a scheme, if `scheme`, or a stream; NULL if there is no such option. */
const char *cli_subject_misplaced(const struct sb_request *request, bool scheme);

/* Like cli_failed(). If the only word is neither a scheme nor a file, the line says so. */
int cli_subject_failed(const char *command, const char *const words[], struct sb_error *error);

/* If the line's program has exited after a single permutation, prints a line that says how to get more of them.
 * `ended`: whether the run read all that the subject printed; `total`: the number of permutations. */
void cli_subject_note(const struct cli_line *line, bool ended, uint64_t total);

/* Prints a line that the program wrote to its standard error. The state is a struct cli_progress_state. */
sb_overheard cli_stderr_relay;

/* ---- command/suite.c ---- */

/* A subject of a suite, with its options: those of the command line, unless the suite's file sets them. */
struct cli_case {
    struct sb_request request;
    struct sb_call call;   /* the request's; owns the words of its program */
    const char *scheme[2]; /* the scheme, or NULL, followed by NULL */
};

/* Several subjects, ready to be tested. */
struct cli_suite {
    size_t count;
    struct cli_case *cases;    /* [count]; owned */
    struct sb_request **gates; /* [count] the requests of the cases; owned */
    struct json_t *root;       /* the parsed file, which owns all strings of the fields above; owned */
};

/* Reads a suite's file; returns the exit status. The caller closes the suite even after an error. */
int cli_suite_open(const char *path, const struct sb_request *request, struct cli_suite *suite);
void cli_suite_close(struct cli_suite *suite);

/* ---- system/output.c: the file that a mistyped path probably means ---- */

/* Finds the file in the path's folder whose name is nearest to that of the path. Writes its path into at most
 * `room` bytes. Returns false if no name is near. */
bool cli_file_nearest(const char *path, char nearest[], size_t room);

/* ---- system/output.c: files that appear complete or not at all ---- */

struct cli_output {
    FILE *stream;
    char *path;   /* the path as typed; owned; NULL for standard output */
    char *target; /* the path with links resolved; owned; NULL if the file is written in place */
    /* name of the temporary file, which is renamed at the end; not owned; NULL if the file is written in
     * place */
    char *temporary;
    int lock; /* a descriptor that holds the lock; below 1: no lock */
};

/* The end of a temporary file's name begins with these characters. Then comes "new" or, if another run uses the file
 * with this name, six random characters. */
#define SB_OUTPUT_TEMPORARY ".shufflebias-"

/* Opens an output; commands call this function before the work begins. The path "-" or NULL means standard
 * output. On failure prints a line and returns false. */
bool cli_output_open(const char *command, const char *path, struct cli_output *output);

/* Removes a temporary file that a killed run left, that is, a temporary file that no run has locked. */
void cli_output_clean(const char *path);

/* Makes a folder, which cli_output_unlink() removes if it is empty. On failure prints a line and returns
 * false. */
bool cli_output_folder(const char *command, const char *path);

/* Returns whether two open outputs write to the same file. Returns false for devices such as /dev/null. */
bool cli_output_same(const struct cli_output *one, const struct cli_output *other);

/* Returns whether an output will replace the regular file `path`, by this path or another. The file need not exist
 * yet. */
bool cli_output_replaces(const struct cli_output *output, const char *path);

/*
 * Closes the output and renames the file to its final name. If the output could not be written, returns false
 * and prints a line; for a closed pipe, prints no line. If an earlier write failed, errno must still hold the
 * reason.
 */
bool cli_output_keep(const char *command, struct cli_output *output);

/* Flushes standard output; returns `status`, or EXIT_BROKEN if flushing failed. */
int cli_finish(const char *command, int status);

/* Closes and removes an output. Does nothing if the output was kept or never opened. */
void cli_output_drop(struct cli_output *output);

/* Removes all unfinished files before the program exits immediately. Safe in a signal handler. */
void cli_output_unlink(void);

/* ---- options.c: one result in several formats, to several places ---- */

/* A destination of a result, and the format of the result there. */
struct cli_place {
    char format[24];
    struct cli_output output;
};

struct cli_outputs {
    const char *command;
    const struct sb_result_type *type; /* type of the result */
    const char *figure;                /* NULL: not given */
    bool details;
    size_t count;
    struct cli_place place[SB_LIST_MOST + 1]; /* [count]; all are open */
};

/* A file that no output may replace, and what the file is: "the evidence". */
struct cli_spared {
    const char *path; /* NULL: there is no such file */
    const char *what;
};

/* Checks that no output would replace one of the files, after which comes one that is nothing. On failure prints a
 * line. Returns the exit status. */
int cli_outputs_spare(const struct cli_outputs *outputs, const struct cli_spared files[]);

/* Writes a result to all outputs; returns the exit status. */
int cli_outputs_write(struct cli_outputs *outputs, const void *result);

/* Closes and removes the outputs whose format is not wanted. */
void cli_outputs_keep(struct cli_outputs *outputs, bool (*wanted)(const char *format));

/* ---- system/terminal.c: standard streams, signals, colours, the width of the terminal ---- */

/*
 * Takes those of the descriptors 0, 1 and 2 that the caller has closed (`2>&-`), so that no file that this program
 * opens gets such a number and the lines that the program writes to standard error. Reading and writing them still
 * fails.
 */
void cli_standard_descriptors(void);

/*
 * Returns the flag that Ctrl-C, SIGTERM or SIGHUP raises, and installs a handler for these signals. The
 * second signal removes unfinished outputs and ends the program. Call this function before opening an output.
 */
const volatile sig_atomic_t *cli_stop_flag(void);

/* Sets whether the signals that raise the stop flag interrupt a call that waits (EINTR). At first, they do not. */
void cli_stop_interrupts(bool interrupts);

/* Returns the flag that SIGHUP raises after this call; SIGHUP then no longer raises the stop flag. The code
 * that reads the flag clears the flag. */
volatile sig_atomic_t *cli_reopen_flag(void);

/* Returns whether Ctrl-C raised the stop flag. */
bool cli_interrupted(void);

enum { CLI_GROUPS_MOST = 256 };

/* Returns a slot for a process group. The second signal kills the group. `index` is below CLI_GROUPS_MOST. */
volatile sig_atomic_t *cli_group(size_t index);

/* Returns how text on this stream should look. */
struct sb_look cli_look(FILE *stream);
/* Returns the width of the stream's terminal; 0 if the stream is not a terminal or its width is not known. */
unsigned cli_terminal_columns(FILE *stream);

/* ---- system/terminal.c: progress ---- */

/* If standard error is a terminal and the work takes longer than a second, shows progress there. */
sb_progress cli_progress;
/* Sets the bound and the goal that the next line of progress shows. */
sb_gate_bound cli_progress_bound;

struct cli_progress_state {
    bool wanted, shown;
    double began, last;   /* seconds */
    double subject_began; /* when the current subject of a suite began, in seconds */
    uint64_t done;        /* shuffles of the current subject */
    double bound, goal;   /* as in sb_gate_bound; a goal of 0: not a gate */
    bool looked;          /* whether the bound is newer than bound_done */
    uint64_t bound_done;  /* the shuffles behind the bound */
};

void cli_progress_begin(bool quiet, struct cli_progress_state *state);
void cli_progress_end(struct cli_progress_state *state);

/* ---- options.c: what most commands do before their work ---- */

/* A command line, as read. */
struct cli_line {
    const struct cli_command_type *type;
    const char **words;   /* the words that are not options, followed by NULL */
    const char **program; /* the words after the first "--", followed by NULL; NULL if there is no "--" */
    struct sb_request request;
    struct sb_call call; /* the request's; its schemes are the words, and its program is that above */
    struct cli_outputs outputs;
    struct cli_progress_state progress;
};

/* Opens the outputs and begins to show progress; returns the exit status. */
int cli_begin(struct cli_line *line);

/* Reads the texts of the options, and calls cli_begin(). */
int cli_prepare(struct cli_line *line);

/* Runs a command of which the words and the options are the whole request; returns the exit status. */
int cli_run(struct cli_line *line);

#endif
