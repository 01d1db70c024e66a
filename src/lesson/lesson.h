/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lessons: the pages of a small course. A lesson is text with figures. A lesson computes all its numbers with
 * the functions of shufflebias.h, as any program could. Each lesson has its own file, which ends in a
 * descriptor, a constant of the type struct sb_lesson_type.
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

enum {
    SB_LESSON_FOUND_MOST = 96,
    SB_LESSON_TRIES_MOST = 6,
    SB_LESSON_SCHEMES_MOST = 2, /* schemes in a slide */
    SB_LESSON_KINDS_MOST = 3,   /* figures of each scheme in a slide */
    SB_LESSON_OPTIONS_MOST = 4,
    SB_LESSON_POINTS_MOST = 16, /* points of a curve */
    SB_LESSON_GOALS_MOST = 3,
    SB_LESSON_TEXT = 512,    /* bytes of a question or an answer, with the terminating 0 */
    SB_LESSON_WALK_MOST = 8, /* cards of a path that is shown step by step */
};

/* A command to try, at the end of a lesson. */
struct sb_lesson_try {
    const char *command; /* the words after "shufflebias"; NULL ends the list */
    int status;          /* the exit status of the command */
    const char *what;    /* what the command shows, in a few words */
};

/* The name of a figure, and the result that the figure shows. The pointers are borrowed. */
struct sb_lesson_figure {
    const char *name;               /* "tree", "bars", "matrix", "curve" */
    const struct sb_report *report; /* the report to draw, exact or by seeds; NULL if `gate` is set */
    const struct sb_gate *gate;     /* the gate to draw; NULL if `report` is set */
};

/* Figures for several n, of which a slider shows one. Unused places at the end of the lists are NULL. */
struct sb_lesson_slide {
    const char *scheme[SB_LESSON_SCHEMES_MOST];
    const char *figure[SB_LESSON_KINDS_MOST]; /* a figure that has nothing to draw for some n is left out */
    size_t least, most;                       /* range of n */
    size_t shown;                             /* the n that the page shows first */
    uint64_t seeds; /* if not 0, the figures show the decks of this many seeds, instead of the law */
};

/* A curve through points, from left to right. */
struct sb_lesson_curve {
    const char *title;             /* what the figure shows */
    const char *caption;           /* how to read the figure */
    const char *x_title, *y_title; /* what the axes show: "riffles", "total variation" */
    bool log_x;                    /* whether the axis of x is logarithmic */
    bool percent;                  /* whether y is written as a percentage */
    double mark;                   /* the y of a line across the figure */
    size_t count;
    struct {
        double x;                   /* a whole number */
        double y;                   /* 0..1 */
    } point[SB_LESSON_POINTS_MOST]; /* [count] */
};

/* An answer from which the reader can choose. */
struct sb_lesson_option {
    char text[96];
    char why[256]; /* why the option is right or wrong, as a sentence */
    bool right;
};

/* The question of a lesson, and a task for the worksheet. Text between two backquotes is code, but not in
 * options. */
struct sb_lesson_question {
    char text[SB_LESSON_TEXT];
    size_t options;
    struct sb_lesson_option option[SB_LESSON_OPTIONS_MOST]; /* [options] */
    char task[SB_LESSON_TEXT], solution[SB_LESSON_TEXT];
};

/* What a teacher needs to know about a lesson. */
struct sb_lesson_plan {
    unsigned minutes;                        /* the time that the lesson takes in class */
    const char *goals[SB_LESSON_GOALS_MOST]; /* what students can do afterwards; NULL ends a shorter list */
    const char *course;                      /* how to spend the time */
};

/* A result of any kind: one of the fields is set. */
struct sb_lesson_found {
    struct sb_reports *reports;
    struct sb_explain *explain;
    struct sb_plan *plan;
    struct sb_gate *gate;
    struct sb_null_law *law;
    struct sb_zoo *zoo;
};

/*
 * A lesson that is being written. After an error, the functions below do nothing, and those that return a
 * pointer return NULL.
 */
struct sb_lesson {
    const struct sb_lesson_type *type; /* NULL on pages that are not a lesson */
    struct sb_html html;
    const struct sb_options *options; /* threads and stop */
    struct sb_error *error;
    enum sb_status status; /* the first error */
    size_t found_count;
    struct sb_lesson_found found[SB_LESSON_FOUND_MOST]; /* [found_count]; the results so far; owned */
};

struct sb_lesson_type {
    const char *file;    /* "three-cards.html" */
    const char *title;   /* heading of the lesson */
    const char *summary; /* a summary in one line, for the index */
    const char *sources; /* sources of the lesson's argument */
    /* Writes the page between the heading and the commands to try. */
    void (*write)(struct sb_lesson *lesson);
    /* Computes the question, the task and their answers. `question` is empty before. */
    void (*ask)(struct sb_lesson *lesson, struct sb_lesson_question *question);
    struct sb_lesson_plan plan;
    struct sb_lesson_try tries[SB_LESSON_TRIES_MOST + 1];
};

