/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An upper bound on total variation that holds at all times together, however often one looks. */
#ifndef SB_FIT_SEQUENTIAL_TV_HIGH_H
#define SB_FIT_SEQUENTIAL_TV_HIGH_H

#include "core/tally.h"
#include "shufflebias.h"

/*
 * Upper bounds on the total variation between the law behind each member's counts and its null law,
 * high[tally->members]. The probability that high[i] is ever below the truth is at most e^-ln_level;
 * ln_level > 0. Before anything was tallied a bound is 1 (1 - 1/K if all K cells are equally likely). It is at
 * most a thousandth above what it should be.
 *
 * If tally->lag is not 0, the counts are of steps X[t]^-1 X[t+lag] between independent permutations of one
 * law, as in fit/sequential/tv_low.h. SB_NO_MEMORY.
 */
enum sb_status sb_tv_high(const struct sb_tally *tally, double ln_level, double high[]);

/* Raises *largest to the largest of the members' bounds, where one is above it; sooner than sb_tv_high().
 * SB_NO_MEMORY. */
enum sb_status sb_tv_high_largest(const struct sb_tally *tally, double ln_level, double *largest);

/*
 * Whether all members' bounds are below this one; much sooner than the bounds themselves. (Where they are within
 * a thousandth of it, this may be true although sb_tv_high() is not below it. It is true only if a pass is
 * justified.) SB_NO_MEMORY.
 */
enum sb_status sb_tv_high_below(const struct sb_tally *tally, double ln_level, double bound, bool *below);

/* Approximately the mean bound for a fair law of `cells` equally likely cells after `total` deals. It falls with
 * `total`. */
double sb_tv_high_fair(double total, double cells, double ln_level);

#endif
