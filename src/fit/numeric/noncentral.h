/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The noncentral chi-square distribution: what a chi-square statistic does when the null hypothesis is wrong.
 */
#ifndef SB_FIT_NUMERIC_NONCENTRAL_H
#define SB_FIT_NUMERIC_NONCENTRAL_H

/*
 * The tails at x < 1e150, dof > 0, noncentrality lambda >= 0 (the mean is dof + lambda): Q is P(X > x), P the
 * rest.
 *
 * For lambda up to 1e6 right to 1e-10 relative where the tail is above 1e-40; a far smaller one may come out
 * as 0. Beyond, Sankaran's approximation, within 2e-5 relative over mean +- 6 standard deviations. NaN for
 * NaN.
 */
double sb_noncentral_q(double x, double dof, double lambda);
double sb_noncentral_p(double x, double dof, double lambda);

/*
 * The equal-tailed confidence interval at level 1 - alpha for lambda when x was seen: Q = alpha/2 at *low and
 * P = alpha/2 at *high, 0 where no lambda gives that. 0 <= x < 1e150, dof > 0, 0 < alpha < 1.
 */
void sb_noncentral_interval(double x, double dof, double alpha, double *low, double *high);

#endif
