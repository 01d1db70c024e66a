/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A page for people, with titles, paragraphs and tables, as text for terminals, as Markdown or as HTML. The
 * caller passes plain UTF-8. The functions convert the text to ASCII, escape characters and break lines as
 * needed.
 */
#ifndef SB_REPORT_PAGE_H
#define SB_REPORT_PAGE_H

#include "core/calls.h"

/* columns of text: by default, and the least and the most that a terminal has */
enum { SB_PAGE_WIDTH = 100, SB_PAGE_LEAST = 40, SB_PAGE_MOST = 120 };

/* The meaning of a piece of text, shown as a colour if colours are on. */
enum sb_ink {
    SB_INK_PLAIN,
    SB_INK_STRONG,
    SB_INK_FAINT,
    SB_INK_OVER,  /* more frequent than in a fair shuffle */
    SB_INK_UNDER, /* less frequent than in a fair shuffle */
    SB_INK_GOOD,
    SB_INK_BAD,
    SB_INK_DOUBT,
};

struct sb_page {
    FILE *stream;
    bool markdown, html; /* at most one is true; if both are false, the page is plain text */
    struct sb_look look;
    bool begun;         /* whether the page already has content */
    bool tight;         /* whether plain text has no empty lines between elements */
    const char *anchor; /* the prefix of the next heading's id; NULL: the heading has no id */
    size_t anchor_number;
    unsigned explained;    /* in HTML, the terms of the glossary that the page has explained so far */
    enum sb_status status; /* SB_NO_MEMORY after a failure; later calls do not reset the status */
};

/* Gives the next heading the id PREFIX-NUMBER in HTML, to which cells of tables can link (sb_table_link()). Other
 * formats have no ids. `prefix` must outlive the next call of sb_page_title(). */
void sb_page_anchor(struct sb_page *page, const char *prefix, size_t number);

/* Returns the columns that sentences may fill: those of the terminal, or SB_PAGE_WIDTH if look.columns is 0. */
size_t sb_page_width(const struct sb_page *page);

/* Adds a heading of level 1 or 2. */
__attribute__((format(printf, 3, 4))) void sb_page_title(struct sb_page *page, unsigned level,
                                                         const char *format, ...);

/* Adds a paragraph. If `label` is not NULL, the paragraph begins with the label in `ink`. */
__attribute__((format(printf, 4, 5))) void sb_page_paragraph(struct sb_page *page, enum sb_ink ink,
                                                             const char *label, const char *format, ...);

/* These functions are for elements that other files lay out. sb_page_begin() writes the empty line before an
 * element, sb_page_ink() and sb_page_ink_off() switch a colour on and off, and sb_page_escape() writes
 * escaped text. */
void sb_page_begin(struct sb_page *page);
void sb_page_ink(const struct sb_page *page, enum sb_ink ink);
void sb_page_ink_off(const struct sb_page *page, enum sb_ink ink);
/* Returns the class of the ink in HTML, or "" if the ink has no class. The string is static. */
const char *sb_page_class(enum sb_ink ink);
void sb_page_escape(const struct sb_page *page, const char *text);

/* sb_page_code_begin() and sb_page_code_end() enclose preformatted lines, which are code in Markdown and
 * <pre> in HTML. Between the two calls the caller writes lines that end in "\n" to page->stream; text that
 * HTML may have to escape goes through sb_page_code(). */
void sb_page_code_begin(struct sb_page *page);
void sb_page_code(const struct sb_page *page, const char *text);
void sb_page_code_end(const struct sb_page *page);

#endif
