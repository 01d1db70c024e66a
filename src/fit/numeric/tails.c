/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tails of laws. Sums start at the observed value and go outwards. In this direction the terms fall, and no
 * term is negative.
 *
 * Strictly sub-Gaussian laws: For a uniform number X between 0 and 1, E exp(s (X - 1/2)) = sinh(u)/u <=
 * exp(u^2/6) with u = s/2. For a uniform integer X from 0 to m - 1 and q = e^s, E exp(s X) is (1 - q^m)/(1 -
 * q)/m, a polynomial in q whose roots lie on the unit circle. A pair of roots at angles t and -t contributes
 * the factor 1 + c (cosh s - 1) with c = 1/(1 - cos t) >= 1/2. This factor is at most exp(c s^2/2): at
 * s^(2k), the series of the factor has the coefficient c/(2k)!, and the series of exp(c s^2/2) has the
 * coefficient c^k/(2^k k!). The second coefficient is at least as large as the first, because c^(k-1) >= 2^k
 * k!/(2k)! = 1/(1 3 5 ... (2k-1)).
 *
 * H. Chernoff, A measure of asymptotic efficiency, Annals of Mathematical Statistics 23 (1952) 493.
 */
#include "fit/numeric/tails.h"

#include "core/ln_gamma.h"
#include "core/sum.h"

#include <math.h>
#include <stdbool.h>

static const double tails_ln_2 = 0.69314718055994530942;
static const double tails_least = 1e-18; /* terms below this share of a sum are left out */

/* ln p for both sides, from the logarithm of the probability of one side. */
static double tails_both(double ln_p)
{
    return fmin(0, ln_p + tails_ln_2);
}

double sb_tails_poisson(size_t value)
{
    const double x = (double)value;
    double term = 1, sum = 1;

    if (value == 0)
        return tails_both(-1);
    if (value == 1)
        return 0;
    for (double m = x + 1; term > tails_least * sum; m++)
        sum += term /= m;
    return tails_both(log(sum) - 1 - sb_ln_gamma(x + 1));
}

static double tails_ln_binomial(double n, double k)
{
    return sb_ln_gamma(n + 1) - sb_ln_gamma(k + 1) - sb_ln_gamma(n - k + 1);
}

double sb_tails_hypergeometric(size_t n, size_t width, size_t value)
{
    const double all = (double)n, w = (double)width, x = (double)value;
    const double ln_p =
        tails_ln_binomial(w, x) + tails_ln_binomial(all - w, w - x) - tails_ln_binomial(all, w);
    const bool above = x * all >= w * w;
    double term = 1, sum = 1;

    /* p(y + 1)/p(y) = (w - y)^2/((y + 1)(n - 2w + y + 1)) */
    for (double y = x; above && y < w && term > tails_least * sum; y++)
        sum += term *= (w - y) * (w - y) / ((y + 1) * (all - 2 * w + y + 1));
    for (double y = x; !above && y > 0 && term > tails_least * sum; y--)
        sum += term *= y * (all - 2 * w + y) / ((w - y + 1) * (w - y + 1));
    return tails_both(ln_p + log(sum));
}

/* ln of the sum of exp(ln_p[i]) over i = first..last. */
static double tails_ln_sum(const double ln_p[], size_t first, size_t last)
{
    struct sb_sum sum = { 0, 0 };
    double most = ln_p[first];

    for (size_t i = first; i <= last; i++)
        most = fmax(most, ln_p[i]);
    for (size_t i = first; i <= last && most > -INFINITY; i++)
        sb_sum_add(&sum, exp(ln_p[i] - most));
    return most > -INFINITY ? most + log(sb_sum_value(&sum)) : -INFINITY;
}

double sb_tails_cells(const double ln_p[], size_t cells, size_t cell)
{
    return tails_both(fmin(tails_ln_sum(ln_p, 0, cell), tails_ln_sum(ln_p, cell, cells - 1)));
}

double sb_tails_subgaussian(double z)
{
    return tails_both(-z * z / 2);
}

double sb_tails_bits_above(double mean, double value)
{
    return tails_both(value - mean - value * log(value / mean));
}
