/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges unlikely cells with their neighbours. Cost: an exponential per cell, and a logarithm per merged
 * cell. */
#include "core/merge.h"

#include "core/sum.h"

/* A probability that is below `least` by at most this relative difference counts as `least`. */
static const double merge_rounding = 1e-9;

size_t sb_merge_cells(const double ln_p[], size_t cells, double least, uint32_t map[], double merged[])
{
    size_t count = 0;
    struct sb_sum p = { 0 }; /* probability of the merged cell under construction */

    for (size_t cell = 0; cell < cells; cell++) {
        sb_sum_add(&p, exp(ln_p[cell]));
        map[cell] = (uint32_t)count;
        if (sb_sum_value(&p) < least * (1 - merge_rounding) && (cell + 1 < cells || count > 0))
            continue;
        merged[count++] = log(sb_sum_value(&p));
        p = (struct sb_sum) { 0 };
    }
    for (size_t cell = cells;
         /* the last cells are too unlikely for a merged cell of their own */
         cell-- > 0 && map[cell] == count;)
        map[cell] = (uint32_t)count - 1;
    if (sb_sum_value(&p) > 0)
        merged[count - 1] = log(exp(merged[count - 1]) + sb_sum_value(&p));
    return count;
}
