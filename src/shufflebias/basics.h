/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every call of the library shares: statuses, errors, the lists of names, how text looks, and callbacks.
 */
#ifndef SHUFFLEBIAS_BASICS_H
#define SHUFFLEBIAS_BASICS_H

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
    SB_TOO_LARGE, /* a valid request beyond what can be computed; the line says how far it goes */
    /* memory ran out; also where GMP would abort, because the library replaces its memory functions:
     * docs/reliability.md */
    SB_NO_MEMORY,
    SB_IO,      /* a file cannot be read or written; errno says why */
    SB_STOPPED, /* the caller raised the stop flag before there was anything to report */
    SB_SUBJECT, /* the shuffle on trial failed: no permutation, an exit status, or silence for too long */
    SB_BROKEN,  /* a fault of this library: please report it */
};

/*
 * The line that explains a status, in lower case: it names the offender and the remedy. Struct fields stand
 * in the line between backquotes, with or without a value: "`deal=4`: there are only 3 items". Two names have
 * a wider sense: `saved` is saved evidence to resume from, and `seeds` of a report is seeds_first and
 * seeds_count.
 *
 * The caller owns the struct, which has a meaning only after a call that failed. Every call allows NULL.
 */
struct sb_error {
    enum sb_status status;
    char field[32]; /* the first field that the line names, "deal"; "" if the line names none */
    char value[96]; /* the value beside that field, "4"; "" if there is none; long values are cut */
    char text[512];
};

/* Returns this library's version, "1.2.3". The string is static. Example: report_naive.c. */
SB_API const char *sb_version(void);

/* ---- the lists of names ---- */

/*
 * One line of the lists of shuffles, draws, generators, statistics, tests and formats. The strings are
 * static.
 */
struct sb_entry {
    const char *family;    /* "shuffle", "draw", "rng", "statistic", "test", "format" */
    const char *name;      /* name, as written in a scheme */
    const char *parameter; /* the name of the number after the colon (the W of `modulo:W`), or NULL */
    const char *title;     /* a description in one line */
    const char *cite;      /* citation of the publication, or NULL */
};

/*
 * Copies entry `index`, from 0, of the lists of all families, one list after another. Returns false beyond
 * the last entry and leaves *entry unchanged then. Example: report_naive.c.
 */
SB_API bool sb_entry_get(size_t index, struct sb_entry *entry);

/* Returns whether `format` is a format that sb_reports_write() can write. Example: report_naive.c. */
SB_API bool sb_format_known(const char *format);

/* ---- how results look ---- */

/* How text looks. Zero-initialise the struct for plain ASCII text, and set what you need. */
struct sb_look {
    bool unicode; /* block characters; else plain ASCII */
    bool colour;  /* ANSI colours */
    /*
     * What the format "svg" draws. "terminal", the text, exists for every result. Reports also have "bars",
     * "matrix" and "tree"; a gate also has "curve", "bars" and "matrix". NULL selects the figure that suits
     * the result. Any other name is SB_INVALID.
     */
    const char *figure;
};

/* ---- callbacks ---- */

/*
 * The library calls this now and then during long work, in the thread that called the library: `done` of
 * `total` shuffles of `subject` are ready. The string lives until the callback returns.
 */
typedef void sb_progress(void *state, const char *subject, uint64_t done, uint64_t total);

/*
 * Receives a line that a command wrote to its standard error. The library has removed control characters and
 * cut long lines. The string lives until the callback returns.
 */
typedef void sb_overheard(void *state, const char *line);

#ifdef __cplusplus
}
#endif

#endif
