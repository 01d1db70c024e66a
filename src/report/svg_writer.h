/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that write elements of SVG to a stream, without a buffer. */
#ifndef SB_REPORT_SVG_WRITER_H
#define SB_REPORT_SVG_WRITER_H

#include "core/calls.h"

/* The output of figures. Colours are classes that html/figure.css defines. */
struct sb_svg {
    FILE *stream;
    unsigned id;           /* number of the last figure; unique on a page */
    enum sb_status status; /* SB_NO_MEMORY after a failure; later calls do not reset the status */
};

/* These functions write elements. `class` is one class, or several classes separated by blanks. */
void sb_svg_line(struct sb_svg *svg, const char *class, double x1, double y1, double x2, double y2);
void sb_svg_circle(struct sb_svg *svg, const char *class, double x, double y, double radius);
/* Writes the part of a path's data that hatches a rectangle with lines at 45 degrees, `step` apart. The caller
 * writes the element, whose class is "hatch". */
void sb_svg_hatch(struct sb_svg *svg, double x, double y, double width, double height, double step);
/* Leaves the element open, so that a title can follow; the caller ends the element with sb_svg_end(). */
void sb_svg_rect(struct sb_svg *svg, const char *class, double x, double y, double width, double height);
void sb_svg_end(struct sb_svg *svg, const char *element);
/* `class` says which point of the text is at x: "start", "middle" or "end". */
__attribute__((format(printf, 5, 6))) void sb_svg_text(struct sb_svg *svg, const char *class, double x,
                                                       double y, const char *format, ...);

#endif
