/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fixed points: the number of items that are at their original positions. This number is 0..n, but never n-1.
 *
 * Null law: the rencontres numbers C(n, m) D_{n-m}/n! = d_{n-m}/m!, where D_j is the number of derangements
 * of j items, and d_j = D_j/j!. Cost: O(n). Cost of classifying: n comparisons.
 *
 * P. R. de Montmort, Essay d'analyse sur les jeux de hazard, 1713; OEIS A008290.
 */
#include "core/numbers.h"
#include "statistic/statistic.h"

static struct sb_window fixed_points_window(size_t n, size_t k)
{
    if (n > SB_LAW_ITEMS_MOST)
        return (struct sb_window) { .cells = k == n ? SB_MATCHES_CELLS : 0, .above = true };
    return (struct sb_window) { .cells = k == n ? n + 1 : 0 };
}

static size_t fixed_points_cells(size_t n, size_t k)
{
    return fixed_points_window(n, k).cells;
}

static enum sb_status fixed_points_null_law(size_t n, size_t k, size_t member, double ln_p[])
{
    double share[SB_LAW_ITEMS_MOST + 1];
    struct sb_sum ln_factorial = { 0 };

    if (n > SB_LAW_ITEMS_MOST) {
        sb_law_matches_large(n, false, ln_p);
        return SB_OK;
    }
    sb_law_derangements(n, share);
    for (size_t m = 0; m <= n; m++) {
        if (m > 0)
            sb_sum_add(&ln_factorial, log((double)m));
        ln_p[m] = share[n - m] > 0 ? log(share[n - m]) - sb_sum_value(&ln_factorial) : -HUGE_VAL;
    }
    return SB_OK;
}

static void fixed_points_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    const struct sb_window window = fixed_points_window(n, k);
    uint32_t points = 0;

    for (size_t i = 0; i < n; i++)
        points += a[i] == i;
    cell[0] = sb_window_cell(&window, points);
}

const struct sb_statistic_type sb_statistic_fixed_points = {
    .name = "fixed-points",
    .title = "how many items are where they were",
    .cite = "Montmort, 1713; OEIS A008290",
    .obtained = "closed form",
    .range = "whole permutations",
    .members = sb_statistic_single,
    .cells = fixed_points_cells,
    .window = fixed_points_window,
    .null_law = fixed_points_null_law,
    .classify = fixed_points_classify,
};
