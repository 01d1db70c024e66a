/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Special functions. Only special.c calls gsl_cdf_* and gsl_sf_*, and only with arguments for which these
 * functions have no error to report. So GSL's global error handler can stay unchanged. Any thread may call
 * the functions of this header.
 */
#ifndef SB_FIT_NUMERIC_SPECIAL_H
#define SB_FIT_NUMERIC_SPECIAL_H

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

#endif
