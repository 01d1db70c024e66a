/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages for browsers: what those of reports and of the gate share. */
#ifndef SB_REPORT_HTML_HTML_H
#define SB_REPORT_HTML_HTML_H

#include "report/page.h"
#include "report/svg_writer.h"

struct sb_html {
    FILE *stream;
    struct sb_page page; /* of the same stream: paragraphs and tables */
    struct sb_svg svg;   /* likewise: figures */
    size_t side;         /* blocks of each matrix each way */
    size_t paths;        /* of trees of draws, which there still is room for */
    bool brief;          /* what figures show is said once for many, and not below each */
};

/* The document up to its first heading; `title` is for the window. */
void sb_html_open(const char *title, FILE *stream, struct sb_html *html);

/* The rest of it. */
void sb_html_close(struct sb_html *html);

#endif
