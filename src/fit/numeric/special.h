/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Special functions: the one place where gsl_cdf_* and gsl_sf_* are called, and only where they have no error
 * to report: GSL's error handler, a global of that library, is left alone. All of this is for any thread.
 */
#ifndef SB_FIT_NUMERIC_SPECIAL_H
#define SB_FIT_NUMERIC_SPECIAL_H

/*
 * The upper tail of the central chi-square distribution with `dof` degrees of freedom: ln Q and Q at x.
 *
 * dof > 0 need not be whole; from 1 to 4e9 Q is right to 1e-11 relative, and ln Q far beyond Q's underflow to
 * a few units in its last place, for every x. 0 (Q = 1) for x <= 0 and for dof <= 0; NaN for NaN.
 */
double sb_chisq_ln_q(double x, double dof);
double sb_chisq_q(double x, double dof);

/* The lower tail, P = 1 - Q, just as exact where it is small; 0 below 1e-308. */
double sb_chisq_p(double x, double dof);

/*
 * k ln(k/mean) + mean - k, for k >= 0 and mean > 0: the deviance of a Poisson count, never negative and full
 * of digits however near k is to the mean. `excess` is mean - k, which the caller may know better than its
 * difference.
 */
double sb_divergence(double k, double mean, double excess);

/* ln Gamma(k) - ((k - 1/2) ln k - k + ln(2 pi)/2), k > 0: what Stirling's formula leaves over, about 1/(12
 * k). */
double sb_stirling_rest(double k);

/* ln(mean^k e^-mean / Gamma(k+1)), k >= 0, mean > 0: the Poisson law for whole k, without cancellation. */
double sb_ln_poisson(double k, double mean);

/* The z that a standard normal variable exceeds with probability `tail`, 0 < tail < 1. */
double sb_normal_upper(double tail);

#endif
