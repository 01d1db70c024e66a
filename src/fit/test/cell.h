/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cell and its expected count.
 *
 * For K equally likely cells and N = q K + r deals, the code computes the expected minus the observed count,
 * E - O, as (q - O) + r/K. This form keeps all digits. The form N/K - O would lose the digits that N/K and O
 * have in common. Cost: a few operations and a division.
 */
#ifndef SB_FIT_TEST_CELL_H
#define SB_FIT_TEST_CELL_H

#include "core/tally.h"

#include <math.h>

/* One cell of one member of a tally, and its expected count. */
struct sb_cell {
    double count;
    double expected; /* 0 for a cell that cannot occur */
    double excess;   /* expected - count, computed without cancellation if all cells are equally likely */
};

/* A lower limit on the expected count of a possible cell. The limit keeps terms finite if a probability
 * underflows. One deal in such a cell decides the test. */
static const double sb_cell_floor = 1e-100;

/* a - b of unsigned numbers. */
static inline double sb_cell_difference(uint64_t a, uint64_t b)
{
    return a < b ? -(double)(b - a) : (double)(a - b);
}

static inline struct sb_cell sb_cell_get(const struct sb_tally *tally, size_t member, size_t cell)
{
    const uint64_t count = tally->count[member * tally->cells + cell];
    struct sb_cell got = { .count = (double)count };

    if (!tally->ln_p) {
        const double cells = (double)tally->cells;

        got.expected = (double)tally->total / cells;
        got.excess = sb_cell_difference(tally->total / tally->cells, count) +
                     (double)(tally->total % tally->cells) / cells;
        return got;
    }
    if (tally->expected)
        got.expected = tally->expected[cell];
    else if (tally->ln_p[cell] > -HUGE_VAL && tally->total)
        got.expected = fmax((double)tally->total * exp(tally->ln_p[cell]), sb_cell_floor);
    got.excess = got.expected - got.count;
    return got;
}

/* Returns an array [cells] of the expected count of each cell. All members have the same expected counts, so
 * the exponentials are computed only once. The caller frees the array. NULL if memory runs out. */
double *sb_cells_expected(const struct sb_tally *tally);

#endif
