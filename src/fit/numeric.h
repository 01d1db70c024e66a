/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Special functions, laws and their tails. */
#ifndef SB_FIT_NUMERIC_H
#define SB_FIT_NUMERIC_H

#include <stddef.h>
#include <stdint.h>

/*
 * Special functions. Only special.c calls gsl_cdf_* and gsl_sf_*, and only with arguments for which these
 * functions have no error to report. So GSL's global error handler can stay unchanged. Any thread may call
 * the functions of this header.
 */

/*
 * The upper tail of the central chi-square distribution with `dof` degrees of freedom. The first function
 * returns ln Q at x, and the second returns Q.
 *
 * dof > 0 need not be whole. For dof from 1 to 4e9 and every x, Q has a relative error of at most 1e-11. ln Q
 * has one of at most 1e-12, even where Q underflows or rounds to 1; where 1 - Q is below 1e-300, ln Q may be
 * 0. Q = 1 and ln Q = 0 for x <= 0 and for dof <= 0. The result is NaN if an argument is NaN.
 */
double sb_chisq_ln_q(double x, double dof);
double sb_chisq_q(double x, double dof);

/* The lower tail, P = 1 - Q, with the same relative accuracy even if P is small; 0 if P is below 1e-308. */
double sb_chisq_p(double x, double dof);

/*
 * Returns k ln(k/mean) + mean - k, for k >= 0 and mean > 0. This is half the deviance of a Poisson count. The
 * result is never negative, and its relative error is at most 2e-15 however near k is to the mean. `excess`
 * is mean - k; the caller may know `excess` more exactly than a subtraction would compute it.
 */
double sb_divergence(double k, double mean, double excess);

/* Stirling's remainder, ln Gamma(k) - ((k - 1/2) ln k - k + ln(2 pi)/2), k > 0: about 1/(12 k). Its
 * error is at most 2e-15, and 1e-15 of its value more. */
double sb_stirling_rest(double k);

/* ln(mean^k e^-mean / Gamma(k+1)), k >= 0, mean > 0: the Poisson law for whole k, without cancellation. Its
 * error is at most 1e-14, and 2e-15 of its value more. */
double sb_ln_poisson(double k, double mean);

/* The z that a standard normal variable exceeds with probability `tail`, 0 < tail < 1. The relative
 * error is at most 1e-14 for a tail from 1e-300 to 0.49. */
double sb_normal_upper(double tail);

/* The zero of a rising function, by secants and bisection. */

/* A function that rises with t. Its values may be infinite. */
typedef double sb_rising(const void *state, double t);

/*
 * Returns the t in low..high at which f crosses 0. f(low) <= 0 <= f(high) is required. The search ends after
 * a step of at most tolerance * (1 + |t|). The remaining error is several times smaller than this step. If
 * f(low) and f(high) are finite, their ratio must be far below 1/tolerance. Otherwise the first secants move
 * less than the tolerance, far from the root.
 */
double sb_root_find(sb_rising *f, const void *state, double low, double high, double tolerance);

/* Binomial counts: a confidence interval for the probability of success, an exact p-value, and the mean deviation
 * of a count. */

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

/* Returns ln P(X >= count) of a binomial X, 0 < p < 1, for any whole count. */
double sb_binomial_ln_at_least(double count, double total, double p);

/* ln of the probability of `count` successes, C(N, c) p^c q^(N-c), 0 < c < N, q = 1 - p. The means are Np and Nq;
 * `excess` is Np - c. */
double sb_binomial_ln(double count, double total, double mean, double rest_mean, double excess);

/*
 * Returns E|X - N/K|, where X is binomial with N = `total` trials of probability 1/K, and K = `cells` >= 1.
 * The relative error is at most 1e-12. The result is 0 if `total` is 0.
 */
double sb_binomial_deviation(uint64_t total, size_t cells);

/* Returns E|X - Np|, where X is binomial with N = `total` trials of probability p, 0 <= p <= 1. The relative error is
 * at most 1e-9. */
double sb_binomial_deviation_of(uint64_t total, double p);

