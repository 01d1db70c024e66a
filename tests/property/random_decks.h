/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random numbers and decks for property tests, the same in each run: Knuth's linear congruential generator MMIX. */
#ifndef TESTS_PROPERTY_RANDOM_DECKS_H
#define TESTS_PROPERTY_RANDOM_DECKS_H

#include "core/core.h"

static uint64_t random_state = 1; /* a test may set it, to repeat a series */

/* An integer below `bound`, at most 2^31, of nearly equal probabilities. */
static inline size_t random_below(size_t bound)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)(random_state >> 33) % bound;
}

/* Sets a[0..n-1] to a random permutation. */
static inline void random_deck(size_t n, sb_item a[])
{
    for (size_t i = 0; i < n; i++)
        a[i] = (sb_item)i;
    for (size_t i = n; i-- > 1;) {
        const size_t j = random_below(i + 1);
        const sb_item item = a[i];

        a[i] = a[j];
        a[j] = item;
    }
}

#endif
