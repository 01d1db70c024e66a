/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elements of SVG, written straight to a stream. */
#ifndef SB_REPORT_SVG_WRITER_H
#define SB_REPORT_SVG_WRITER_H

#include <stdio.h>

/* Where figures go. Their colours are classes, whose meaning stands in html/figure.css. */
struct sb_svg {
    FILE *stream;
    unsigned id; /* of the last figure: no two elements of a page have the same */
};

/* Elements. A class is a word, or several with blanks between. */
void sb_svg_line(struct sb_svg *svg, const char *class, double x1, double y1, double x2, double y2);
/* Left open, for a title within: sb_svg_end() follows. */
void sb_svg_rect(struct sb_svg *svg, const char *class, double x, double y, double width, double height);
void sb_svg_end(struct sb_svg *svg, const char *element);
/* `class` says where x is: "start", "middle" or "end" of the text. */
__attribute__((format(printf, 5, 6))) void sb_svg_text(struct sb_svg *svg, const char *class, double x,
                                                       double y, const char *format, ...);

#endif
