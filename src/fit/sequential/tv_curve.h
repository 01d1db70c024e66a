/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sets of cells that matter for a bound on total variation: of all sets with the same share of the
 * counts, the one with the smallest probability under the null law. The points (share of S, probability of
 * S) of all sets S lie on and above the convex curve through those of the prefixes, the cells being in
 * order of falling count/probability.
 */
#ifndef SB_FIT_SEQUENTIAL_TV_CURVE_H
#define SB_FIT_SEQUENTIAL_TV_CURVE_H

#include "core/tally.h"
#include "fit/numeric/order.h"
#include "shufflebias.h"

/* Prefix m, 0 <= m <= cells, holds the m cells with the largest count/probability. */
struct sb_tv_curve {
    size_t cells;
    double total;
    uint64_t *count;                /* [cells + 1] of the prefix */
    double *q;                      /* [cells + 1] its probability; NULL where all cells are equally likely */
    struct sb_keyed *order, *spare; /* [cells + 1], scratch */
};

/* A curve for the members of this tally. To be closed after SB_OK. SB_NO_MEMORY. */
enum sb_status sb_tv_curve_open(const struct sb_tally *tally, struct sb_tv_curve *curve);
void sb_tv_curve_close(struct sb_tv_curve *curve);

/* Sorts the cells of a member. Cost: linear in the cells. */
void sb_tv_curve_draw(const struct sb_tally *tally, size_t member, struct sb_tv_curve *curve);

/* The share of the counts that prefix m has, and its probability under the null law. */
static inline double sb_tv_curve_p(const struct sb_tv_curve *curve, size_t m)
{
    return (double)curve->count[m] / curve->total;
}

static inline double sb_tv_curve_q(const struct sb_tv_curve *curve, size_t m)
{
    return curve->q ? curve->q[m] : (double)m / (double)curve->cells;
}

#endif
