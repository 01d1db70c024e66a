/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures, and the results that they show. */
#ifndef SB_STUDY_FIGURE_FIGURE_H
#define SB_STUDY_FIGURE_FIGURE_H

#include "gate/findings.h"
#include "report/html/html.h"
#include "report/svg_writer.h"
#include "study/report/page/pair.h"

/* The subject of a figure: a scheme's reports or, if `gate` is not NULL, the gate's subject, whose
 * evidence is the sampled report of the pair. Borrowed. */
struct sb_scene {
    struct sb_pair pair;
    const struct sb_gate *gate;
    size_t side; /* the most blocks of a matrix in each direction */
    bool brief;  /* one of many figures side by side: small, on a common scale, without the common
                    legend */
};

/* The results that can hold a figure. */
enum { SB_FIGURE_OF_REPORTS = 1, SB_FIGURE_OF_GATES = 2 };

/* A figure: one file, which ends in a const descriptor. */
struct sb_figure_type {
    const char *name;
    unsigned of; /* the results that can hold it */
    bool single; /* cannot be one of many figures side by side */
    /* Whether the figure has anything to draw for this scene. */
    bool (*has)(const struct sb_scene *scene);
    void (*measure)(const struct sb_scene *scene, double *width, double *height);
    /* Draws its elements, inside the <svg> that sb_figure_write() opens. */
    void (*draw)(const struct sb_scene *scene, struct sb_svg *svg);
    /* What the figure shows, in a few words, and how to read it. */
    const char *title;
    void (*describe)(const struct sb_scene *scene, FILE *stream);
    /* Writes the numbers of the figure as a table of an HTML page. */
    void (*data)(const struct sb_scene *scene, struct sb_html *html);
};

/* All figures in the order of src/study/figure/meson.build, which is also the order on a page; and their
 * number. */
extern const struct sb_figure_type *const sb_figure_types[];
extern const size_t sb_figure_types_count;

/* The figures that other code names. */
extern const struct sb_figure_type sb_figure_bars, sb_figure_tree;

/* The names of the figures of a report and of a gate's result, in the order of every list; NULL after the
 * last. Methods of sb_reports_result and sb_suite_result. */
const char *sb_reports_figure(size_t index);
const char *sb_suite_figure(size_t index);

/* The figure of this name, or the best suited one for NULL. Returns NULL if there is none, or nothing to
 * draw. */
const struct sb_figure_type *sb_figure_find(const char *name, const struct sb_scene *scene);

/* The name of the subject. */
const char *sb_scene_name(const struct sb_scene *scene);

/* Writes one figure as an element <svg> with a title and a description; x, y is its upper left corner. */
void sb_figure_write(const struct sb_figure_type *figure, const struct sb_scene *scene, double x, double y,
                     struct sb_svg *svg);

/* The gate's figures on its subjects, or those of reports, side by side in one document; `figure` as in
 * sb_figure_find(). Methods of sb_suite_result and sb_reports_result. */
void sb_suite_svg(const void *result, const char *figure, FILE *stream);
void sb_reports_svg(const void *result, const char *figure, FILE *stream);

/* The gate's evidence as a report, for the figures of reports. All its memory is borrowed. */
struct sb_report sb_gate_report(const struct sb_gate *gate);

/* The frame of a table of data: the start of its row of titles, and what follows its last row. */
void sb_figure_data_open(const char *figure, struct sb_html *html);
void sb_figure_data_close(struct sb_html *html);

/* The data of the figure `matrix`. */
void sb_figure_matrix_data(const struct sb_scene *scene, struct sb_html *html);

/* One figure that has something to draw, with a table of its data. */
void sb_html_figure(const struct sb_figure_type *figure, const struct sb_scene *scene, struct sb_html *html);

/* All figures that have something to draw. */
void sb_html_figures(const struct sb_scene *scene, struct sb_html *html);

#endif
