/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lessons: the pages of a small course. Their text is data/lessons: Markdown with marks. A mark names a command of
 * shufflebias and a member of its JSON, so that no number is typed (template.c and value.c describe the marks). A page
 * is written in three steps: template.c fills the marks, markdown.c writes the text as HTML, and figures.c draws what
 * blocks of code ask for.
 */
#ifndef SB_LESSON_LESSON_H
#define SB_LESSON_LESSON_H

#include "report/page.h"
#include "study/call.h"

#include <jansson.h>

enum { SB_LESSON_RESULTS_MOST = 96, SB_LESSON_COMMAND_ROOM = 128, SB_LESSON_NUMBER_ROOM = 32 };

/* A part of a page's text: "@title Three cards". Meson generates the list from data/lessons. */
struct sb_lesson_part {
    const char *page; /* "three-cards" */
    const char *name; /* "title" */
    const char *text; /* without a newline at its end */
};

extern const struct sb_lesson_part sb_lesson_parts[];
extern const size_t sb_lesson_parts_count;

/* The result of a command. */
struct sb_lesson_result {
    char command[SB_LESSON_COMMAND_ROOM]; /* "report naive -n 3" */
    struct sb_result *result;             /* NULL for a list; owned */
    json_t *json;                         /* what the command says to programs; NULL until a mark asks for it; owned */
};

/* A page that is being written. After an error, the functions below do nothing. */
struct sb_lesson {
    struct sb_html html;
    const struct sb_request *options; /* threads and stop */
    struct sb_error *error;
    enum sb_status status; /* the first error */
    size_t results_count;
    struct sb_lesson_result result[SB_LESSON_RESULTS_MOST]; /* [results_count] */
    json_t *names;                                          /* an object: the values that marks know by a name; owned */
    json_t *kept;                                           /* an array: values without a name; owned */
};

/* ---- result.c ---- */

/* Returns the result of a command such as "report naive -n 3", which runs once for each page; NULL after an error. */
struct sb_lesson_result *sb_lesson_run(struct sb_lesson *lesson, const char *command);
/* Returns the JSON of this result, or of its only report or gate; for "list PREFIX", the names of the shuffles that
 * begin like this and take no parameter. NULL after an error. */
json_t *sb_lesson_json(struct sb_lesson *lesson, const char *command);
void sb_lesson_results_free(struct sb_lesson *lesson);
/* Fails because a text has an error here. */
void sb_lesson_fault(struct sb_lesson *lesson, const char *at);

/* ---- value.c ---- */

/* Reads an expression and moves *at behind the expression. */
json_t *sb_lesson_read(struct sb_lesson *lesson, const char **at);
/* Reads an identifier; moves *at in the same way. */
void sb_lesson_word(const char **at, char word[SB_LESSON_NUMBER_ROOM]);
double sb_lesson_number(json_t *value);
/* Returns the value as text, which may stand in `room`. */
const char *sb_lesson_text(json_t *value, char room[SB_LESSON_NUMBER_ROOM]);
/* Gives a value a name. Takes over a reference; NULL means that memory ran out. */
void sb_lesson_name(struct sb_lesson *lesson, const char *name, json_t *value);
/* Returns a part of data/lessons/course.md. */
const char *sb_lesson_part(const struct sb_lesson *lesson, const char *name);

/* ---- template.c ---- */

/* Returns the text with its marks filled, which the caller frees; NULL after an error. */
char *sb_lesson_fill(struct sb_lesson *lesson, const char *text);

/* ---- markdown.c, and the blocks that it leaves to others ---- */

/* Writes a text without marks to the page; destroys the text. */
void sb_lesson_markdown(struct sb_lesson *lesson, char *text);
void sb_lesson_figures(struct sb_lesson *lesson, const char *block);

/* Copies page `index`: page 0 is "index.html", then the lessons follow, then the other pages. */
bool sb_course_page_get(size_t index, struct sb_course_page *page);

enum sb_status sb_course_write(size_t index, const struct sb_request *options, struct sb_error *error, FILE *stream);

#endif
