/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The number of cycles, 1..n; and the number of records, which are the items that are larger than all items before
 * them, 1..k. Only the order of the dealt cards matters to records, so a deal of k cards has the law of a permutation
 * of k items.
 *
 * Null law: the unsigned Stirling numbers of the first kind (laws.c). Position i = 1, 2, ... has a record with
 * probability 1/i, independently of the other positions. Cost of classifying: n steps.
 *
 * Stanley, Enumerative Combinatorics 1, 1.3; A. Renyi, Theorie des elements saillants d'une suite d'observations,
 * 1962; OEIS A132393.
 */
#include "statistic/statistic.h"

static struct sb_window cycles_window(size_t n, size_t k)
{
    return k < n ? (struct sb_window) { .cells = 0 } : sb_window_from_0(n, n + 1, SB_STIRLING_CELLS);
}

/* Of both statistics; k = n for cycles. */
static enum sb_status cycles_null_law(size_t n, size_t k, double ln_p[])
{
    sb_law_stirling(k, ln_p);
    return SB_OK;
}

static void cycles_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    const struct sb_window window = cycles_window(n, k);

    cell[0] = sb_window_cell(&window, sb_permutation_cycles(n, a));
}

const struct sb_statistic_type sb_statistic_cycles = {
    .name = "cycles",
    .title = "how many cycles there are",
    .cite = "Stanley, EC1, 1.3; OEIS A132393",
    .obtained = "recurrence",
    .range = "whole permutations",
    .window = cycles_window,
    .null_law = cycles_null_law,
    .classify = cycles_classify,
};

static struct sb_window records_window(size_t n, size_t k)
{
    return sb_window_from_0(k, k + 1, SB_STIRLING_CELLS);
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
    .window = records_window,
    .null_law = cycles_null_law,
    .classify = records_classify,
};
