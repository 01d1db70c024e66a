/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The noncentral chi-square distribution. A chi-square statistic has this distribution if the null hypothesis
 * is wrong. */
#ifndef SB_FIT_NUMERIC_NONCENTRAL_H
#define SB_FIT_NUMERIC_NONCENTRAL_H

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

#endif
