/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts the cells of a member in descending order of count/probability, and computes the sums of the
 * prefixes. */
#include "fit/sequential/tv_curve.h"

#include "core/sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void sb_tv_curve_close(struct sb_tv_curve *curve)
{
    free(curve->count);
    free(curve->q);
    free(curve->order);
    free(curve->spare);
}

enum sb_status sb_tv_curve_open(const struct sb_tally *tally, struct sb_tv_curve *curve)
{
    const size_t room = tally->cells + 1;

    *curve = (struct sb_tv_curve) {
        .cells = tally->cells,
        .total = (double)tally->total,
        .count = calloc(room, sizeof *curve->count),
        .q = tally->ln_p ? calloc(room, sizeof *curve->q) : NULL,
        .order = calloc(room, sizeof *curve->order),
        .spare = calloc(room, sizeof *curve->spare),
    };
    if (curve->count && (curve->q || !tally->ln_p) && curve->order && curve->spare)
        return SB_OK;
    sb_tv_curve_close(curve);
    return SB_NO_MEMORY;
}

/* A key that rises with count/probability. Doubles that are not negative have the same order as the integers
 * with the same bits. */
static uint64_t tv_curve_key(const struct sb_tally *tally, uint64_t count, size_t cell)
{
    uint64_t key = count;

    if (tally->ln_p && count) {
        const double ratio = (double)count * exp(-tally->ln_p[cell]);

        memcpy(&key, &ratio, sizeof key);
    }
    return key;
}

void sb_tv_curve_draw(const struct sb_tally *tally, size_t member, struct sb_tv_curve *curve)
{
    const uint64_t *const count = tally->count + member * tally->cells;
    struct sb_sum q = { 0 };

    for (size_t i = 0; i < curve->cells; i++)
        curve->order[i] = (struct sb_keyed) { .key = tv_curve_key(tally, count[i], i), .cell = i };
    sb_order_falling(curve->cells, curve->order, curve->spare);
    for (size_t m = 0; m < curve->cells; m++) {
        const size_t cell = curve->order[m].cell;

        curve->count[m + 1] = curve->count[m] + count[cell];
        if (curve->q) {
            sb_sum_add(&q, exp(tally->ln_p[cell]));
            curve->q[m + 1] = sb_sum_value(&q);
        }
    }
}
