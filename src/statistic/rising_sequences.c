/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rising sequences, 1..n: the number of passes through the deck, from the top, that are needed to collect all
 * items in order. A riffle at most doubles this number.
 *
 * Null law: the Eulerian numbers, as for descents, because each item i + 1 that stands before item i is a
 * descent of the inverse. Cost of classifying: n steps and one bit per item.
 *
 * D. Bayer, P. Diaconis, Trailing the dovetail shuffle to its lair, Annals of Applied Probability 2 (1992)
 * 294.
 */
#include "statistic/statistic.h"

#include <math.h>
#include <string.h>

static struct sb_window rising_sequences_window(size_t n, size_t k)
{
    struct sb_window window = { .cells = k == n && n > 0 ? n + 1 : 0 };

    if (k == n && n > SB_LAW_ITEMS_MOST) {
        window = sb_law_eulerian_window(n);
        window.low++;
    }
    return window;
}

static size_t rising_sequences_cells(size_t n, size_t k)
{
    return rising_sequences_window(n, k).cells;
}

static enum sb_status rising_sequences_null_law(size_t n, size_t k, size_t member, double ln_p[])
{
    if (n > SB_LAW_ITEMS_MOST) {
        sb_law_eulerian_large(n, ln_p);
        return SB_OK;
    }
    ln_p[0] = -HUGE_VAL;
    sb_law_eulerian(n, ln_p + 1);
    return SB_OK;
}

/* One more than the descents of the inverse. */
static void rising_sequences_moments(size_t n, size_t k, double *mean, double *variance)
{
    *mean = ((double)n + 1) / 2;
    *variance = ((double)n + 1) / 12;
}

/* In seen[], bit i + 1 is set once item i has been seen; bit 0 is set from the start. */
static uint32_t rising_sequences_count(size_t n, const sb_item a[], uint64_t seen[])
{
    uint32_t sequences = 1;

    for (size_t i = 0; i < n; i++) {
        const size_t item = a[i];

        sequences += !(seen[item / 64] >> item % 64 & 1);
        seen[(item + 1) / 64] |= UINT64_C(1) << (item + 1) % 64;
    }
    return sequences;
}

/* This is a separate function, so that only large decks take up to 125 KB of the stack. */
__attribute__((noinline)) static uint32_t rising_sequences_large(size_t n, const sb_item a[])
{
    uint64_t seen[SB_TALLIED_MOST / 64 + 1];

    memset(seen, 0, (n / 64 + 1) * sizeof seen[0]);
    seen[0] = 1;
    return rising_sequences_count(n, a, seen);
}

static void rising_sequences_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    const struct sb_window window = rising_sequences_window(n, k);
    uint64_t seen[SB_LAW_ITEMS_MOST / 64 + 1] = { 1 };

    cell[0] = n > SB_LAW_ITEMS_MOST ? sb_window_cell(&window, rising_sequences_large(n, a))
                                    : rising_sequences_count(n, a, seen);
}

const struct sb_statistic_type sb_statistic_rising_sequences = {
    .name = "rising-sequences",
    .title = "how many times through the deck take up all items in order",
    .cite = "doi:10.1214/aoap/1177005705",
    .obtained = "recurrence; above 1000 items, Polya's integral",
    .range = "whole permutations",
    .members = sb_statistic_single,
    .cells = rising_sequences_cells,
    .window = rising_sequences_window,
    .moments = rising_sequences_moments,
    .null_law = rising_sequences_null_law,
    .classify = rising_sequences_classify,
};
