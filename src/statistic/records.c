/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records: the number of items that are larger than all items before them. This number is 1..k. Only the
 * order of the dealt cards matters, so a deal of k cards has the law of a permutation of k items.
 *
 * Null law: the unsigned Stirling numbers of the first kind, as for cycles (stirling.c and stirling_large.c):
 * position i = 1, 2, ... has a record with probability 1/i, independently of the other positions. Cost of
 * classifying: k comparisons.
 *
 * A. Renyi, Theorie des elements saillants d'une suite d'observations, 1962; OEIS A132393.
 */
#include "statistic/statistic.h"

static struct sb_window records_window(size_t n, size_t k)
{
    if (k > SB_LAW_ITEMS_MOST)
        return (struct sb_window) { .cells = SB_STIRLING_CELLS, .above = true };
    return (struct sb_window) { .cells = k + 1 };
}

static size_t records_cells(size_t n, size_t k)
{
    return records_window(n, k).cells;
}

static enum sb_status records_null_law(size_t n, size_t k, size_t member, double ln_p[])
{
    if (k > SB_LAW_ITEMS_MOST)
        sb_law_stirling_large(k, ln_p);
    else
        sb_law_stirling(k, ln_p);
    return SB_OK;
}

static void records_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    const struct sb_window window = records_window(n, k);
    uint32_t records = 0, above = 0;

    for (size_t i = 0; i < k; i++) {
        records += a[i] >= above;
        above = a[i] >= above ? a[i] + 1U : above;
    }
    cell[0] = sb_window_cell(&window, records);
}

const struct sb_statistic_type sb_statistic_records = {
    .name = "records",
    .title = "how many items are above all before them",
    .cite = "Renyi, 1962; OEIS A132393",
    .obtained = "recurrence",
    .range = "any deals",
    .members = sb_statistic_single,
    .cells = records_cells,
    .window = records_window,
    .null_law = records_null_law,
    .classify = records_classify,
};
