/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Descents: the number of positions i with a[i] > a[i+1], which is 0..k-1. Only the order of the dealt cards matters,
 * so a deal of k cards has the law of a permutation of k items. Rising sequences, 1..n: the number of passes through
 * the deck, from the top, that are needed to collect all items in order. A riffle at most doubles this number.
 *
 * Null law: the Eulerian numbers (laws.c), because each item i + 1 that stands before item i, and so begins a rising
 * sequence, is a descent of the inverse. Cost of classifying: n steps, and for rising sequences one bit per item.
 *
 * Graham, Knuth, Patashnik, Concrete Mathematics, 6.2; OEIS A008292. D. Bayer, P. Diaconis, Trailing the dovetail
 * shuffle to its lair, Annals of Applied Probability 2 (1992) 294.
 */
#include "statistic/statistic.h"

#include <math.h>
#include <string.h>

static struct sb_window descents_window(size_t n, size_t k)
{
    return k > SB_LAW_ITEMS_MOST ? sb_law_eulerian_window(k) : (struct sb_window) { .cells = k };
}

static enum sb_status descents_null_law(size_t n, size_t k, double ln_p[])
{
    sb_law_eulerian(k, ln_p);
    return SB_OK;
}

static void descents_moments(size_t n, size_t k, double *mean, double *variance)
{
    *mean = ((double)k - 1) / 2;
    *variance = ((double)k + 1) / 12;
}

static void descents_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    const struct sb_window window = descents_window(n, k);
    uint32_t descents = 0;

    for (size_t i = 0; i + 1 < k; i++)
        descents += a[i] > a[i + 1];
    cell[0] = sb_window_cell(&window, descents);
}

const struct sb_statistic_type sb_statistic_descents = {
    .name = "descents",
    .title = "how many items are followed by a smaller one",
    .cite = "Graham, Knuth, Patashnik, 6.2; OEIS A008292",
    .obtained = "recurrence; above 1000 items, Polya's integral",
    .range = "any deals",
    .window = descents_window,
    .moments = descents_moments,
    .null_law = descents_null_law,
    .classify = descents_classify,
};

static struct sb_window rising_sequences_window(size_t n, size_t k)
{
    struct sb_window window = { .cells = k == n && n > 0 ? n + 1 : 0 };

    if (k == n && n > SB_LAW_ITEMS_MOST) {
        window = sb_law_eulerian_window(n);
        window.low++;
    }
    return window;
}

static enum sb_status rising_sequences_null_law(size_t n, size_t k, double ln_p[])
{
    if (n <= SB_LAW_ITEMS_MOST)
        *ln_p++ = -HUGE_VAL;
    sb_law_eulerian(n, ln_p);
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
    .window = rising_sequences_window,
    .moments = rising_sequences_moments,
    .null_law = rising_sequences_null_law,
    .classify = rising_sequences_classify,
};