/* A page of the course that is not a lesson. */
struct sb_lesson_page {
    const char *file, *title;
    const char *summary; /* a summary in one line, for the index */
    /* Writes the page below its heading. */
    void (*write)(struct sb_lesson *lesson);
};

extern const struct sb_lesson_page sb_lesson_teacher, sb_lesson_worksheet;
extern const struct sb_lesson_type *const sb_lesson_types[];
extern const size_t sb_lesson_types_count;

/* ---- found.c: results, which live as long as the lesson; NULL after an error ---- */

/* Computes the exact law of a scheme. */
const struct sb_report *sb_lesson_law(struct sb_lesson *lesson, const char *scheme, size_t n);
/* Finds the decks from the first `count` seeds of the scheme's generator. */
const struct sb_report *sb_lesson_seeds(struct sb_lesson *lesson, const char *scheme, size_t n,
                                        uint64_t count);
const struct sb_explain *sb_lesson_explain(struct sb_lesson *lesson, const char *scheme, size_t n);
/* Like sb_lesson_explain(); also walks the path "0,2,1" step by step. */
const struct sb_explain *sb_lesson_path(struct sb_lesson *lesson, const char *scheme, size_t n,
                                        const char *path);
/* Makes the plan for a scheme. If `samples` is not 0, the plan has the power of that many shuffles. */
const struct sb_plan *sb_lesson_plan(struct sb_lesson *lesson, const char *scheme, size_t n,
                                     uint64_t samples);
/* Runs the gate with its default options and seed 1. */
const struct sb_gate *sb_lesson_gate(struct sb_lesson *lesson, const char *scheme, size_t n);
/* Computes the law of a statistic under a fair shuffle. */
const struct sb_null_law *sb_lesson_null_law(struct sb_lesson *lesson, const char *statistic, size_t n);
const struct sb_zoo *sb_lesson_zoo(struct sb_lesson *lesson, size_t n);

/* Frees all results; new ones may follow. */
void sb_lesson_close(struct sb_lesson *lesson);

/* ---- write.c: the parts of a page ---- */

void sb_lesson_section(struct sb_lesson *lesson, const char *title);
/* Writes a paragraph; text between two backquotes is code. */
__attribute__((format(printf, 2, 3))) void sb_lesson_say(struct sb_lesson *lesson, const char *format, ...);
/* Writes lines of code. */
void sb_lesson_code(struct sb_lesson *lesson, const char *text);
/* Writes figures, side by side if there is room. Each figure has the name of its subject as a heading. */
void sb_lesson_figures(struct sb_lesson *lesson, const struct sb_lesson_figure figures[], size_t count);
/* Writes the figures of each n. The page shows those of one n, and the reader can choose another n. */
void sb_lesson_slide(struct sb_lesson *lesson, const struct sb_lesson_slide *slide);
/* walk.c: shows the path "0,2,1" of a shuffle of at most SB_LESSON_WALK_MOST cards step by step. */
void sb_lesson_walk(struct sb_lesson *lesson, const char *scheme, size_t n, const char *path);
/* chart.c: draws a curve of at least two points, with a table of its data. */
void sb_lesson_curve(struct sb_lesson *lesson, const struct sb_lesson_curve *curve);
/* Begins a table. `columns` has a letter per column (report/table.h), and `titles` has a title per column. */
void sb_lesson_table_open(const char *columns, const char *const titles[], struct sb_table *table);
/* Writes the table to the page and closes the table. */
void sb_lesson_table(struct sb_lesson *lesson, struct sb_table *table);

/* ---- question.c: the question of each lesson ---- */

/* Writes a text of a question. */
__attribute__((format(printf, 2, 3))) void sb_lesson_set(char text[SB_LESSON_TEXT], const char *format, ...);
/* Adds an option; `why` is a format. */
__attribute__((format(printf, 4, 5))) void sb_lesson_option(struct sb_lesson_question *question, bool right,
                                                            const char *text, const char *why, ...);
/* Writes the question of this lesson. */
void sb_lesson_ask(struct sb_lesson *lesson);

/* ---- course.c: whole pages ---- */

/* The title of the index. */
extern const char sb_lesson_course[];

/* The pages that follow the lessons: the teacher's notes, then the worksheet. NULL beyond the last. */
const struct sb_lesson_page *sb_lesson_page_get(size_t index);

/* Writes a page: page 0 is the index, page 1 is the first lesson, and other pages follow the lessons. Errors:
 * SB_IO, and the errors of all functions that a lesson calls. */
enum sb_status sb_lesson_write(size_t page, const struct sb_options *options, struct sb_error *error,
                               FILE *stream);

/* Copies page `index`: page 0 is "index.html", then the lessons follow, then the other pages. */
bool sb_course_page_get(size_t index, struct sb_course_page *page);

enum sb_status sb_course_write(size_t index, const struct sb_options *options, struct sb_error *error,
                               FILE *stream);
enum sb_status sb_course_text(size_t index, const struct sb_options *options, struct sb_error *error,
                              char **text, size_t *length);

#endif
