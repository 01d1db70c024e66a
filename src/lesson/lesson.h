/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lessons: the pages of a small course. Their text is data/lessons: Markdown with marks (report/template.c). A mark may
 * also name a command of shufflebias and a member of its JSON, so that no number is typed.
 */
#ifndef SB_LESSON_LESSON_H
#define SB_LESSON_LESSON_H

#include "core/core.h"

#include <jansson.h>

/* Returns a part of page `index`, such as "file" or "title"; NULL if there is none. Page 0 is the index, then the
 * lessons follow, each with a "question", and then the other pages. */
const char *sb_course_part(size_t index, const char *name);

/* Sets *json to the numbers of chance.c that `name` and the words after it ask for; returns false without memory. */
bool sb_chance(const char *name, char **words, json_t **json);

enum sb_status sb_course_write(size_t index, const struct sb_request *options, struct sb_error *error, FILE *stream);

#endif
