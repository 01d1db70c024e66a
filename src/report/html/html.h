/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages for browsers: the parts that all pages share. */
#ifndef SB_REPORT_HTML_HTML_H
#define SB_REPORT_HTML_HTML_H

#include "report/page.h"
#include "report/svg_writer.h"

struct sb_html {
    FILE *stream;
    struct sb_page page; /* writes paragraphs and tables to the same stream */
    struct sb_svg svg;   /* writes figures to the same stream */
    size_t side;         /* the most rows and columns of blocks in a matrix */
    size_t paths;        /* number of further paths, in trees of draws, that fit on the page */
    bool brief;          /* whether the page has a single legend, instead of one below each figure */
};

/* Writes the document up to its first heading; `title` is the title of the window. */
void sb_html_open(const char *title, FILE *stream, struct sb_html *html);

/* Like sb_html_open(), for pages that have additional styles of html/asset.h; NULL ends the list. */
void sb_html_open_styled(const char *title, const char *const styles[], FILE *stream, struct sb_html *html);

/* Writes a command line in a box of its own. Lines break only between its words. */
void sb_html_command(const char *command, FILE *stream);

/* Writes the rest of the document. */
void sb_html_close(struct sb_html *html);

#endif
