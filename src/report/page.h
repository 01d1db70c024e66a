/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A page for people: titles, paragraphs and tables, which the page writes as text for terminals, as
 * Markdown or as HTML. The caller passes plain UTF-8; the page folds it to ASCII, escapes it or breaks it
 * into lines as needed.
 */
#ifndef SB_REPORT_PAGE_H
#define SB_REPORT_PAGE_H

#include "shufflebias.h"

enum { SB_PAGE_WIDTH = 100 }; /* columns of text */

/* The meaning of a piece of text, shown as a colour if colours are on. */
enum sb_ink {
    SB_INK_PLAIN,
    SB_INK_STRONG,
    SB_INK_FAINT,
    SB_INK_OVER,  /* more often than fair */
    SB_INK_UNDER, /* less often than fair */
    SB_INK_GOOD,
    SB_INK_BAD,
    SB_INK_DOUBT,
};

struct sb_page {
    FILE *stream;
    bool markdown, html; /* neither more nor less often: plain text */
    struct sb_look look;
    bool begun; /* whether the page already has content */
    bool tight; /* whether elements follow each other closely: in text, no empty line separates them */
    enum sb_status status; /* the first failure, SB_NO_MEMORY; it stays set */
};

/* Adds a heading of level 1 or 2. */
__attribute__((format(printf, 3, 4))) void sb_page_title(struct sb_page *page, unsigned level,
                                                         const char *format, ...);

/* Adds a paragraph, after a label in `ink` unless `label` is NULL. */
__attribute__((format(printf, 4, 5))) void sb_page_paragraph(struct sb_page *page, enum sb_ink ink,
                                                             const char *label, const char *format, ...);

/* For elements that other files lay out: the empty line before an element; colour on and off; escaped
 * text. */
void sb_page_begin(struct sb_page *page);
void sb_page_ink(const struct sb_page *page, enum sb_ink ink);
void sb_page_ink_off(const struct sb_page *page, enum sb_ink ink);
/* The class of the ink in HTML; "" for none. Static. */
const char *sb_page_class(enum sb_ink ink);
void sb_page_escape(const struct sb_page *page, const char *text);

/* Begin and end preformatted lines: code in Markdown, <pre> in HTML. Between the two calls the caller
 * writes lines that end in "\n" to page->stream; text that HTML may have to escape goes through
 * sb_page_code(). */
void sb_page_code_begin(struct sb_page *page);
void sb_page_code(const struct sb_page *page, const char *text);
void sb_page_code_end(const struct sb_page *page);

#endif
