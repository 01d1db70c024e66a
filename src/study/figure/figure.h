/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures, and the results that they show. */
#ifndef SB_STUDY_FIGURE_FIGURE_H
#define SB_STUDY_FIGURE_FIGURE_H

#include "study/report/report_result.h"

/* What a figure shows: a scheme's reports or, if `gate` is not NULL, the gate's subject, whose evidence is then the
 * sampled report of the pair. All pointers are borrowed. */
struct sb_scene {
    struct sb_pair pair;
    const struct sb_gate *gate;
    size_t side; /* the most rows and columns of blocks in a matrix */
    bool brief;  /* whether the figure stands beside others: small, without a legend, on the scale of all */
    bool common; /* whether the matrix has the colours of sb_figure_matrix_key(), and no legend of its own */
    double axis; /* the least deviation at the end of an axis: that of all figures side by side */
};

/* The kinds of results that figures can show. */
enum { SB_FIGURE_OF_REPORTS = 1, SB_FIGURE_OF_GATES = 2 };

/* A figure. Each figure has a source file of its own, whose last lines define a constant of this type. */
struct sb_figure_type {
    const char *name;
    unsigned of; /* the kinds of results that the figure can show */
    bool single; /* whether the figure must stand alone, not side by side with others */
    bool (*has)(const struct sb_scene *scene);
    void (*measure)(const struct sb_scene *scene, double *width, double *height);
    /* returns the deviation at the end of the axis that the scene needs; NULL: side by side they have no common axis */
    double (*axis)(const struct sb_scene *scene);
    /* draws the elements inside <svg> */
    void (*draw)(const struct sb_scene *scene, struct sb_svg *svg);
    /* `title` says what the figure shows, in a few words. describe() writes how to read the figure. */
    const char *title;
    void (*describe)(const struct sb_scene *scene, struct sb_sentence *s);
    const char *hint; /* what a reader of a page can do with the figure; NULL: nothing in particular */
    /* Writes the numbers in the figure as a table of an HTML page. */
    void (*data)(const struct sb_scene *scene, struct sb_html *html);
};

/* All figures, in the order of src/study/figure/meson.build, which is also the order on a page. */
extern const struct sb_figure_type *const sb_figure_types[];
extern const size_t sb_figure_types_count;

/* The figures to which other code refers. */
extern const struct sb_figure_type sb_figure_bars, sb_figure_tree;

/* Return the name of figure `index` of reports, and of a gate's result; NULL after the last. Methods of the results. */
const char *sb_reports_figure(size_t index);
const char *sb_suite_figure(size_t index);

/* Returns the figure with this name or, if `name` is NULL, the one that suits the scene best; NULL if there is no
 * such figure, or nothing to draw. */
const struct sb_figure_type *sb_figure_find(const char *name, const struct sb_scene *scene);

/* Returns the deviation at the end of the axis that this figure needs; 0 if it has no axis in common with others. */
double sb_figure_axis_needed(const char *name, const struct sb_scene *scene);

/* Whether the scene shows a sample of a shuffle that was shown to be biased. Its figures then colour every
 * deviation that was observed, and hatch those that are not certain by themselves. */
bool sb_scene_observed(const struct sb_scene *scene, const struct sb_report *report);
/* The same, for figures of the positions of items: the positions must contribute to a gate's evidence. If other
 * statistics alone show the bias, the colours would only show chance. */
bool sb_scene_observed_positions(const struct sb_scene *scene, const struct sb_report *report);

/* Write a document with one figure for each subject of a gate, or for each scheme of reports, side by side.
 * `figure` is as in sb_figure_find(). Methods of the results. */
enum sb_status sb_suite_svg(const void *result, const char *figure, FILE *stream);
enum sb_status sb_reports_svg(const void *result, const char *figure, FILE *stream);

/* Returns the gate's evidence as a report, for the figures of reports, which borrows all memory from the gate. */
struct sb_report sb_gate_report(const struct sb_gate *gate);

/* A horizontal axis of deviations from the fair share. */
struct sb_deviation_axis {
    double left, right, fair; /* x coordinates of the ends and of the fair share */
    double under, over;       /* deviations at the ends: 0.5 is 50% */
};

/* Writes the numbers at the axis. */
void sb_figure_axis(const struct sb_deviation_axis *axis, double y, struct sb_svg *svg);

/* The matrix in blocks. */
struct sb_matrix_blocks {
    const struct sb_report *report;
    size_t rows, columns;
};

struct sb_matrix_share {
    double share, fair;
};

struct sb_matrix_block {
    /* first row, number of rows, first position, number of positions; a row is an item, or a kind of equal items */
    size_t item, items, position, positions;
    size_t copies;                      /* number of items of these rows */
    struct sb_matrix_share mean;        /* of the cells in the block */
    struct sb_matrix_share least, most; /* the cells with the extreme ratios to their fair shares */
    struct sb_matrix_share shown;       /* what stands for the block: a cell far from fair, or the mean */
    bool beyond;                        /* whether the interval of `shown` excludes the fair share */
};

/* Returns the matrix in at most this many rows and columns of blocks. */
struct sb_matrix_blocks sb_matrix_blocks_of(const struct sb_report *report, size_t rows, size_t columns);
/* Return the first row of the evidence in row b of blocks, and the first position in column b. */
size_t sb_matrix_blocks_row(const struct sb_matrix_blocks *blocks, size_t b);
size_t sb_matrix_blocks_position(const struct sb_matrix_blocks *blocks, size_t b);
struct sb_matrix_block sb_matrix_blocks_get(const struct sb_matrix_blocks *blocks, size_t row, size_t column);
bool sb_matrix_blocks_merged(const struct sb_matrix_blocks *blocks);

/* Returns the deviation from fair: 0.5 for half as much again as the fair share. */
double sb_matrix_share_off(const struct sb_matrix_share *share);
/* Returns the end of an axis on which the deviations that all blocks show find room. */
double sb_matrix_blocks_scale(const struct sb_matrix_blocks *blocks);

/* Writes the legend of the colours that all matrices share if their scenes are `brief` or `common`. */
void sb_figure_matrix_key(FILE *stream);

/* Writes what small figures side by side have in common, and the legend of their colours. */
void sb_figure_many_key(struct sb_html *html);

/* Writes one figure, which must have something to draw, with a table of its data. */
void sb_html_figure(const struct sb_figure_type *figure, const struct sb_scene *scene, struct sb_html *html);

/* Writes all figures that have something to draw. */
void sb_html_figures(const struct sb_scene *scene, struct sb_html *html);

#endif
