/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds on total variation that hold simultaneously at all times. */
#ifndef SB_FIT_SEQUENTIAL_TV_BOUND_H
#define SB_FIT_SEQUENTIAL_TV_BOUND_H

#include "fit/sequential/e_process.h"
#include "shufflebias.h"

struct sb_tv_bound {
    double low, high; /* of the total variation between the law behind a member's counts and its null law */
};

/*
 * The bounds of all members of a statistic, bound[tally->members], from their e-values. The probability
 * that `low` is ever above the true value is at most e^-ln_low, and that `high` is ever below it at most
 * e^-ln_high; ln_low and ln_high are positive. If nothing was tallied, or an impossible cell has a count,
 * the bounds are trivial: 0, and 1 (1 - 1/K if all K cells are equally likely). SB_NO_MEMORY.
 */
enum sb_status sb_tv_bounds(const struct sb_tally *tally, const struct sb_e_value e[], double ln_low,
                            double ln_high, struct sb_tv_bound bound[]);

/*
 * The same for counts of the steps X[t]^-1 X[t+lag] between independent permutations of one law. If that
 * law is not fair, steps that share a permutation depend on each other, which these bounds allow for.
 * SB_NO_MEMORY.
 */
enum sb_status sb_tv_bounds_steps(const struct sb_tally *tally, double ln_low, double ln_high,
                                  struct sb_tv_bound bound[]);

#endif
