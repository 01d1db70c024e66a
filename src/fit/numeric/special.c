/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Special functions, such as the lower tail P and the upper tail Q of chi-square. ln Q is accurate even where
 * Q underflows.
 *
 * With a = dof/2, y = x/2, t = y^a e^-y / Gamma(a+1):
 *   Q = t a / (y + 1 - a - 1(1 - a)/(y + 3 - a - 2(2 - a)/(y + 5 - a - ...))), by Lentz's method, for y >= a;
 *   P = t (1 + y/(a+1) + y^2/((a+1)(a+2)) + ...), for y < a.
 * ln t = -D(a, y) - ln(2 pi a)/2 - rest(a), where D(k, m) = k ln(k/m) + m - k, and `rest` is Stirling's
 * remainder. This form has no cancellation, while -y + a ln y - lnGamma(a) loses digits as a grows.
 *
 * rest(k) = 1/(12 k) - 1/(360 k^3) + 1/(1260 k^5) - ... for large k, and rest(k) = rest(k+1) + (k + 1/2) ln(1
 * + 1/k) - 1 for small k.
 *
 * If y < a, ln Q is ln(1 - P), which keeps its digits however small P is. For fewer than one degree of
 * freedom, where the fraction takes many steps and 1 - P loses digits, Q comes from GSL if D(a, y) < 680. In
 * this range nothing underflows, so GSL has no error to report and never calls its error handler, which all
 * threads share. (GSL is not used elsewhere: its Q has errors of 2e-13 up to 1,000 degrees of freedom, and of
 * 2e-5 at 10^6.) Cost: about sqrt(dof) steps of the series or the fraction, and at least 30.
 *
 * NIST Digital Library of Mathematical Functions, 5.11.1, 8.7.1 and 8.9.2, https://dlmf.nist.gov/8
 */
#include "fit/numeric/special.h"

#include <float.h>
#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_log.h>

static const double special_ln_two_pi = 1.8378770664093454836; /* ln(2 pi) */
static const double special_stirling_least = 10; /* from this k on, Stirling's series has full precision */
static const double special_gsl_tail =
    680; /* the largest D(a, y) for which GSL is used; with this limit, both tails stay above 1e-300 */

enum {
    SPECIAL_STEPS = 100000000, /* a limit that no loop reaches */
};

double sb_divergence(double k, double mean, double excess)
{
    if (k <= 0)
        return mean;
    if (mean < 0.5 * k || mean > 2 * k)
        return k * log(k / mean) + excess;
    return -k * gsl_sf_log_1plusx_mx(excess / k);
}

double sb_stirling_rest(double k)
{
    double sum = 0;

    for (; k < special_stirling_least; k++)
        sum += (k + 0.5) * log1p(1 / k) - 1;
    const double y = 1 / k, z = y * y;

    return sum + y * (1.0 / 12 -
                      z * (1.0 / 360 -
                           z * (1.0 / 1260 -
                                z * (1.0 / 1680 -
                                     z * (1.0 / 1188 -
                                          z * (691.0 / 360360 - z * (1.0 / 156 - z * (3617.0 / 122400))))))));
}

double sb_ln_poisson(double k, double mean)
{
    if (k <= 0)
        return -mean;
    return -sb_divergence(k, mean, mean - k) - 0.5 * (special_ln_two_pi + log(k)) - sb_stirling_rest(k);
}

/* 1 + y/(a+1) + y^2/((a+1)(a+2)) + ..., for y < a. */
static double special_series(double a, double y)
{
    double sum = 1, term = 1;

    for (int i = 1; i < SPECIAL_STEPS && term > sum * (DBL_EPSILON / 16); i++) {
        term *= y / (a + i);
        sum += term;
    }
    return sum;
}

/*
 * y + 1 - a - 1(1 - a)/(y + 3 - a - 2(2 - a)/(y + 5 - a - ...)), for y >= a. No denominator comes near 0: by
 * induction, the i-th denominator is at least i + 1.
 */
static double special_fraction(double a, double y)
{
    double b = y - a + 1, value = b, above = b, below = 0;

    for (int i = 1; i < SPECIAL_STEPS; i++) {
        const double numerator = i * (a - i);

        b += 2;
        below = 1 / (b + numerator * below);
        above = b + numerator / above;
        value *= above * below;
        if (fabs(above * below - 1) < 2 * DBL_EPSILON)
            break;
    }
    return value;
}

double sb_chisq_ln_q(double x, double dof)
{
    const double a = 0.5 * dof, y = 0.5 * x;

    if (isnan(x) || isnan(dof))
        return NAN;
    if (x <= 0 || dof <= 0)
        return 0;
    if (y > 1e30 * fmax(a, 1)) /* compared with y, all other terms are negligible */
        return -y;
    if (dof < 1 && sb_divergence(a, y, y - a) < special_gsl_tail)
        return log(gsl_cdf_chisq_Q(x, dof));
    if (y < a)
        return log1p(-exp(sb_ln_poisson(a, y)) * special_series(a, y));
    return sb_ln_poisson(a, y) + log(a / special_fraction(a, y));
}

double sb_chisq_q(double x, double dof)
{
    return exp(sb_chisq_ln_q(x, dof));
}

double sb_chisq_p(double x, double dof)
{
    const double a = 0.5 * dof, y = 0.5 * x;

    if (x <= 0 || dof <= 0)
        return 0;
    if (y < a)
        return exp(sb_ln_poisson(a, y)) * special_series(a, y);
    return -expm1(sb_chisq_ln_q(x, dof));
}

double sb_normal_upper(double tail)
{
    return gsl_cdf_ugaussian_Qinv(tail);
}
