/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A shuffle whose decks the bytes choose: a few decks that come up in turn, or are each made from the last one. */
#ifndef TESTS_FUZZ_SERIES_H
#define TESTS_FUZZ_SERIES_H

#include "fuzz/fuzz.h"

#include <string.h>

enum { SERIES_DECKS = 8, SERIES_SWAPS = 12 };

/* A few series of swaps, which come up in turn. */
struct series {
    uint8_t swap[SERIES_DECKS][SERIES_SWAPS];
    unsigned decks, next;
    bool from_last; /* each deck is made from the last one */
    uint8_t last[64];
};

static inline void series_swap(uint8_t *items, size_t i, size_t j, size_t size)
{
    uint8_t moved[8];

    memcpy(moved, items + i * size, size);
    memmove(items + i * size, items + j * size, size);
    memcpy(items + j * size, moved, size);
}

static inline int series_deal(void *items, size_t n, size_t size, void *state)
{
    struct series *const series = state;
    const uint8_t *const swap = series->swap[series->next % series->decks];

    if (series->from_last && series->next > 0)
        memcpy(items, series->last, n * size);
    for (size_t i = 0; i < SERIES_SWAPS; i++)
        series_swap(items, i % n, swap[i] % n, size);
    memcpy(series->last, items, n * size);
    series->next++;
    return 0;
}

/* Takes the decks; `from_last` is the caller's. */
static inline void series_take(struct fuzz *fuzz, struct series *series)
{
    series->decks = 1 + fuzz_byte(fuzz) % SERIES_DECKS;
    for (unsigned i = 0; i < series->decks * SERIES_SWAPS; i++)
        series->swap[i / SERIES_SWAPS][i % SERIES_SWAPS] = (uint8_t)fuzz_byte(fuzz);
}

#endif
