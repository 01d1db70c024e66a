/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rising sequences, 1..n: the number of passes through the deck, from the top, that it takes to collect
 * all items in order. A riffle at most doubles this number.
 *
 * Null law: the Eulerian numbers, eulerian.c, because each item that comes before the next smaller item is a
 * descent of the inverse. Cost of classifying: n steps and one bit per item.
 *
 * D. Bayer, P. Diaconis, Trailing the dovetail shuffle to its lair, Annals of Applied Probability 2 (1992)
 * 294.
 */
#include "statistic/laws.h"
#include "statistic/statistic.h"

#include <math.h>

static size_t rising_sequences_cells(size_t n, size_t k)
{
    return k == n && n > 0 && n <= SB_LAW_ITEMS_MOST ? n + 1 : 0;
}

static enum sb_status rising_sequences_null_law(size_t n, size_t k, size_t member, double ln_p[])
{
    (void)k;
    (void)member;
    ln_p[0] = -HUGE_VAL;
    sb_law_eulerian(n, ln_p + 1);
    return SB_OK;
}

static void rising_sequences_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    uint64_t seen[SB_LAW_ITEMS_MOST / 64 + 1] = { 1 }; /* bit i + 1: item i was seen; bit 0 counts as seen */
    uint32_t sequences = 1;

    (void)k;
    for (size_t i = 0; i < n; i++) {
        const size_t item = a[i];

        sequences += !(seen[item / 64] >> item % 64 & 1);
        seen[(item + 1) / 64] |= UINT64_C(1) << (item + 1) % 64;
    }
    cell[0] = sequences;
}

const struct sb_statistic_type sb_statistic_rising_sequences = {
    .name = "rising-sequences",
    .title = "how many times through the deck take up all items in order",
    .cite = "doi:10.1214/aoap/1177005705",
    .obtained = "recurrence",
    .range = "whole permutations of up to 1000 items",
    .members = sb_statistic_single,
    .cells = rising_sequences_cells,
    .null_law = rising_sequences_null_law,
    .classify = rising_sequences_classify,
};
