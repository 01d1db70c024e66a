/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lessons: the pages of a small course. A lesson is text with figures. It computes every number that can
 * be computed, with the functions of shufflebias.h, as any program could. One file each, which ends in a
 * const descriptor.
 */
#ifndef SB_LESSON_LESSON_H
#define SB_LESSON_LESSON_H

#include "gate/findings.h"
#include "report/html/html.h"
#include "report/number.h"
#include "report/table.h"
#include "study/explain/explanation.h"
#include "study/plan/plan_result.h"
#include "study/report/report_result.h"
#include "study/zoo/zoo_result.h"

enum { SB_LESSON_FOUND_MOST = 48, SB_LESSON_TRIES_MOST = 6 };

/* A command to try, at the end of a lesson. */
struct sb_lesson_try {
    const char *command; /* after "shufflebias"; NULL: end of the list */
    int status;          /* the exit status of the command */
    const char *what;    /* what it shows, in a few words */
};

/* A figure by its name, and the result that it shows; borrowed. */
struct sb_lesson_figure {
    const char *name;               /* "tree", "bars", "matrix", "curve" */
    const struct sb_report *report; /* the report to draw, of a law or of seeds; or ... */
    const struct sb_gate *gate;     /* ... the gate to draw */
};

/* A result; one of them is set. */
struct sb_lesson_found {
    struct sb_reports *reports;
    struct sb_explain *explain;
    struct sb_plan *plan;
    struct sb_gate *gate;
    struct sb_null_law *law;
    struct sb_zoo *zoo;
};

/*
 * A lesson that is being written. Errors are sticky: after an error, each of the functions below that
 * computes something returns NULL.
 */
struct sb_lesson {
    struct sb_html html;
    const struct sb_options *options; /* threads and stop */
    struct sb_error *error;
    enum sb_status status; /* the first error; later calls do nothing */
    size_t found_count;
    struct sb_lesson_found found[SB_LESSON_FOUND_MOST]; /* the results so far; owned */
};

struct sb_lesson_type {
    const char *file;    /* "three-cards.html" */
    const char *title;   /* heading of the lesson */
    const char *summary; /* a line for the index */
    const char *sources; /* sources of the lesson's argument */
    /* Writes everything between the heading and the commands to try. */
    void (*write)(struct sb_lesson *lesson);
    struct sb_lesson_try tries[SB_LESSON_TRIES_MOST + 1];
};

extern const struct sb_lesson_type *const sb_lesson_types[];
extern const size_t sb_lesson_types_count;

/* ---- found.c: results, which live as long as the lesson. NULL after an error ---- */

/* Computes the exact law of a scheme. */
const struct sb_report *sb_lesson_law(struct sb_lesson *lesson, const char *scheme, size_t n);
/* Finds the decks from the first `count` seeds of the scheme's generator. */
const struct sb_report *sb_lesson_seeds(struct sb_lesson *lesson, const char *scheme, size_t n,
                                        uint64_t count);
const struct sb_explain *sb_lesson_explain(struct sb_lesson *lesson, const char *scheme, size_t n);
/* Makes the plan for a scheme, with the power of `samples` shuffles unless `samples` is 0. */
const struct sb_plan *sb_lesson_plan(struct sb_lesson *lesson, const char *scheme, size_t n,
                                     uint64_t samples);
/* Runs the gate with its default options and seed 1. */
const struct sb_gate *sb_lesson_gate(struct sb_lesson *lesson, const char *scheme, size_t n);
/* Computes the law of a statistic under a fair shuffle. */
const struct sb_null_law *sb_lesson_null_law(struct sb_lesson *lesson, const char *statistic, size_t n);
const struct sb_zoo *sb_lesson_zoo(struct sb_lesson *lesson, size_t n);

/* Frees all results. */
void sb_lesson_close(struct sb_lesson *lesson);

/* ---- write.c: the parts of a page ---- */

void sb_lesson_section(struct sb_lesson *lesson, const char *title);
/* Writes a paragraph; text between two backquotes is code. */
__attribute__((format(printf, 2, 3))) void sb_lesson_say(struct sb_lesson *lesson, const char *format, ...);
/* Writes lines of code. */
void sb_lesson_code(struct sb_lesson *lesson, const char *text);
/* Writes figures, side by side if there is room, each under the name of its subject. */
void sb_lesson_figures(struct sb_lesson *lesson, const struct sb_lesson_figure figures[], size_t count);
/* Begins a table: a letter and a title for each column. */
void sb_lesson_table_open(const char *columns, const char *const titles[], struct sb_table *table);
/* Lays out the table and closes it. */
void sb_lesson_table(struct sb_lesson *lesson, struct sb_table *table);

/* ---- course.c: whole pages ---- */

/* Returns the title of the index. */
extern const char sb_lesson_course[];

/* Writes a page: page 0 is the index, page 1 the first lesson. SB_IO, and the errors of all functions that
 * a lesson calls. */
enum sb_status sb_lesson_write(size_t page, const struct sb_options *options, struct sb_error *error,
                               FILE *stream);

#endif
