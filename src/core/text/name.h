/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names as people type them: numbers, and the nearest known name to one that is not known. */
#ifndef SB_CORE_TEXT_NAME_H
#define SB_CORE_TEXT_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads the whole of `text` as decimal digits. */
bool sb_name_number(const char *text, uint64_t *number);

/* Edit distance (Levenshtein) of two names, the least number of letters to insert, delete or replace. O(|a|
 * |b|). */
size_t sb_name_distance(const char *a, const char *b);

/* The nearest names to `name` seen so far: offered one by one, kept in order of distance. */
struct sb_name_nearest {
    const char *name;       /* looked for */
    const char *nearest[3]; /* NULL where there are fewer */
    size_t distance[3];
};

void sb_name_offer(struct sb_name_nearest *nearest, const char *known);

/* "; did you mean a, b or c?", or "" where nothing is near. Writes at most `room` bytes; returns `text`. */
char *sb_name_suggest(const struct sb_name_nearest *nearest, char text[], size_t room);

#endif
