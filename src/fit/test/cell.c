/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cell beside its expectation.
 *
 * For K equally likely cells and N = q K + r, E - O = (q - O) + r/K keeps its digits, where N/K - O loses
 * those that the two have in common. Cost: a few operations and a division.
 */
#include "fit/test/fit.h"

#include <math.h>

/* An expectation so small that one count settles the matter; keeps terms finite where a null law underflows.
 */
static const double fit_expected_floor = 1e-100;

/* a - b of unsigned numbers. */
static double fit_difference(uint64_t a, uint64_t b)
{
    return a < b ? -(double)(b - a) : (double)(a - b);
}

struct sb_cell sb_cell_get(const struct sb_tally *tally, size_t member, size_t cell)
{
    const uint64_t count = tally->count[member * tally->cells + cell];
    struct sb_cell got = { .count = (double)count };

    if (!tally->ln_p) {
        const double cells = (double)tally->cells;

        got.expected = (double)tally->total / cells;
        got.excess = fit_difference(tally->total / tally->cells, count) +
                     (double)(tally->total % tally->cells) / cells;
        return got;
    }
    if (tally->ln_p[cell] > -HUGE_VAL && tally->total)
        got.expected = fmax((double)tally->total * exp(tally->ln_p[cell]), fit_expected_floor);
    got.excess = got.expected - got.count;
    return got;
}
