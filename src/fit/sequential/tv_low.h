/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lower bound on total variation that is valid at all times simultaneously, however often one looks. */
#ifndef SB_FIT_SEQUENTIAL_TV_LOW_H
#define SB_FIT_SEQUENTIAL_TV_LOW_H

#include "core/calls.h"
#include "fit/sequential/e_process.h"

/*
 * For each member i, sets low[i] to a lower bound on the total variation between the true law of the member's
 * cells and the null law. e[] holds the e-values of the members. The probability that low[i] is ever above
 * the true value is at most e^-ln_level; ln_level > 0. The rounding error of low[i] is at most
 * sb_tv_low_error(). A bound is 0 if nothing has been tallied, or if a cell that cannot occur has a count.
 *
 * If tally->lag is not 0, the counts are of steps X[t]^-1 X[t+lag] between independent permutations with the
 * same law. Unless this law is fair, steps that share a permutation depend on each other; the bounds allow
 * for this dependence. SB_NO_MEMORY.
 */
enum sb_status sb_tv_low(const struct sb_tally *tally, const struct sb_e_value e[], double ln_level,
                         double low[]);

/* An upper bound on the error of a lower bound from rounding, if the errors of ln_e and ln_best are at most
 * e_error. */
double sb_tv_low_error(double e_error, double ln_level);

#endif