/*
 * Returns the average total variation that `total` shuffles show if there are `cells` equally likely deals.
 * The result is NaN if `total` is 0.
 */
double sb_total_variation_fair(uint64_t total, size_t cells);

/*
 * The divergence of two coins is kl(a||s) = a ln(a/s) + (1-a) ln((1-a)/(1-s)). These functions solve kl(a||s)
 * = r for s. The solution bounds the true probability of an event whose observed share is a.
 */

/*
 * Returns the largest d with kl(a || a+d) <= r, accurate to 1e-13. 0 <= a <= 1, and r > 0. So sup{s :
 * kl(a||s) <= r} is a + d, and inf{s : kl(a||s) <= r} is a - sb_kl_rise(1-a, r).
 */
double sb_kl_rise(double a, double r);

/* A lower bound on sb_kl_rise(). Its only costly operation is a square root. */
double sb_kl_rise_least(double a, double r);

/* The noncentral chi-square distribution. A chi-square statistic has this distribution if the null hypothesis
 * is wrong. */

/*
 * The tails at x: the first function returns Q = P(X > x), and the second returns P = 1 - Q. x < 1e150, dof >
 * 0, noncentrality lambda >= 0. The mean of X is dof + lambda.
 *
 * For lambda up to 1e6, the relative error is at most 1e-10 if the tail is above 1e-40. For a far smaller
 * tail, the result may be 0. For larger lambda, Sankaran's approximation has a relative error of at most 2e-5
 * within 6 standard deviations of the mean. The result is NaN if an argument is NaN.
 */
double sb_noncentral_q(double x, double dof, double lambda);
double sb_noncentral_p(double x, double dof, double lambda);

/*
 * The equal-tailed confidence interval at level 1 - alpha for lambda, given the value x: Q = alpha/2 at *low,
 * and P = alpha/2 at *high. If no lambda satisfies the equation of an end, this end is 0. 0 <= x < 1e150, dof
 * > 0, 0 < alpha < 1. For ends up to 1e6, the error is at most 1e-10 of the end, and 1e-10 more.
 */
void sb_noncentral_interval(double x, double dof, double alpha, double *low, double *high);

/*
 * Tails of laws, for p-values of a single observation. Each function returns ln p for both sides together. p
 * is twice the probability of a value at least as far out on the same side, but at most 1. So P(p <= x) <= x
 * for every x. The error of ln p is at most 1e-14 of its value, and 1e-12 more, if a function does not state
 * another error.
 */

/* Poisson's law with mean 1. */
double sb_tails_poisson(size_t value);

/* The law of how many of `width` given items are at `width` given positions, in a random order of n items. 2
 * width <= n. For n up to 10^6, the error of ln p is at most 1e-14 of its value, and 1e-8 more, because ln of
 * a factorial has up to eight digits before the point. */
double sb_tails_hypergeometric(size_t n, size_t width, size_t value);

/* ln of the sum of exp(ln_x[i]), i < count, count >= 1. */
double sb_ln_sum(const double ln_x[], size_t count);

/* A law on `cells` values in ascending order: ln_p[i] is ln of the probability of value i. `cell` is the
 * index of the observed value. Tails may be far below the smallest double. */
double sb_tails_cells(const double ln_p[], size_t cells, size_t cell);

/*
 * An upper bound on p for any strictly sub-Gaussian law, that is, a law for which ln E exp(s (X - mean)) is
 * at most s^2 variance/2. Sums of independent uniform numbers have such a law; the numbers may be continuous,
 * or integers from 0 to m - 1. z is the distance from the mean in standard deviations.
 */
double sb_tails_subgaussian(double z);

/* An upper bound on p for a sum of independent bits with this mean, by Chernoff's bound. `value` must be
 * above the mean. */
double sb_tails_bits_above(double mean, double value);

/* Sorts cells by their keys, in linear time. */

struct sb_keyed {
    uint64_t key;
    size_t cell;
};

/* Sorts the items item[count] by their keys, in descending order. The sort is stable. spare[count] is
 * scratch. */
void sb_order_falling(size_t count, struct sb_keyed item[], struct sb_keyed spare[]);

#endif
