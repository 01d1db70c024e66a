/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The number of cycles, 1..n.
 *
 * Null law: the unsigned Stirling numbers of the first kind (stirling.c and stirling_large.c). Cost of
 * classifying: n steps.
 *
 * Stanley, Enumerative Combinatorics 1, 1.3; OEIS A132393.
 */
#include "statistic/statistic.h"

static struct sb_window cycles_window(size_t n, size_t k)
{
    if (n > SB_LAW_ITEMS_MOST)
        return (struct sb_window) { .cells = k == n ? SB_STIRLING_CELLS : 0, .above = true };
    return (struct sb_window) { .cells = k == n ? n + 1 : 0 };
}

static size_t cycles_cells(size_t n, size_t k)
{
    return cycles_window(n, k).cells;
}

static enum sb_status cycles_null_law(size_t n, size_t k, size_t member, double ln_p[])
{
    if (n > SB_LAW_ITEMS_MOST)
        sb_law_stirling_large(n, ln_p);
    else
        sb_law_stirling(n, ln_p);
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
    .members = sb_statistic_single,
    .cells = cycles_cells,
    .window = cycles_window,
    .null_law = cycles_null_law,
    .classify = cycles_classify,
};
