/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For each pair (A, B) of eighths of the deck, how many items come from A to B. There are 64 pairs, and each
 * pair is a member. This statistic is for more than SB_LAW_ITEMS_MOST items. Each permutation contributes all
 * its items to the counts, so a few permutations are enough to show a small bias that many items share. An
 * eighth is n/8 consecutive items or positions, rounded down. Up to seven items and positions at the end
 * belong to no eighth.
 *
 * Null law: hypergeometric. Of the n items, w = n/8 start in A. Of the n positions, w belong to B. The number
 * x of these items at these positions has
 *   p(x + 1)/p(x) = (w - x)^2/((x + 1)(n - 2w + x + 1)).
 * The code starts at the most likely value and goes up and down from this value until the terms vanish. No
 * term is subtracted. Cost: the number of steps is about 80 standard deviations, which is 9,000 at n = 10^6.
 * Cost of classifying: n steps.
 *
 * N. L. Johnson, S. Kotz, A. W. Kemp, Univariate Discrete Distributions (1992), chapter 6.
 */
#include "core/numbers.h"
#include "statistic/statistic.h"

#include <math.h>

enum { EIGHTHS = 8 };

static const double eighths_least = 1e-300; /* terms below this share of the largest term are left out */

static size_t eighths_members(size_t n, size_t k)
{
    return k == n && n > SB_LAW_ITEMS_MOST ? EIGHTHS * EIGHTHS : 0;
}

/* Returns the number of items in an eighth. */
static double eighths_width(size_t n)
{
    const size_t width = n / EIGHTHS;

    return (double)width;
}

static void eighths_moments(size_t n, size_t k, double *mean, double *variance)
{
    const double items = (double)n, width = eighths_width(n), other = items - width;

    *mean = width * width / items;
    *variance = width * width / items * (other / items) * (other / (items - 1));
}

static struct sb_window eighths_window(size_t n, size_t k)
{
    const double items = (double)n, width = eighths_width(n), other = items - width;

    if (k < n || n <= SB_LAW_ITEMS_MOST)
        return (struct sb_window) { .cells = 0 };
    return sb_window_about(width * width / items, width * other / items / sqrt(items - 1));
}

/* Returns p(x + 1)/p(x). */
static double eighths_ratio(double items, double width, double x)
{
    return (width - x) * (width - x) / ((x + 1) * (items - 2 * width + x + 1));
}

static enum sb_status eighths_null_law(size_t n, size_t k, double ln_p[])
{
    const struct sb_window window = eighths_window(n, k);
    const double items = (double)n, width = eighths_width(n);
    const size_t mode = (size_t)((width + 1) * (width + 1) / (items + 2));
    struct sb_sum total = { 0 }, ends[2] = { { 0, 0 }, { 0, 0 } };
    double p = 1;

    for (size_t x = mode; p > eighths_least; x++) {
        if (x + 1 < window.low + window.cells)
            ln_p[x - window.low] = log(p);
        else
            sb_sum_add(&ends[1], p);
        sb_sum_add(&total, p);
        p *= eighths_ratio(items, width, (double)x);
    }
    p = 1;
    for (size_t x = mode; x-- > 0 && p > eighths_least;) {
        p /= eighths_ratio(items, width, (double)x);
        if (x > window.low)
            ln_p[x - window.low] = log(p);
        else
            sb_sum_add(&ends[0], p);
        sb_sum_add(&total, p);
    }
    ln_p[0] = log(sb_sum_value(&ends[0]));
    ln_p[window.cells - 1] = log(sb_sum_value(&ends[1]));
    for (size_t cell = 0; cell < window.cells; cell++)
        ln_p[cell] -= log(sb_sum_value(&total));
    return SB_OK;
}

static void eighths_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    const struct sb_window window = eighths_window(n, k);
    const size_t width = n / EIGHTHS;

    for (size_t to = 0; to < EIGHTHS; to++) {
        size_t count[EIGHTHS + 1] = { 0 };

        for (size_t p = to * width; p < (to + 1) * width; p++)
            count[a[p] / width]++; /* count[EIGHTHS] counts the items that belong to no eighth */
        for (size_t from = 0; from < EIGHTHS; from++)
            cell[from * EIGHTHS + to] = sb_window_cell(&window, count[from]);
    }
}

const struct sb_statistic_type sb_statistic_eighths = {
    .name = "eighths",
    .title = "how many items of eighth i come to eighth j (pair 8 (i - 1) + j)",
    .cite = "Johnson, Kotz and Kemp, chapter 6 (hypergeometric law)",
    .obtained = "recurrence",
    .range = "whole permutations of more than 1000 items",
    .each = "pair",
    .members = eighths_members,
    .window = eighths_window,
    .moments = eighths_moments,
    .null_law = eighths_null_law,
    .classify = eighths_classify,
};
