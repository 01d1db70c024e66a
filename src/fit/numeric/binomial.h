/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binomial counts: an interval for their probability, and how far they stray from their mean. */
#ifndef SB_FIT_NUMERIC_BINOMIAL_H
#define SB_FIT_NUMERIC_BINOMIAL_H

#include <stddef.h>
#include <stdint.h>

/*
 * Clopper and Pearson's interval at level 1 - alpha for the probability behind `count` of `total`, count <=
 * total < 2^53, 0 < alpha < 1: P(X >= count) = alpha/2 at *low, P(X <= count) = alpha/2 at *high, each right
 * to 1e-12 relative. *low is 0 for count 0, *high is 1 for count = total; 0..1 where nothing was counted.
 */
void sb_binomial_interval(uint64_t count, uint64_t total, double alpha, double *low, double *high);

/*
 * E|X - N/K|, X binomial of N = total trials of probability 1/K, K = cells >= 1; right to 1e-12 relative. 0
 * for total 0.
 */
double sb_binomial_deviation(uint64_t total, size_t cells);

/*
 * The total variation that `total` shuffles show on average although every one of `cells` deals is equally
 * likely; NaN for total 0, where there is none to show.
 */
double sb_total_variation_fair(uint64_t total, size_t cells);

#endif
