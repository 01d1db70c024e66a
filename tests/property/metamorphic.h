/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ways to turn one permutation into another, for metamorphic tests: they state how a result changes with its
 * input, and need no expected values. */
#ifndef TESTS_PROPERTY_METAMORPHIC_H
#define TESTS_PROPERTY_METAMORPHIC_H

#include "property/random_decks.h"

enum turn {
    TURN_REVERSED,   /* the deck from its end: p w, where w is the reversal */
    TURN_COMPLEMENT, /* item i becomes item n - 1 - i: w p */
    TURN_ROTATED,    /* both: w p w */
    TURN_INVERTED,   /* the inverse, for whole permutations: p^-1 */
    TURN_MIRRORED,   /* w p^-1 w, for whole permutations */
    TURNS,
};

/* Sets b[0..k-1] to the turned deal a[0..k-1] out of n. k must be n for TURN_INVERTED and TURN_MIRRORED. */
static inline void turn_deal(enum turn turn, size_t n, size_t k, const sb_item a[], sb_item b[])
{
    for (size_t j = 0; j < k; j++) {
        const sb_item last = (sb_item)(n - 1);

        if (turn == TURN_REVERSED)
            b[k - 1 - j] = a[j];
        else if (turn == TURN_COMPLEMENT)
            b[j] = last - a[j];
        else if (turn == TURN_ROTATED)
            b[k - 1 - j] = last - a[j];
        else if (turn == TURN_INVERTED)
            b[a[j]] = (sb_item)j;
        else
            b[last - a[j]] = (sb_item)(n - 1 - j);
    }
}

/* Sets b[0..k-1] to the deal after its items were given other names: item i becomes name[i]. */
static inline void rename_deal(size_t k, const sb_item name[], const sb_item a[], sb_item b[])
{
    for (size_t j = 0; j < k; j++)
        b[j] = name[a[j]];
}

#endif
