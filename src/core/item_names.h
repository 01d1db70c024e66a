/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the items of a deck are called: by their names ("AS 2S ... KC"), or by numbers from 0 or from 1. A NULL
 * pointer to the names stands for numbers from 1.
 */
#ifndef SB_CORE_ITEM_NAMES_H
#define SB_CORE_ITEM_NAMES_H

#include "core/calls.h"
#include "core/multiset.h"

/* A name and the first item that has it. */
struct sb_sorted_name {
    const char *name;
    uint32_t item;
};

struct sb_item_names {
    size_t n;      /* number of names; 0: items are numbers */
    uint32_t base; /* number of the first item, 0 or 1, if items are numbers */
    char *text;    /* the names as given, each followed by a zero byte; owned */
    char **given; /* [n] the names as given, in the order before the shuffle; they point into `text`; owned */
    char **name;  /* [n] the names to show, which sb_sanitize_text() made safe; owned */
    size_t distinct;               /* number of different names */
    struct sb_sorted_name *sorted; /* [distinct] the names as given, in the order of strcmp(); owned */
    struct sb_multiset *multiset;  /* which items are equal; owned; NULL: all names differ */
    bool short_all; /* each name is a single character, so a deal needs no blanks between names */
};

enum {
    SB_ITEM_NAME_MOST = 63, /* the most bytes of a name */
    SB_ITEM_ROOM = 80,      /* bytes of an item in words, including the final zero byte */
};

/*
 * Reads a list of names, separated by blanks or commas. Items with equal names are equal items. The caller
 * frees *names with sb_item_names_free(). SB_INVALID: the list is empty or too long, or a name is too long or
 * has a # or a control character; SB_NO_MEMORY.
 */
enum sb_status sb_item_names_new(const char *list, struct sb_error *error, struct sb_item_names **names);

/* Checks a list of names. If *n is 0, sets *n to the number of names; otherwise *n must be this number. The
 * errors are those of sb_item_names_new(). */
enum sb_status sb_item_names_count(const char *list, struct sb_error *error, size_t *n);

/* Takes the names of n items from an array. Names are shortened to SB_ITEM_NAME_MOST bytes, and may occur
 * twice. The caller frees *names. SB_NO_MEMORY. */
enum sb_status sb_item_names_take(const char *const name[], size_t n, struct sb_item_names **names);

/* Makes the names of items that are numbers from `base`. For base 1, *names becomes NULL. The caller frees
 * *names. SB_NO_MEMORY. */
enum sb_status sb_item_names_numbers(uint32_t base, struct sb_item_names **names);

/* Makes a copy, which the caller frees. The copy of NULL is NULL. SB_NO_MEMORY. */
enum sb_status sb_item_names_copy(const struct sb_item_names *names, struct sb_item_names **copy);

/* Returns a list of the names, from which sb_item_names_new() makes the same names, or "0" if items are numbers from 0.
 * The caller frees the list. NULL if memory runs out. */
char *sb_item_names_list(const struct sb_item_names *names);

/* Reads a list of sb_item_names_list(). The errors are those of sb_item_names_new(). */
enum sb_status sb_item_names_read(const char *list, struct sb_error *error, struct sb_item_names **names);

/* Frees the names; NULL is allowed. */
void sb_item_names_free(struct sb_item_names *names);

/* Returns the first item with this name; SB_ITEMS_MOST if there is none. Cost: log2(n) comparisons. */
uint32_t sb_item_names_find(const struct sb_item_names *names, const char *name);

/* Returns which items are equal; NULL if all items differ. */
static inline const struct sb_multiset *sb_item_multiset(const struct sb_item_names *names)
{
    return names ? names->multiset : NULL;
}

/* Returns whether the items have names, and not numbers. */
static inline bool sb_item_names_given(const struct sb_item_names *names)
{
    return names && names->n > 0;
}

/* Returns the name or the number of an item: "AS", "7". `text` is scratch. */
const char *sb_item_name(const struct sb_item_names *names, size_t item, char text[SB_ITEM_ROOM]);

/* Writes an item in words: "AS", or "item 7" if items are numbers. Returns `text`. */
char *sb_item_words(const struct sb_item_names *names, size_t item, char text[SB_ITEM_ROOM]);

/*
 * Writes a deal of k of n items for people: "231", "10.2.1", or in names: "BCA", "AS 10H KC". Writes at most
 * `room` bytes, with the closing 0. A longer notation is cut and ends in "...". Returns `text`. Requires room
 * >= 4.
 */
char *sb_item_notation(const struct sb_item_names *names, size_t n, size_t k, const sb_item a[], char text[],
                       size_t room);

/* Returns what separates the notations of several deals: a blank, or a comma and a blank if the notations
 * have blanks themselves. */
const char *sb_item_separator(const struct sb_item_names *names);

#endif
