/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures in SVG: how they are written, and what there is to draw. */
#ifndef SB_REPORT_SVG_H
#define SB_REPORT_SVG_H

#include "core/gate.h"
#include "report/pair.h"

/* Where figures go. Their colours are classes, whose meaning stands in html/figure.css. */
struct sb_svg {
    FILE *stream;
    unsigned id; /* of the last figure: no two elements of a page have the same */
};

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
    /* Between sb_svg_open() and sb_svg_close(). */
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

/* The gate's figures on its subjects, side by side in one document; `figure` as in sb_figure_find(). SB_IO.
 */
enum sb_status sb_suite_svg(const struct sb_suite *suite, const char *figure, FILE *stream);

/* The gate's evidence as a report, for the figures of reports. It borrows all it has. */
struct sb_report sb_gate_report(const struct sb_gate *gate);

/* Elements. A class is a word, or several with blanks between. */
void sb_svg_line(struct sb_svg *svg, const char *class, double x1, double y1, double x2, double y2);
/* Left open, for a title within: sb_svg_end() follows. */
void sb_svg_rect(struct sb_svg *svg, const char *class, double x, double y, double width, double height);
void sb_svg_end(struct sb_svg *svg, const char *element);
/* `class` says where x is: "start", "middle" or "end" of the text. */
__attribute__((format(printf, 5, 6))) void sb_svg_text(struct sb_svg *svg, const char *class, double x,
                                                       double y, const char *format, ...);

#endif
