/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The number of cycles, 1..n.
 *
 * Null law: the unsigned Stirling numbers of the first kind, stirling.c. Cost of classifying: n steps.
 *
 * Stanley, Enumerative Combinatorics 1, 1.3; OEIS A132393.
 */
#include "statistic/laws.h"
#include "statistic/statistic.h"

static size_t cycles_cells(size_t n, size_t k)
{
    return k == n && n <= SB_LAW_ITEMS_MOST ? n + 1 : 0;
}

static enum sb_status cycles_null_law(size_t n, size_t k, size_t member, double ln_p[])
{
    (void)k;
    (void)member;
    sb_law_stirling(n, ln_p);
    return SB_OK;
}

static void cycles_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    (void)k;
    cell[0] = (uint32_t)sb_permutation_cycles(n, a);
}

const struct sb_statistic_type sb_statistic_cycles = {
    .name = "cycles",
    .title = "how many cycles there are",
    .cite = "Stanley, EC1, 1.3; OEIS A132393",
    .obtained = "recurrence",
    .range = "whole permutations of up to 1000 items",
    .members = sb_statistic_single,
    .cells = cycles_cells,
    .null_law = cycles_null_law,
    .classify = cycles_classify,
};
