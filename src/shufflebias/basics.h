/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What all calls of the library share: statuses, errors, the lists of names, how text looks, and callbacks.
 */
#ifndef SHUFFLEBIAS_BASICS_H
#define SHUFFLEBIAS_BASICS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SB_API __attribute__((visibility("default")))

/* How a call ended. */
enum sb_status {
    SB_OK = 0,
    SB_INVALID,   /* an unknown name, a number out of range, or another wrong argument */
    SB_TOO_LARGE, /* a valid request that is too large to compute; the error's line states the limit */
    SB_NO_MEMORY, /* memory ran out; inside GMP that ends the process instead (docs/failures.md) */
    SB_IO,        /* a file cannot be read or written; the error's line says why */
    /* the caller raised the stop flag before there was anything to report, or a callback said that it failed
     */
    SB_STOPPED,
    /* the shuffle under test failed: it yielded no permutation, exited with an error or returned an error, or
     * was silent too long */
    SB_SUBJECT,
    SB_BROKEN, /* a fault of this library: please report it */
};

/*
 * One line in lower case that explains a status. The line says what is wrong and what to do about it. The
 * line puts the name of a struct field in backquotes, with or without the field's value: "`deal=4`: there are
 * only 3 items". Two names in backquotes have a special meaning. `saved` stands for the saved evidence to
 * resume. In the error of a report, `seeds` stands for seeds_first and seeds_count.
 *
 * The caller owns the struct. The contents of the struct have a meaning only after a call that failed. Every
 * call accepts NULL for the struct.
 */
struct sb_error {
    enum sb_status status;
    char field[32]; /* the first field that the line names, such as "deal"; or "" if there is none */
    char value[96]; /* the value of that field, such as "4"; or "" if there is none; a long value is cut */
    char text[512];
};

/* Returns this library's version, such as "1.2.3". The string is static. Example: report_naive.c. */
SB_API const char *sb_version(void);

/* ---- the lists of names ---- */

/*
 * One entry of the lists of shuffles, draws, generators, statistics, tests and formats. The strings are
 * static.
 */
struct sb_entry {
    const char *family;    /* "shuffle", "draw", "rng", "statistic", "test", "format" */
    const char *name;      /* the name, as written in a scheme */
    const char *parameter; /* the name of the number after the colon (the W of `modulo:W`), or NULL */
    const char *title;     /* a description in one line */
    const char *cite;      /* citation of the publication, or NULL */
};

/*
 * Copies entry `index`, counted from 0, to *entry. The lists of all families follow one another. Beyond the
 * last entry the function returns false and leaves *entry unchanged. Example: report_naive.c.
 */
SB_API bool sb_entry_get(size_t index, struct sb_entry *entry);

/* Returns whether `format` is a format that sb_reports_write() can write. Example: report_naive.c. */
SB_API bool sb_format_known(const char *format);

/* ---- how results look ---- */

/* How text looks. */
struct sb_look {
    bool unicode; /* draws with Unicode block characters; if false, with plain ASCII */
    bool colour;  /* uses ANSI colours */
    /*
     * The figure that the format "svg" draws. Every result has the figure "terminal", which shows the text.
     * Reports also have "bars", "matrix" and "tree"; a gate also has "curve", "bars" and "matrix". NULL
     * selects the figure that suits the result. A name that is not a figure of the result is SB_INVALID.
     */
    const char *figure;
    /*
     * The width of the terminal for which the format "text" breaks its lines and tables: less than 40 counts
     * as 40, and more than 120 as 120. 0: sentences have up to 100 columns, and tables are as wide as they need. Example:
     * gate_command.c.
     */
    size_t columns;
};

/* Frees a text that a ..._text() function returned; NULL is allowed. Example: text_in_memory.c. */
SB_API void sb_text_free(char *text);

/* ---- callbacks: each returns; none leaves by longjmp() or by an exception ---- */

/*
 * Reports that `done` of `total` shuffles of `subject` are complete. During long work, the library calls this
 * function from time to time, in the thread that called the library. The string `subject` lives until the
 * callback returns. To cancel the work, the callback raises the stop flag of the options.
 */
typedef void sb_progress(void *state, const char *subject, uint64_t done, uint64_t total);

/*
 * Receives a line that a command wrote to its standard error. The library has removed control characters and
 * cut long lines. The string `line` lives until the callback returns.
 */
typedef void sb_overheard(void *state, const char *line);

#ifdef __cplusplus
}
#endif

#endif
