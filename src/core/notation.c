/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The notation of a deal for people: 231, "A K Q" or, of sets and hands, the items of each group, "1 4 | 2 3". */
#include "core/core.h"

#include <stdio.h>
#include <string.h>

/* A notation that grows until there is no room. */
struct notation {
    char *text;
    size_t room, used;
    size_t cut; /* the last length after which "..." still fits */
};

/* Adds an item after what stands between. Returns false if it does not fit: the notation then ends in "...". */
static bool notation_add(struct notation *notation, const char *between, const struct sb_item_names *names, size_t item)
{
    char number[SB_ITEM_ROOM], word[SB_ITEM_ROOM];
    const int length = snprintf(word, sizeof word, "%s%s", between, sb_item_name(names, item, number));

    if (notation->used + (size_t)length >= notation->room) {
        memcpy(notation->text + notation->cut, "...", 4);
        return false;
    }
    memcpy(notation->text + notation->used, word, (size_t)length + 1);
    notation->used += (size_t)length;
    if (notation->used + 3 < notation->room)
        notation->cut = notation->used;
    return true;
}

/* Writes the items of each group, as in "1 4 | 2 3". */
static void notation_groups(struct notation *notation, const struct sb_item_names *names, const sb_item a[])
{
    const struct sb_multiset *const deck = names->multiset;
    bool fits = true;

    for (size_t g = 0; g < deck->groups; g++) {
        const char *between = g > 0 ? " | " : "";

        for (size_t j = 0; j < deck->n && fits; j++) {
            if (deck->kind[a[j]] != g)
                continue;
            fits = notation_add(notation, between, names->places, j);
            between = names->places && names->places->separator ? ", " : " ";
        }
    }
}

char *sb_item_notation(const struct sb_item_names *names, size_t n, size_t k, const sb_item a[], char text[],
                       size_t room)
{
    const bool given = sb_item_names_given(names);
    const char *const between = given ? names->short_all ? "" : names->separator ? " | " : " " : n > 9 ? "." : "";
    struct notation notation = { text, room, 0, 0 };

    text[0] = '\0';
    if (sb_item_groups(names)) {
        notation_groups(&notation, names, a);
        return text;
    }
    for (size_t j = 0; j < k && notation_add(&notation, j > 0 ? between : "", names, a[j]); j++)
        continue;
    return text;
}
