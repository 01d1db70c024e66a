/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Descents: the number of positions with a[i] > a[i+1], 0..k-1. Only the order of the dealt cards matters,
 * so a deal of k cards has the law of a permutation of k items.
 *
 * Null law: the Eulerian numbers, eulerian.c. Cost of classifying: k comparisons.
 *
 * Graham, Knuth, Patashnik, Concrete Mathematics, 6.2; OEIS A008292.
 */
#include "statistic/laws.h"
#include "statistic/statistic.h"

static size_t descents_cells(size_t n, size_t k)
{
    (void)n;
    return k <= SB_LAW_ITEMS_MOST ? k : 0;
}

static enum sb_status descents_null_law(size_t n, size_t k, size_t member, double ln_p[])
{
    (void)n;
    (void)member;
    sb_law_eulerian(k, ln_p);
    return SB_OK;
}

static void descents_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    uint32_t descents = 0;

    (void)n;
    for (size_t i = 0; i + 1 < k; i++)
        descents += a[i] > a[i + 1];
    cell[0] = descents;
}

const struct sb_statistic_type sb_statistic_descents = {
    .name = "descents",
    .title = "how many items are followed by a smaller one",
    .cite = "Graham, Knuth, Patashnik, 6.2; OEIS A008292",
    .obtained = "recurrence",
    .range = "up to 1000 items dealt",
    .members = sb_statistic_single,
    .cells = descents_cells,
    .null_law = descents_null_law,
    .classify = descents_classify,
};
