/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binomial counts: a confidence interval for the probability of success, an exact p-value, and the mean deviation
 * of a count.
 *
 * The tail: with b(c) = C(N, c) p^c q^(N-c), q = 1 - p and r = c - (N+1)p,
 *   P(X >= c) = c q b(c) / (B0 + A1/(B1 + A2/(B2 + ...))),
 *   A_i = (c+i-1)(N+i) i (N+1-c-i) p^2 / (c+2i-1)^2,
 *   B_i = i + i (N+1-c-i) p/(c+2i-1) + (c+i)(r + 1 + i (2-p))/(c+2i+1).
 * This is the even part of the continued fraction of the incomplete beta function I_p(c, N-c+1). Every term
 * is positive up to the end of the fraction, at i = N+1-c. ln b(c) is computed from deviances and Stirling's
 * remainder, without cancellation. To find the p at which the tail has a given value, the code solves for the
 * log odds t of p, because the logarithm of the tail is a concave function of t and nearly a parabola. (GSL
 * is no substitute: gsl_cdf_beta_Pinv gives some wrong results without an error, and gsl_cdf_beta_P is only
 * an approximation for N > 1e5 and small c.)
 *
 * Blaker's p-value of a count c is the smaller of P(X <= c) and P(X >= c), plus the largest tail on the other side
 * that is not larger. It is the probability that min(P(X' <= X), P(X' >= X)) is at most what was observed. So P(p <= x)
 * <= x, and p is never above twice the smaller tail: where Clopper and Pearson's interval at level 1 - alpha excludes a
 * probability, the p of this probability is below alpha.
 *
 * The mean deviation by De Moivre's formula: E|X - Np| = 2 k q C(N, k) p^k q^(N-k), k = floor(Np) + 1.
 *
 * Cost: an interval or a p-value takes about 20 tails, and a tail takes about sqrt(Npq) steps. The mean deviation is
 * O(1). Clopper and Pearson, doi:10.1093/biomet/26.4.404. Blaker, Confidence curves and improved exact confidence
 * intervals for discrete distributions, Canadian Journal of Statistics 28 (2000) 783. Didonato and Morris,
 * doi:10.1145/131766.131776. Loader, Fast and accurate computation of binomial probabilities, 2000. Diaconis and
 * Zabell, Closed form summation for classical distributions, Statistical Science 6, 1991.
 */
#include "fit/numeric.h"

#include <float.h>
#include <math.h>

static const double binomial_two_pi = 6.283185307179586477;

double sb_binomial_ln(double count, double total, double mean, double rest_mean, double excess)
{
    const double rest = total - count;

    return 0.5 * log(total / (binomial_two_pi * count * rest)) + sb_stirling_rest(total) - sb_stirling_rest(count) -
           sb_stirling_rest(rest) - sb_divergence(count, mean, excess) - sb_divergence(rest, rest_mean, -excess);
}

/* B0 + A1/(B1 + ...) by Lentz's method; `surplus` is r = c - (N+1)p, at least -1. */
static double binomial_fraction(double count, double total, double p, double surplus)
{
    double value = count * (surplus + 1) / (count + 1), above = value, below = 0;

    for (double i = 1; i <= total - count; i++) {
        const double share = i * (total + 1 - count - i) * p, s = count + 2 * i - 1;
        const double a = (count + i - 1) * (total + i) / s * (share * p / s);
        const double b = i + share / s + (count + i) * (surplus + 1 + i * (2 - p)) / (s + 2);

        below = 1 / (b + a * below);
        above = b + a / above;
        value *= above * below;
        if (fabs(above * below - 1) < 2 * DBL_EPSILON)
            break;
    }
    return value;
}

/* The equation ln P(X >= count) = level, which is solved for the log odds of p. */
struct binomial_tail {
    double count, total, level;
};

/* ln P(X >= c) for 0 < c < total, where p is at most about c/total, and q = 1 - p. */
static double binomial_ln_upper(double c, double total, double p, double q)
{
    /* subtracts on the side with the smaller probability, which loses fewer digits */
    const double excess = p <= q ? total * p - c : (total - c) - total * q;
    const double surplus = p <= q ? -excess - p : q - 1 - excess;

    return sb_binomial_ln(c, total, total * p, total * q, excess) +
           log(c * q / binomial_fraction(c, total, p, surplus));
}

/* ln P(X >= count) - level at log odds t, for p up to count/total. */
static double binomial_ln_tail(const void *state, double t)
{
    const struct binomial_tail *const tail = state;

    return binomial_ln_upper(tail->count, tail->total, 1 / (1 + exp(-t)), 1 / (1 + exp(t))) - tail->level;
}

