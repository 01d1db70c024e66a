/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Solves the equation kl(a||s) = r for s, where kl is the divergence of two coins with the probabilities a
 * and s.
 *
 * With d = s - a, kl = -a ln(1 + d/a) - (1-a) ln(1 - d/(1-a)). This form is accurate even if d is small. kl
 * is convex and rises with d, so Newton's method finds the root; the slope is d/(s(1-s)). The start is a
 * lower bound on the root: kl is the integral of (t-a)/(t(1-t)) over t from a to s, and 1/(t(1-t)) is convex
 * in t. So kl is at most d^2/2 times the larger of 1/(a(1-a)) and 1/(s(1-s)). Cost: about 8 steps, each with
 * two logarithms.
 */
#include "fit/effect/kl.h"

#include <math.h>

enum { KL_STEPS = 200 }; /* a limit that the loop never reaches */

/* If a step is this small relative to d and to 1 - a - d, the next step would be negligible. */
static const double kl_tolerance = 1e-8;

double sb_kl_rise(double a, double r)
{
    const double rest = 1 - a;
    double d = sb_kl_rise_least(a, r);

    if (a >= 1 || isinf(r))
        return rest;
    if (a <= 0)
        return -expm1(-r);
    for (int i = 0; i < KL_STEPS && d > 0 && d < rest; i++) {
        const double beyond = -a * log1p(d / a) - rest * log1p(-d / rest) - r;
        const double step = -beyond * (a + d) * (rest - d) / d;
        const double near = kl_tolerance * fmin(d, rest - d);

        /* a step from below the root may lead beyond s = 1; the code then goes half of the way to s = 1 */
        d = d + step < rest ? d + step : d + 0.5 * (rest - d);
        if (fabs(step) <= near)
            break;
    }
    return d;
}

double sb_kl_rise_least(double a, double r)
{
    /* `late` solves d^2 (1 + 2r) - lean d = 2r a (1-a) for d. Of the two forms of the root, the code uses the
     * form that adds numbers of equal sign, so no digits cancel */
    const double lean = 2 * r * (1 - 2 * a), even = 2 * r * a * (1 - a);
    const double root = sqrt(lean * lean + 4 * (1 + 2 * r) * even);
    const double late = lean > 0 ? (lean + root) / (2 * (1 + 2 * r)) : 2 * even / (root - lean);

    return isinf(r) ? 1 - a : fmin(late, sqrt(even)) * (1 - 1e-9);
}
