/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handles names as people type them: reads numbers, and finds the known names nearest to an unknown name. */
#ifndef SB_CORE_TEXT_NAME_H
#define SB_CORE_TEXT_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads a number below 2^64. Returns false if `text` is not such a number in decimal digits. */
bool sb_name_number(const char *text, uint64_t *number);

/* Returns the edit distance (Levenshtein) of two names: the smallest number of letters to insert, delete or
 * replace. O(|a| |b|). */
size_t sb_name_distance(const char *a, const char *b);

/* The names nearest to `name` among all names that were passed to sb_name_offer(), in order of distance. */
struct sb_name_nearest {
    const char *name;       /* the unknown name */
    const char *nearest[3]; /* NULL if there are fewer */
    size_t distance[3];
};

void sb_name_offer(struct sb_name_nearest *nearest, const char *known);

/* Writes "; did you mean a, b or c?", or "" if no name is near, in at most `room` bytes; returns `text`. */
char *sb_name_suggest(const struct sb_name_nearest *nearest, char text[], size_t room);

#endif
