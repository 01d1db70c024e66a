/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The length of the first item's cycle, 1..n.
 *
 * Null law: each length has probability 1/n. Follow the cycle. If the cycle has not closed after l - 1 steps,
 * the next position is uniform among n - l + 1 positions: the starting position, which closes the cycle, and
 * the n - l positions not reached yet. So length l has probability (n-1)/n (n-2)/(n-1) ... (n-l+1)/(n-l+2)
 * 1/(n-l+1) = 1/n. Cost of classifying: at most n steps.
 *
 * Stanley, Enumerative Combinatorics 1, 1.3.
 */
#include "statistic/statistic.h"

#include <math.h>

static size_t cycle_of_first_cells(size_t n, size_t k)
{
    return k == n && n > 0 ? n + 1 : 0;
}

static enum sb_status cycle_of_first_null_law(size_t n, size_t k, double ln_p[])
{
    ln_p[0] = -HUGE_VAL;
    for (size_t length = 1; length <= n; length++)
        ln_p[length] = -log((double)n);
    return SB_OK;
}

static void cycle_of_first_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    uint32_t length = 1;

    for (size_t at = a[0]; at != 0; at = a[at])
        length++;
    cell[0] = length;
}

const struct sb_statistic_type sb_statistic_cycle_of_first = {
    .name = "cycle-of-first",
    .title = "how long the cycle of the first item is",
    .cite = "Stanley, EC1, 1.3",
    .obtained = "closed form",
    .range = "whole permutations",
    .cells = cycle_of_first_cells,
    .null_law = cycle_of_first_null_law,
    .classify = cycle_of_first_classify,
};
