/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Handles names as people type them: reads numbers, and finds the known names nearest to an unknown name.
 *
 * V. I. Levenshtein, Binary codes capable of correcting deletions, insertions, and reversals (1966); the
 * row-by-row form is Wagner and Fischer's, doi:10.1145/321796.321811.
 */
#include "core/text/name.h"

#include <stdio.h>
#include <string.h>

enum { NAME_LENGTH_MOST = 64 };

bool sb_name_number(const char *text, uint64_t *number)
{
    uint64_t value = 0;

    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9' || __builtin_mul_overflow(value, 10U, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*text - '0'), &value))
            return false;
    }
    *number = value;
    return true;
}

size_t sb_name_distance(const char *a, const char *b)
{
    size_t row[NAME_LENGTH_MOST + 1];
    const size_t width = strnlen(b, NAME_LENGTH_MOST);

    for (size_t j = 0; j <= width; j++)
        row[j] = j;
    for (size_t i = 0; i < NAME_LENGTH_MOST && a[i]; i++) {
        size_t corner = row[0];

        row[0] = i + 1;
        for (size_t j = 0; j < width; j++) {
            size_t best = corner + (a[i] != b[j]);

            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j + 1] + 1 < best)
                best = row[j + 1] + 1;
            corner = row[j + 1];
            row[j + 1] = best;
        }
    }
    return row[width];
}

/* Returns the edit distance of two names, but at most 2 if `known` contains `typed` and `typed` has three
 * letters or more. */
static size_t name_distance(const char *typed, const char *known)
{
    const size_t distance = sb_name_distance(typed, known);

    return strlen(typed) > 2 && strstr(known, typed) ? (distance < 2 ? distance : 2) : distance;
}

void sb_name_offer(struct sb_name_nearest *nearest, const char *known)
{
    size_t distance = name_distance(nearest->name, known);

    if (distance > 2 && distance > strlen(nearest->name) / 3)
        return;
    for (size_t i = 0; i < 3; i++) {
        const char *const other = nearest->nearest[i];
        const size_t other_distance = nearest->distance[i];

        if (other && other_distance <= distance)
            continue;
        nearest->nearest[i] = known;
        nearest->distance[i] = distance;
        if (!other)
            return;
        known = other;
        distance = other_distance;
    }
}

char *sb_name_suggest(const struct sb_name_nearest *nearest, char text[], size_t room)
{
    const char *const *const name = nearest->nearest;

    if (!name[0])
        text[0] = '\0';
    else if (!name[1])
        snprintf(text, room, "; did you mean %s?", name[0]);
    else if (!name[2])
        snprintf(text, room, "; did you mean %s or %s?", name[0], name[1]);
    else
        snprintf(text, room, "; did you mean %s, %s or %s?", name[0], name[1], name[2]);
    return text;
}
