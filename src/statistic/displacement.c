/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Total displacement, the sum of |i - a[i]|: an even number up to n^2/2. This sum is also called Spearman's
 * footrule.
 *
 * Null law: take item 0 and place 0, then item 1 and place 1, and so on. If j of the items so far have no
 * place yet, then j of the places so far have no item yet. Each of these 2j finds its partner later, and each
 * step until then adds 1 to the distance between the two. So the total displacement is twice the sum of j
 * over all steps. There are three cases for the i-th item and the i-th place. If both stay unmatched, there
 * is 1 way, and j becomes j + 1. If only one of them is matched with an earlier place or item, or if they are
 * matched with each other, there are 2j + 1 ways, and j is unchanged. If each is matched with an earlier
 * place or item, there are j^2 ways, and j becomes j - 1. The recurrence computes the numbers of ways divided
 * by i!. These quotients are never negative. They are multiplied by 2^500, so that 1/200! does not underflow.
 * Cost: n^4/16 steps and 2 n^3 bytes: 0.1 s and 17 MB at n = 200, the largest n.
 *
 * Cost of classifying: n steps.
 *
 * P. Diaconis, R. L. Graham, Spearman's footrule as a measure of disarray, J. Royal Statistical Society B 39
 * (1977) 262; A. Baertschi and others, On computing the total displacement number via weighted Motzkin paths,
 * arXiv:1606.05538; OEIS A062869.
 */
#include "statistic/statistic.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { DISPLACEMENT_ITEMS_MOST = 200 };

static const double displacement_scale = 0x1p500, displacement_back = 0x1p-500;

static size_t displacement_cells(size_t n, size_t k)
{
    return k == n && n <= DISPLACEMENT_ITEMS_MOST ? n * n / 2 + 1 : 0;
}

static double displacement_ln(double scaled)
{
    const double p = scaled * displacement_back;

    return p >= DBL_MIN ? log(p) : log(scaled) + log(displacement_back);
}

/* Computes step i, from the matrix `old` to the matrix `made`. The row index is j, and the column index is
 * half the displacement so far. There are `halves` columns. One empty row comes before the possible rows, and
 * another comes after them. j is at most the number of places left. */
static void displacement_step(size_t n, size_t i, size_t halves, const double old[], double made[])
{
    for (size_t j = 0; j <= i && j <= n - i; j++) {
        const double *const same = old + (j + 1) * halves, *const fewer = same - halves;
        const double *const more = same + halves;
        const double stay = 2 * (double)j + 1, end = ((double)j + 1) * ((double)j + 1);
        double *const row = made + (j + 1) * halves;

        for (size_t s = 0; s < j && s < halves; s++)
            row[s] = 0;
        for (size_t s = 0; s + j < halves; s++)
            row[s + j] = (fewer[s] + stay * same[s] + end * more[s]) / (double)i;
    }
}

static enum sb_status displacement_null_law(size_t n, size_t k, double ln_p[])
{
    const size_t cells = displacement_cells(n, k), halves = n * n / 4 + 1, rows = n / 2 + 4;
    double *const ways = calloc(2 * rows * halves, sizeof *ways);

    if (!ways)
        return SB_NO_MEMORY;
    double *old = ways, *made = ways + rows * halves;

    old[halves] = displacement_scale;
    for (size_t i = 1; i <= n; i++) {
        double *const last = old;

        displacement_step(n, i, halves, old, made);
        old = made;
        made = last;
    }
    for (size_t d = 0; d < cells; d++)
        ln_p[d] = d % 2 ? -HUGE_VAL : displacement_ln(old[halves + d / 2]);
    free(ways);
    return SB_OK;
}

static void displacement_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    uint32_t total = 0;

    for (size_t i = 0; i < n; i++)
        total += (uint32_t)(a[i] > i ? a[i] - i : i - a[i]);
    cell[0] = total;
}

const struct sb_statistic_type sb_statistic_displacement = {
    .name = "displacement",
    .title = "how far all items together are from where they were",
    .cite = "Diaconis and Graham, 1977; OEIS A062869",
    .obtained = "recurrence",
    .range = "whole permutations of up to 200 items",
    .cells = displacement_cells,
    .null_law = displacement_null_law,
    .classify = displacement_classify,
};
