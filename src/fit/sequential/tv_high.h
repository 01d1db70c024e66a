/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An upper bound on total variation that is valid at all times simultaneously, however often one looks. */
#ifndef SB_FIT_SEQUENTIAL_TV_HIGH_H
#define SB_FIT_SEQUENTIAL_TV_HIGH_H

#include "core/calls.h"
#include "core/tally.h"

/* An upper bound on the error of a bound from rounding, and from errors of the null law: see tv_coin.c. */
#define SB_TV_HIGH_ERROR 2e-11

/* No bound falls below this, however many deals there are, except by chance: half of the smallest step of tv_coin.c. With
 * a fair coin, theta must be farther from the coin than v is. */
#define SB_TV_HIGH_LEAST 0x1p-21

/*
 * For each member i, sets high[i] to an upper bound on the total variation between the true law of the
 * member's cells and the null law. The probability that high[i] is ever below the true value is at most
 * e^-ln_level; ln_level > 0. If nothing has been tallied, the bound is 1, or 1 - 1/K if all K cells are
 * equally likely. Each bound may be up to 0.1% larger than the method requires, and a bound below 1e-5 more; its
 * rounding error is at most SB_TV_HIGH_ERROR.
 *
 * If tally->lag is not 0, the counts are of steps X[t]^-1 X[t+lag] between independent permutations with the
 * same law, as in fit/sequential/tv_low.h. SB_NO_MEMORY.
 */
enum sb_status sb_tv_high(const struct sb_tally *tally, double ln_level, double high[]);

/* Raises *largest to the largest bound of all members, unless *largest is already larger. Faster than
 * sb_tv_high(). SB_NO_MEMORY. */
enum sb_status sb_tv_high_largest(const struct sb_tally *tally, double ln_level, double *largest);

/*
 * Sets *below to whether the bounds of all members are below `bound`; false if nothing has been tallied. This
 * is much faster than sb_tv_high(). The bounds that sb_tv_high() returns may be a thousandth too large. So
 * *below may be true although a bound of sb_tv_high() is not below `bound`. Even then, *below is correct.
 * SB_NO_MEMORY.
 */
enum sb_status sb_tv_high_below(const struct sb_tally *tally, double ln_level, double bound, bool *below);

/* The approximate mean of the bound for a fair law of `cells` equally likely cells after `total` deals. The
 * mean falls with `total`. */
double sb_tv_high_fair(double total, double cells, double ln_level);

#endif
