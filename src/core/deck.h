/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The items that a shuffle works on, and the scratch space of the shuffle. Both are allocated once for many
 * shuffles. */
#ifndef SB_CORE_DECK_H
#define SB_CORE_DECK_H

#include "core/calls.h"
#include "core/permutation.h"

struct sb_deck {
    size_t n;      /* number of items, 0..SB_ITEMS_MOST */
    size_t deal;   /* number of items dealt, from positions 0..deal-1; deal <= n */
    sb_item *a;    /* [n] before a shuffle, the identity; after it, the result; may be exchanged with b */
    sb_item *b;    /* [n] scratch; undefined before and after a shuffle */
    uint64_t *key; /* [n] scratch; undefined before and after a shuffle */
};

/* Allocates a deck, which the caller frees with sb_deck_close(). SB_NO_MEMORY. */
enum sb_status sb_deck_open(size_t n, size_t deal, struct sb_deck *deck);
void sb_deck_close(struct sb_deck *deck);

/* Puts item i at position i. */
static inline void sb_deck_reset(struct sb_deck *deck)
{
    sb_item item = 0;

    for (size_t i = 0; i < deck->n; i++)
        deck->a[i] = item++;
}

/* Exchanges the pointers a and b, for a shuffle whose result is in b. Copies no items. */
static inline void sb_deck_exchange(struct sb_deck *deck)
{
    sb_item *const a = deck->a;

    deck->a = deck->b;
    deck->b = a;
}

#endif
