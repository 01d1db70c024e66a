/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures: what there is to draw, and what of. */
#ifndef SB_STUDY_FIGURE_FIGURE_H
#define SB_STUDY_FIGURE_FIGURE_H

#include "gate/findings.h"
#include "report/html/html.h"
#include "report/svg_writer.h"
#include "study/report/page/pair.h"

/* What a figure is about: a scheme's reports or, where `gate` is not NULL, a subject on trial, whose evidence
 * is the sampled report of the pair. Borrowed. */
struct sb_scene {
    struct sb_pair pair;
    const struct sb_gate *gate;
    size_t side; /* a matrix has at most so many blocks each way */
    bool brief;  /* one of many side by side: small, on a scale that all share, without what is said once for
                    all */
};

struct sb_figure {
    const char *name;
    bool single; /* it has no place among small multiples */
    /* Whether there is anything to draw. */
    bool (*has)(const struct sb_scene *scene);
    void (*measure)(const struct sb_scene *scene, double *width, double *height);
    /* Its elements, inside the <svg> that sb_figure_write() opens. */
    void (*draw)(const struct sb_scene *scene, struct sb_svg *svg);
    /* What it shows, in a few words, and how it is read. */
    const char *title;
    void (*describe)(const struct sb_scene *scene, FILE *stream);
};

extern const struct sb_figure sb_figure_bars, sb_figure_curve, sb_figure_matrix, sb_figure_tree;

/* All of them, in the order of a page; NULL behind the last. */
extern const struct sb_figure *const sb_figures[];

/* The figure of that name; NULL: the one that suits. NULL where there is none, or nothing to draw. */
const struct sb_figure *sb_figure_find(const char *name, const struct sb_scene *scene);

/* What is on trial. */
const char *sb_scene_name(const struct sb_scene *scene);

/* One figure as an element <svg> with a title and a description, its upper left corner at x, y. */
void sb_figure_write(const struct sb_figure *figure, const struct sb_scene *scene, double x, double y,
                     struct sb_svg *svg);

/* The gate's figures on its subjects, or those of reports, side by side in one document; `figure` as in
 * sb_figure_find(). Methods of sb_suite_result and sb_reports_result. */
void sb_suite_svg(const void *result, const char *figure, FILE *stream);
void sb_reports_svg(const void *result, const char *figure, FILE *stream);

/* The gate's evidence as a report, for the figures of reports. It borrows all it has. */
struct sb_report sb_gate_report(const struct sb_gate *gate);

/* One figure, of which there is something to draw, with a table of its data. */
void sb_html_figure(const struct sb_figure *figure, const struct sb_scene *scene, struct sb_html *html);

/* All the figures there are of it. */
void sb_html_figures(const struct sb_scene *scene, struct sb_html *html);

#endif
