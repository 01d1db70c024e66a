/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of a command's options. The table says how to read argv, and the help and the manual page are
 * made from it.
 *
 * From a flag to an option. Three places handle every option; --exclude serves as the example:
 *
 *     1. The row in the command's table:    cli_asked_options() in command/gate_options.c stores the text
 *        that follows --exclude in a struct of the command, as typed.
 *     2. cli_options_read() in options.c reads argv with the table; no other code reads flags.
 *     3. The command's settle function:     cli_asked_settle() in command/gate_options.c checks the text and
 *        writes the number to `exclude` of the library's struct sb_gate_options.
 *
 * Rows that several commands share are in shared_options.c; cli_common_settle() in arguments.c checks the
 * numbers of these rows. For most options, places 1 and 3 are in command/NAME.c; for the options that
 * describe a stream, in subject.c; for --format, -o, --export and --figure, in outputs.c.
 */

#ifndef SB_CLI_OPTION_TABLE_H
#define SB_CLI_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The groups of options, in the order of the help. */
enum cli_group {
    CLI_TEST,    /* what the command finds out; the group of each row that names no group */
    CLI_SHUFFLE, /* which built-in shuffle */
    CLI_STREAM,  /* how permutations from outside are read */
    CLI_RUNS,    /* saved runs and ledgers */
    CLI_OUTPUT,
    CLI_PROGRAM, /* what does not affect results */
    CLI_GROUPS,
};

enum { CLI_TEXTS_MOST = 32 };

/* The arguments of a repeatable option, in the order typed. The strings are parts of argv. */
struct cli_texts {
    size_t count;
    char *text[CLI_TEXTS_MOST]; /* [count] */
};

/*
 * A row of the table. `text`, `file` or `list` receives the argument, which points into argv. An option
 * without an argument sets `*flag` to 1. The row of --help has neither an argument nor a `flag`.
 */
struct cli_option {
    const char *name;     /* long name without "--"; NULL: no long name */
    const char *help;     /* help text; ends with the default in parentheses, if there is a default */
    const char *argument; /* name of the argument in the help; NULL: the option takes no argument */
    char **text;          /* receives the argument; the last argument if the option is repeated */
    /* receives the name of an evidence file; the option may not be repeated, and may not name "-" */
    char **file;
    struct cli_texts *list; /* receives the arguments of all repetitions */
    int *flag;              /* becomes 1 if the option is typed */
    enum cli_group group;
    char letter; /* short name without "-"; 0: no short name; a row with neither name ends the table */
};

/* A command's options, and the examples at the start of its help. */
struct cli_syntax {
    const char *command, *arguments, *examples;
    const struct cli_option *options;
};

enum { CLI_OPTIONS_MOST = 64 }; /* rows of a table, including the end row */

/* Adds rows to a table that has room for CLI_OPTIONS_MOST rows. */
void cli_options_add(struct cli_option options[], const struct cli_option rows[], size_t count);

/*
 * Reads the options in argv. Returns true if the command should run; argv[1] and the following elements are
 * then the words that are not options, followed by NULL. Returns false and sets *status to the exit status
 * after --help, or after printing a line about a wrong option.
 */
bool cli_options_read(const struct cli_syntax *syntax, int argc, const char *argv[], int *status);

/* Returns whether a row ends the table. */
bool cli_option_ends(const struct cli_option *row);

/* ---- help.c: the help ---- */

/* Prints the help of the program: examples of each command, and the exit statuses. */
void cli_help_program(FILE *stream);

/* Returns the heading of a group. */
const char *cli_group_heading(enum cli_group group);

/* Returns whether the help of any row ends with a default, which is in parentheses. */
bool cli_options_default(const struct cli_option *row);

/* Explains SCHEME; for commands whose arguments include the word. */
extern const char cli_help_scheme[];

/* Prints what --help asks for; returns the exit status. */
typedef int cli_help_printer(const struct cli_syntax *syntax);

/* Prints the help as text for a terminal. */
cli_help_printer cli_help_text;

/* Prints a text that begins at `column`, with line breaks between words, so that lines have at most `width`
 * columns. A width of 0 means no line breaks. */
void cli_wrap(const char *text, size_t column, size_t width);

/* The printer that --help uses: cli_help_text(), except in the program that writes the manual. */
extern cli_help_printer *cli_help;

#endif
