/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why shuffles are biased: explanations, a comparison of biased shuffles (the zoo), and a course of lessons.
 */
#ifndef SHUFFLEBIAS_TEACHING_H
#define SHUFFLEBIAS_TEACHING_H

#include "shufflebias/basics.h"
#include "shufflebias/reports.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- explanations: docs/explain.md ---- */

/*
 * A shuffle explained: its steps, its tree of draws, the orders at the leaves, and why it is fair or biased.
 * Opaque and immutable.
 */
struct sb_explain;

/*
 * Explains a scheme. If `path` is not NULL, the explanation walks one path of the tree step by step: `path`
 * is either a list of the draws' answers, separated by commas, such as "0,2,1"; or "first", which stands for
 * the first path. The explanation shows the tree if the tree has at most 4096 paths. The explanation shows
 * the orders if there are at most 40320 orders and the exact law takes only seconds. The call uses only these
 * options: n, deal, draw, rng, threads, stop and progress. The caller frees *explain with sb_explain_free(). Errors:
 * SB_INVALID, also for a wrong path; SB_TOO_LARGE, SB_NO_MEMORY, SB_STOPPED. Example: teach.c.
 */
SB_API enum sb_status sb_explain_new(const char *scheme, const char *path, const struct sb_request *options,
                                     struct sb_error *error, struct sb_explain **explain);

/* Frees the explanation; NULL is allowed. Example: teach.c. */
SB_API void sb_explain_free(struct sb_explain *explain);

/*
 * Writes the explanation as "text", "markdown", "json", "html" or "svg". Otherwise the function is like
 * sb_reports_write(). Example: teach.c.
 */
SB_API enum sb_status sb_explain_write(const struct sb_explain *explain, const char *format,
                                       const struct sb_look *look, struct sb_error *error, FILE *stream);

/*
 * Writes the explanation to memory in a format of sb_explain_write(). Otherwise the function is like
 * sb_reports_text(). Example: text_in_memory.c.
 */
SB_API enum sb_status sb_explain_text(const struct sb_explain *explain, const char *format,
                                      const struct sb_look *look, struct sb_error *error, char **text,
                                      size_t *length);

/* ---- the zoo: docs/zoo.md ---- */

/* What the zoo compares. Fill the struct with sb_zoo_options_init() and change what you need. */
struct sb_request {
    size_t n;    /* number of items, 2..1000; default 8 */
    size_t deal; /* number of cards dealt, 1..n; 0, the default, means all */
    /*
     * The largest number of permutations per run. 0, the default, means 20,000 for the statistics and 1000
     * for a `test`.
     */
    uint64_t samples;
    unsigned seeds; /* number of runs of each shuffle, each from another seed, 1..1000; default 3 */
    /* the largest number of threads, 1..1024; 0, the default, means one per processor. The number does not
     * affect the results. */
    unsigned threads;
    double alpha; /* the level of each statistic, in [1e-100, 1); default 1e-6 */
    /*
     * A shell command that replaces the statistics, or NULL. The command reads permutations, one per line,
     * from its standard input. The command exits with status 0 if it finds no bias, and with another status below
     * 126, such as 1, if it finds a bias.
     */
    const char *test;
    const volatile sig_atomic_t *stop; /* nonzero ends the work early without a result; may be NULL */
    volatile sig_atomic_t *group;      /* process group of the test, as in struct sb_request; may be NULL */
    sb_progress *progress;             /* may be NULL */
    void *progress_state;              /* passed to progress */
};

/* Sets every field to its default. Example: teach.c. */
SB_API void sb_zoo_options_init(struct sb_request *options);

/* Which test detects which bias, and after how many permutations. Opaque and immutable. */
struct sb_zoo;

/*
 * Runs all statistics, or your own test, on all biased shuffles and on a shuffle whose generator has a short
 * seed. The caller frees *zoo with sb_zoo_free(). Errors: SB_INVALID; SB_SUBJECT if the test did not run;
 * SB_TOO_LARGE, SB_NO_MEMORY, SB_IO, SB_STOPPED. Example: teach.c.
 */
SB_API enum sb_status sb_zoo_new(const struct sb_request *options, struct sb_error *error,
                                 struct sb_zoo **zoo);

/* Frees the zoo; NULL is allowed. Example: teach.c. */
SB_API void sb_zoo_free(struct sb_zoo *zoo);

/*
 * Writes the zoo as "text", "markdown", "json", "csv", "html" or "svg". Otherwise the function is like
 * sb_reports_write(). Example: teach.c.
 */
SB_API enum sb_status sb_zoo_write(const struct sb_zoo *zoo, const char *format, const struct sb_look *look,
                                   struct sb_error *error, FILE *stream);

/*
 * Writes the zoo to memory in a format of sb_zoo_write(). Otherwise the function is like
 * sb_reports_text(). Example: text_in_memory.c.
 */
SB_API enum sb_status sb_zoo_text(const struct sb_zoo *zoo, const char *format, const struct sb_look *look,
                                  struct sb_error *error, char **text, size_t *length);

/* ---- lessons: docs/lesson.md ---- */

/* A page of a short course on biased shuffles: the index, the lessons, and the pages for teachers. The
 * strings are static. */
struct sb_course_page {
    const char *file;    /* name of the file, to which other pages link: "three-cards.html" */
    const char *title;   /* title of the window */
    const char *summary; /* one line; NULL if the page is not a lesson */
};

/*
 * Copies page `index`: page 0 is "index.html", then the lessons follow, then the other pages. Beyond the last
 * page the function returns false and leaves *page unchanged. Example: teach.c.
 */
SB_API bool sb_course_page_get(size_t index, struct sb_course_page *page);

/*
 * Writes page `index` as HTML. The function computes all numbers again, within seconds. Every call in the
 * same version of the library writes the same page. The call uses only these options: threads and stop;
 * `options` may be NULL. Errors: SB_INVALID beyond the last page; SB_IO, SB_NO_MEMORY, SB_STOPPED. Example:
 * teach.c.
 */
SB_API enum sb_status sb_course_write(size_t index, const struct sb_request *options, struct sb_error *error,
                                      FILE *stream);

/* Writes page `index` to memory; otherwise like sb_course_write() and sb_reports_text(). Example: text_in_memory.c. */
SB_API enum sb_status sb_course_text(size_t index, const struct sb_request *options, struct sb_error *error,
                                     char **text, size_t *length);

#ifdef __cplusplus
}
#endif

#endif
