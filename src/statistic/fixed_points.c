/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fixed points: the number of items that are at their original positions, which is 0..n, but never n-1. Adjacent
 * pairs that stayed together: the number of positions i with a[i+1] = a[i] + 1, which is 0..n-1.
 *
 * Null laws: sb_law_matches(). Cost of classifying: n comparisons.
 *
 * P. R. de Montmort, Essay d'analyse sur les jeux de hazard, 1713; Charalambides, Enumerative Combinatorics (2002),
 * 5.4; OEIS A008290, A123513.
 */
#include "statistic/statistic.h"

static struct sb_window fixed_points_window(size_t n, size_t k)
{
    return k < n ? (struct sb_window) { .cells = 0 } : sb_window_from_0(n, n + 1, SB_MATCHES_CELLS);
}

static enum sb_status fixed_points_null_law(size_t n, size_t k, double ln_p[])
{
    sb_law_matches(n, false, ln_p);
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
    .window = fixed_points_window,
    .null_law = fixed_points_null_law,
    .classify = fixed_points_classify,
};

static struct sb_window adjacent_window(size_t n, size_t k)
{
    return k < n ? (struct sb_window) { .cells = 0 } : sb_window_from_0(n, n, SB_MATCHES_CELLS);
}

static enum sb_status adjacent_null_law(size_t n, size_t k, double ln_p[])
{
    sb_law_matches(n, true, ln_p);
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
    .window = adjacent_window,
    .null_law = adjacent_null_law,
    .classify = adjacent_classify,
};
