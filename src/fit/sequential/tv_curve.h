/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sets of cells that matter for a bound on total variation. Of all sets with the same share of the
 * counts, only the set with the smallest probability under the null law matters. Let the cells be in
 * descending order of count/probability. For each set S there is a point (share of S, probability of S). All
 * these points lie on or above a convex curve: the curve through the points of the prefixes of this order.
 */
#ifndef SB_FIT_SEQUENTIAL_TV_CURVE_H
#define SB_FIT_SEQUENTIAL_TV_CURVE_H

#include "core/calls.h"
#include "core/tally.h"
#include "fit/numeric/order.h"

/* Prefix m, 0 <= m <= cells, holds the m cells with the largest count/probability. */
struct sb_tv_curve {
    size_t cells;
    double total;
    uint64_t *count; /* [cells + 1] the count of each prefix */
    /* [cells + 1] the probability of each prefix; NULL if all cells are equally likely */
    double *q;
    struct sb_keyed *order, *spare; /* [cells + 1], scratch */
};

/* Opens a curve for the members of this tally. After SB_OK, the caller closes the curve. SB_NO_MEMORY. */
enum sb_status sb_tv_curve_open(const struct sb_tally *tally, struct sb_tv_curve *curve);
void sb_tv_curve_close(struct sb_tv_curve *curve);

/* Computes the curve of a member. Cost: linear in the number of cells. */
void sb_tv_curve_draw(const struct sb_tally *tally, size_t member, struct sb_tv_curve *curve);

/* The first function returns the share of the counts that prefix m has. The second returns the probability of
 * prefix m under the null law. */
static inline double sb_tv_curve_p(const struct sb_tv_curve *curve, size_t m)
{
    return (double)curve->count[m] / curve->total;
}

static inline double sb_tv_curve_q(const struct sb_tv_curve *curve, size_t m)
{
    return curve->q ? curve->q[m] : (double)m / (double)curve->cells;
}

#endif
