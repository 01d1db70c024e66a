/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bounds on total variation of the present tally, as roots. The cells must be in falling order of
 * count/probability. If drawn.lag is set, the counts are of steps. */
#ifndef CERTIFIED_EXACT_BOUNDS_H
#define CERTIFIED_EXACT_BOUNDS_H

#include "certified/exact_e.h"

/* The lower bound is the largest x with kl(p(S) || q(S) + x) >= r for a prefix S of the cells. Sets `value` to r - max
 * kl at x = `at`, which rises with x. x[0]: ln_level. */
void exact_tv_low(const double x[], const arb_t at, slong bits, arb_t value);

/* The upper bound is the least x at which E of every prefix, at theta = q + x, reaches 1/delta. Sets `value` to the
 * least ln E - ln_level at x = `at`, which rises with x. x[0]: ln_level; x[3]: the size to which the coins are tuned, or 0. */
void exact_tv_high(const double x[], const arb_t at, slong bits, arb_t value);

/* Sorts the cells of the present tally by falling count/probability. */
void sort_cells(void);

#endif
