/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pages whose text is data: data/pages of commands, and data/lessons. The text is Markdown with marks, where values
 * stand (template.c), which are expressions (expression.c). template.c fills the marks, and markdown.c writes the text
 * to a page.
 */
#ifndef SB_REPORT_TEMPLATE_H
#define SB_REPORT_TEMPLATE_H

#include "report/page.h"
#include "report/result.h"

#include <jansson.h>

enum { SB_TEMPLATE_NUMBER_ROOM = 32 };

/* A part of a page's text: "@title Three cards". Meson generates the list. */
struct sb_template_part {
    const char *page; /* "three-cards" */
    const char *name; /* "title" */
    const char *text; /* without a newline at its end */
};

extern const struct sb_template_part sb_template_parts[];
extern const size_t sb_template_parts_count;

/* A text that is being written. After an error, the functions below do nothing. */
struct sb_template {
    struct sb_page *page;
    struct sb_error *error; /* may be NULL */
    enum sb_status status;  /* the first error */
    json_t *names;          /* an object: the values that marks know by a name; owned */
    json_t *kept;           /* an array: values without a name; owned */
    /* what a text may have beside: the JSON of a command, and blocks of code with a name, whose lines end in "\n";
     * NULL: it has none */
    json_t *(*command)(struct sb_template *template, const char *command);
    void (*block)(struct sb_template *template, const char *name, char *block);
};

/* Returns a part of a page's text; NULL if there is none. */
const char *sb_template_part(const char *page, const char *name);

/* Writes data/pages/NAME.md, whose marks know the members of the result's JSON, and what `more` adds, which may be
 * NULL. An error sets the status of the page. */
void sb_template_page(const char *name, const struct sb_result_type *type, const void *result,
                      bool (*more)(const void *result, const struct sb_page *page, json_t *names),
                      struct sb_page *page);

/* Adds a part of a page's text, whose marks know the values. Takes over a reference; NULL means that memory ran out. */
void sb_sentence_fill(struct sb_sentence *s, const char *page, const char *part, json_t *values);

/* Fails because a text has an error here. */
void sb_template_fault(struct sb_template *template, const char *at);

/* ---- expression.c ---- */

/* Reads an expression and moves *at behind the expression. */
json_t *sb_template_read(struct sb_template *template, const char **at);
/* Reads an identifier; moves *at in the same way. */
void sb_template_word(const char **at, char word[SB_TEMPLATE_NUMBER_ROOM]);
double sb_template_number(json_t *value);
/* Returns the value as text, which may stand in `room`. */
const char *sb_template_text(json_t *value, char room[SB_TEMPLATE_NUMBER_ROOM]);
/* Gives a value a name. Takes over a reference; NULL means that memory ran out. */
void sb_template_name(struct sb_template *template, const char *name, json_t *value);

/* ---- template.c and markdown.c ---- */

/* Returns the text with its marks filled, which the caller frees; NULL after an error. */
char *sb_template_fill(struct sb_template *template, const char *text);
/* Writes a text without marks to the page; destroys the text. */
void sb_template_markdown(struct sb_template *template, char *text);

#endif
