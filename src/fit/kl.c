/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The divergence of two coins, solved for the second.
 *
 * In d = s - a, kl = -a ln(1 + d/a) - (1-a) ln(1 - d/(1-a)), which keeps its digits where d is small. It
 * rises with d and is convex. It is at least 2 d^2 (Pinsker), which gives an upper end for the root, and at
 * most d^2/(s(1-s)), the chi-square distance, which gives a lower one. Cost: some 8 times two logarithms.
 *
 * Slope: d kl/da + d kl/ds * ds/da = 0 with d kl/da = -ln(1 + d/a) + ln(1 - d/(1-a)), d kl/ds = d/(s(1-s)).
 */
#include "fit/kl.h"

#include "fit/root.h"

#include <math.h>

static const double kl_tolerance = 1e-14;

struct kl_goal {
    double a, r;
};

static double kl_beyond(const void *state, double d)
{
    const struct kl_goal *const goal = state;
    const double a = goal->a, rest = 1 - a;

    return -a * log1p(d / a) - rest * log1p(-d / rest) - goal->r;
}

double sb_kl_rise(double a, double r)
{
    const struct kl_goal goal = { .a = a, .r = r };
    /* a little wider than Pinsker's, for the sake of rounding */
    const double pinsker = sqrt(0.5 * r) * (1 + 1e-9);

    if (a >= 1 || isinf(r))
        return 1 - a;
    if (a <= 0)
        return -expm1(-r);
    return sb_root_find(kl_beyond, &goal, sb_kl_rise_least(a, r), fmin(pinsker, 1 - a), kl_tolerance);
}

double sb_kl_rise_least(double a, double r)
{
    /* d^2 (1+r) - lean d = r a (1-a); of the two forms the one that adds */
    const double lean = r * (1 - 2 * a), even = r * a * (1 - a);
    const double root = sqrt(lean * lean + 4 * (1 + r) * even);

    if (isinf(r))
        return 1 - a;
    return (lean > 0 ? (lean + root) / (2 * (1 + r)) : 2 * even / (root - lean)) * (1 - 1e-9);
}

double sb_kl_slope(double a, double d)
{
    const double s = a + d, rest = 1 - a - d;

    if (rest <= 0)
        return 0;
    return (log1p(d / a) - log1p(-d / (1 - a))) * s * rest / d;
}
