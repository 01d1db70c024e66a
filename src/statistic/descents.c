/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Descents: the number of positions i with a[i] > a[i+1]. This number is 0..k-1. Only the order of the dealt
 * cards matters, so a deal of k cards has the law of a permutation of k items.
 *
 * Null law: the Eulerian numbers (eulerian.c and eulerian_large.c). Cost of classifying: k comparisons.
 *
 * Graham, Knuth, Patashnik, Concrete Mathematics, 6.2; OEIS A008292.
 */
#include "statistic/statistic.h"

static struct sb_window descents_window(size_t n, size_t k)
{
    return k > SB_LAW_ITEMS_MOST ? sb_law_eulerian_window(k) : (struct sb_window) { .cells = k };
}

static size_t descents_cells(size_t n, size_t k)
{
    return descents_window(n, k).cells;
}

static enum sb_status descents_null_law(size_t n, size_t k, size_t member, double ln_p[])
{
    if (k > SB_LAW_ITEMS_MOST)
        sb_law_eulerian_large(k, ln_p);
    else
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
    .members = sb_statistic_single,
    .cells = descents_cells,
    .window = descents_window,
    .moments = descents_moments,
    .null_law = descents_null_law,
    .classify = descents_classify,
};
