/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lessons: the pages of a small course. Their text is data/lessons: Markdown with marks (report/template.h). A mark may
 * also name a command of shufflebias and a member of its JSON, so that no number is typed.
 */
#ifndef SB_LESSON_LESSON_H
#define SB_LESSON_LESSON_H

#include "report/template.h"
#include "study/call.h"

enum { SB_LESSON_RESULTS_MOST = 96, SB_LESSON_COMMAND_ROOM = 128 };

/* The result of a command. */
struct sb_lesson_result {
    char command[SB_LESSON_COMMAND_ROOM]; /* "report naive -n 3" */
    struct sb_result *result;             /* NULL for a list; owned */
    json_t *json;                         /* what the command says to programs; NULL until a mark asks for it; owned */
};

/* A page that is being written. After an error, the functions below do nothing. */
struct sb_lesson {
    struct sb_template template; /* must be the first member, because its methods get a pointer to this member */
    struct sb_html html;
    const struct sb_request *options; /* threads and stop */
    size_t results_count;
    struct sb_lesson_result result[SB_LESSON_RESULTS_MOST]; /* [results_count] */
};

/* ---- result.c ---- */

/* Returns the result of a command such as "report naive -n 3", which runs once for each page; NULL after an error. */
struct sb_lesson_result *sb_lesson_run(struct sb_lesson *lesson, const char *command);
/* Returns the JSON of this result, or of its only report or gate; for "list PREFIX", the names of the shuffles that
 * begin like this and take no parameter. NULL after an error. */
json_t *sb_lesson_json(struct sb_template *template, const char *command);
void sb_lesson_results_free(struct sb_lesson *lesson);

/* ---- figures.c ---- */

/* Writes a block of code with a name: "command" or "figures". */
void sb_lesson_block(struct sb_template *template, const char *name, char *block);

/* Returns a part of page `index`, such as "file" or "title"; NULL if there is none. Page 0 is the index, then the
 * lessons follow, each with a "question", and then the other pages. */
const char *sb_course_part(size_t index, const char *name);

enum sb_status sb_course_write(size_t index, const struct sb_request *options, struct sb_error *error, FILE *stream);

#endif
