/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binomial counts: a confidence interval for the probability of success, an exact p-value, and the mean deviation
 * of a count. */
#ifndef SB_FIT_NUMERIC_BINOMIAL_H
#define SB_FIT_NUMERIC_BINOMIAL_H

#include <stddef.h>
#include <stdint.h>

/*
 * Clopper and Pearson's interval at level 1 - alpha for the probability of success, if `count` of `total`
 * trials succeeded. count <= total < 2^53, 0 < alpha < 1. P(X >= count) = alpha/2 at *low, and P(X <= count)
 * = alpha/2 at *high. Each end has a relative error of at most 1e-12. If count is 0, *low is 0; if count =
 * total, *high is 1.
 */
void sb_binomial_interval(uint64_t count, uint64_t total, double alpha, double *low, double *high);

/*
 * Returns ln of Blaker's exact two-sided p-value of `count` successes in `total` trials of probability p, 0 < p < 1:
 * P(p <= x) <= x for every x. count <= total < 2^53. The error is at most 1e-9. If the interval above, at level 1 -
 * alpha, excludes p, then the p-value is below alpha (1 + 1e-9).
 */
double sb_binomial_ln_p(uint64_t count, uint64_t total, double p);

/*
 * Returns E|X - N/K|, where X is binomial with N = `total` trials of probability 1/K, and K = `cells` >= 1.
 * The relative error is at most 1e-12. The result is 0 if `total` is 0.
 */
double sb_binomial_deviation(uint64_t total, size_t cells);

/* Returns E|X - Np|, where X is binomial with N = `total` trials of probability p, 0 <= p <= 1. The relative error is at
 * most 1e-9. */
double sb_binomial_deviation_of(uint64_t total, double p);

/*
 * Returns the average total variation that `total` shuffles show if there are `cells` equally likely deals.
 * The result is NaN if `total` is 0.
 */
double sb_total_variation_fair(uint64_t total, size_t cells);

#endif