/* The log odds at which P(X >= count) = level, 0 < count < total, level < 1/2. */
static double binomial_solve(double count, double total, double level)
{
    const struct binomial_tail tail = { .count = count, .total = total, .level = log(level) };
    const double top = log(count / (total - count)); /* at these log odds, the tail is at least 1/2 */
    double step = sqrt(-2 * tail.level * total / (count * (total - count)));

    while (binomial_ln_tail(&tail, top - step) > 0)
        step *= 2;
    return sb_root_find(binomial_ln_tail, &tail, top - step, top, 1e-15);
}

void sb_binomial_interval(uint64_t count, uint64_t total, double alpha, double *low, double *high)
{
    const double c = (double)count, rest = (double)(total - count), all = (double)total, level = 0.5 * alpha;

    if (count == 0)
        *low = 0;
    else if (count == total)
        *low = exp(log(level) / all);
    else
        *low = 1 / (1 + exp(-binomial_solve(c, all, level)));
    if (count == total) /* this includes the case that total is 0 */
        *high = 1;
    else if (count == 0)
        *high = -expm1(log(level) / all);
    else /* X <= c means total - X >= total - c, and the log odds of 1 - p are the negative of those of p */
        *high = 1 / (1 + exp(binomial_solve(rest, all, level)));
}

/* ln P(X >= c) for any c. */
static double binomial_ln_at_least(double c, double total, double p, double q)
{
    if (c <= 0)
        return 0;
    if (c > total)
        return -INFINITY;
    if (c >= total)
        return total * log(p);
    if (c >= (total + 1) * p)
        return binomial_ln_upper(c, total, p, q);
    return log1p(-exp(binomial_ln_at_least(total - c + 1, total, q, p))); /* 1 - P(X <= c - 1) */
}

double sb_binomial_ln_at_least(double count, double total, double p)
{
    return binomial_ln_at_least(count, total, p, 1 - p);
}

/* ln of the largest P(X <= c) that is at most exp(ln_tail), c < count. Equal tails may differ by rounding. */
static double binomial_ln_opposite(double ln_tail, double count, double total, double p, double q)
{
    double none = -1, more = count; /* P(X <= none) is small enough, and P(X <= more) is too large */

    while (more - none > 1) {
        const double middle = floor((none + more) / 2);

        if (binomial_ln_at_least(total - middle, total, q, p) <= ln_tail + 1e-9)
            none = middle;
        else
            more = middle;
    }
    return none < 0 ? -INFINITY : binomial_ln_at_least(total - none, total, q, p);
}

double sb_binomial_ln_p(uint64_t count, uint64_t total, double p)
{
    const double c = (double)count, n = (double)total, q = 1 - p;
    const double upper = binomial_ln_at_least(c, n, p, q), lower = binomial_ln_at_least(n - c, n, q, p);
    const double tail = fmin(upper, lower);
    const double opposite =
        upper <= lower ? binomial_ln_opposite(tail, c, n, p, q) : binomial_ln_opposite(tail, n - c, n, q, p);

    return fmin(0, tail + log1p(exp(opposite - tail)));
}

/* Returns E|X - np|, where k is the smallest integer above np, q = 1 - p and excess = np - k. */
static double binomial_deviation(double k, double n, double p, double q, double excess)
{
    if (k >= n)
        return 2 * n * q * pow(p, n);
    return 2 * k * q * exp(sb_binomial_ln(k, n, n * p, n * q, excess));
}

double sb_binomial_deviation(uint64_t total, size_t cells)
{
    const uint64_t whole = total / cells;
    const double k = (double)whole + 1, p = 1 / (double)cells, q = (double)(cells - 1) * p;
    const double excess = ((double)(total % cells) - (double)cells) * p; /* in -1..0 */

    return total == 0 || cells == 1 ? 0 : binomial_deviation(k, (double)total, p, q, excess);
}

double sb_binomial_deviation_of(uint64_t total, double p)
{
    const double n = (double)total, q = 1 - p, k = floor(n * p) + 1;

    return total == 0 || p <= 0 || q <= 0 ? 0 : binomial_deviation(k, n, p, q, n * p - k);
}

double sb_total_variation_fair(uint64_t total, size_t cells)
{
    return total ? 0.5 * (double)cells * (sb_binomial_deviation(total, cells) / (double)total) : NAN;
}

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
