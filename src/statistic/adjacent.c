/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adjacent pairs that stayed together: the number of positions i with a[i+1] = a[i] + 1. This number is
 * 0..n-1.
 *
 * Null law: m pairs have probability C(n-1, m) (D_{n-m} + D_{n-m-1})/n!, where D_j is the number of
 * derangements of j items. The reason: choose the m pairs, and join the two items of each; then n-m items
 * remain, and D_{n-m} + D_{n-m-1} of their orders have no such pair. With the shares d_j = D_j/j!, the
 * probability is d_{n-m+1} (n-m+1)/(n m!). Cost: O(n). Cost of classifying: n comparisons.
 *
 * Charalambides, Enumerative Combinatorics (2002), 5.4; OEIS A123513.
 */
#include "core/numbers.h"
#include "statistic/statistic.h"

static struct sb_window adjacent_window(size_t n, size_t k)
{
    if (n > SB_LAW_ITEMS_MOST)
        return (struct sb_window) { .cells = k == n ? SB_MATCHES_CELLS : 0, .above = true };
    return (struct sb_window) { .cells = k == n ? n : 0 };
}

static size_t adjacent_cells(size_t n, size_t k)
{
    return adjacent_window(n, k).cells;
}

static enum sb_status adjacent_null_law(size_t n, size_t k, size_t member, double ln_p[])
{
    double share[SB_LAW_ITEMS_MOST + 2];
    struct sb_sum ln_factorial = { 0 };

    if (n > SB_LAW_ITEMS_MOST) {
        sb_law_matches_large(n, true, ln_p);
        return SB_OK;
    }
    sb_law_derangements(n + 1, share);
    for (size_t m = 0; m < n; m++) {
        const size_t rest = n - m + 1;

        if (m > 0)
            sb_sum_add(&ln_factorial, log((double)m));
        ln_p[m] = log(share[rest] * (double)rest / (double)n) - sb_sum_value(&ln_factorial);
    }
    return SB_OK;
}

static void adjacent_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    const struct sb_window window = adjacent_window(n, k);
    uint32_t pairs = 0;

    for (size_t i = 0; i + 1 < n; i++)
        pairs += a[i + 1] == a[i] + 1;
    cell[0] = sb_window_cell(&window, pairs);
}

const struct sb_statistic_type sb_statistic_adjacent = {
    .name = "adjacent",
    .title = "how many items are followed by the next one",
    .cite = "OEIS A123513",
    .obtained = "closed form",
    .range = "whole permutations",
    .members = sb_statistic_single,
    .cells = adjacent_cells,
    .window = adjacent_window,
    .null_law = adjacent_null_law,
    .classify = adjacent_classify,
};
