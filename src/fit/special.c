/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Special functions, such as the lower tail P and the upper tail Q of chi-square, and those of binomial counts
 * (further below). ln Q is accurate even where Q underflows.
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
#include "fit/fit.h"

#include <float.h>
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
                                z * (1.0 / 1680 - z * (1.0 / 1188 - z * (691.0 / 360360 -
                                                                         z * (1.0 / 156 - z * (3617.0 / 122400))))))));
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

/*
 * The zero of a rising function, by secants and bisection.
 *
 * The secant through the two ends of the bracket gives the next point. If one end of the bracket has stayed
 * the same for two steps, the code halves the value of f at this end before it draws the secant (the Illinois
 * rule). If three steps have not halved the bracket, the next point is the middle of the bracket. So the
 * search never leaves the bracket and always ends. For a smooth function it takes about 10 evaluations.
 * Dowell and Jarratt, doi:10.1007/BF01934364.
 */

enum {
    ROOT_STEPS = 300, /* more than three for each bit of a double */
};

double sb_root_find(sb_rising *f, const void *state, double low, double high, double tolerance)
{
    double f_low = f(state, low), f_high = f(state, high), t = high, width = high - low;
    /* positive: number of steps in a row in which `high` has stayed the same; negative: minus the number of
     * steps in a row in which `low` has stayed the same */
    int stayed = 0;

    for (int step = 1; step <= ROOT_STEPS; step++) {
        const double last = t;
        const bool third = step % 3 == 0, slow = third && high - low > 0.5 * width;

        if (third)
            width = high - low;
        t = high - f_high * ((high - low) / (f_high - f_low));
        if (slow || !(t > low && t < high)) /* t is outside if f is infinite at an end */
            t = low + 0.5 * (high - low);
        const double value = f(state, t);
        if (value == 0 || fabs(t - last) <= tolerance * (1 + fabs(t)))
            return t;
        if (value < 0) {
            low = t;
            f_low = value;
            stayed = stayed > 0 ? stayed + 1 : 1;
            if (stayed > 1)
                f_high *= 0.5;
        } else {
            high = t;
            f_high = value;
            stayed = stayed < 0 ? stayed - 1 : -1;
            if (stayed < -1)
                f_low *= 0.5;
        }
    }
    return t;
}

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

double sb_tails_hypergeometric(size_t n, size_t width, size_t value)
{
    const double all = (double)n, w = (double)width, x = (double)value;
    const double ln_p = sb_ln_choose(w, x) + sb_ln_choose(all - w, w - x) - sb_ln_choose(all, w);
    const bool above = x * all >= w * w;
    double term = 1, sum = 1;

    /* p(y + 1)/p(y) = (w - y)^2/((y + 1)(n - 2w + y + 1)) */
    for (double y = x; above && y < w && term > tails_least * sum; y++)
        sum += term *= (w - y) * (w - y) / ((y + 1) * (all - 2 * w + y + 1));
    for (double y = x; !above && y > 0 && term > tails_least * sum; y--)
        sum += term *= y * (all - 2 * w + y) / ((w - y + 1) * (w - y + 1));
    return tails_both(ln_p + log(sum));
}

double sb_ln_sum(const double ln_x[], size_t count)
{
    double most = ln_x[0], sum = 0;

    for (size_t i = 1; i < count; i++)
        most = fmax(most, ln_x[i]);
    if (isinf(most))
        return most;
    for (size_t i = 0; i < count; i++)
        sum += exp(ln_x[i] - most);
    return most + log(sum);
}

/* ln of the sum of exp(ln_p[i]) over i = first..last. */
static double tails_ln_sum(const double ln_p[], size_t first, size_t last)
{
    struct sb_sum sum = { 0, 0 };
    double most = ln_p[first];

    for (size_t i = first; i <= last; i++)
        most = fmax(most, ln_p[i]);
    for (size_t i = first; i <= last && most > -INFINITY; i++)
        sb_sum_add(&sum, sb_exp(ln_p[i] - most));
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

/*
 * Sorts cells by their keys, by several counting sorts: one for each digit in which keys differ, beginning with
 * the lowest digit. The counts of a fair shuffle are close to each other, so most counts differ from the largest
 * count only in one or two digits. Digits have five bits for up to ORDER_MANY cells, else eight bits. Cost: 32 or
 * 256 operations and 2 N more per digit, for N cells. Knuth, The Art of Computer Programming, vol. 3, 5.2.5.
 */

enum {
    ORDER_BITS = 8, /* bits of a digit, and fewer if there are at most ORDER_MANY cells */
    ORDER_BITS_FEWER = 5,
    ORDER_MANY = 200,
};

static void order_by_digit(size_t count, uint64_t most, unsigned shift, unsigned bits, const struct sb_keyed from[],
                           struct sb_keyed to[])
{
    const size_t digits = (size_t)1 << bits;
    size_t start[(1 << ORDER_BITS) + 1];

    memset(start, 0, (digits + 1) * sizeof start[0]);
    for (size_t i = 0; i < count; i++)
        start[((most - from[i].key) >> shift & (digits - 1)) + 1]++;
    for (size_t digit = 0; digit < digits; digit++)
        start[digit + 1] += start[digit];
    for (size_t i = 0; i < count; i++)
        to[start[(most - from[i].key) >> shift & (digits - 1)]++] = from[i];
}

void sb_order_falling(size_t count, struct sb_keyed item[], struct sb_keyed spare[])
{
    const unsigned bits = count > ORDER_MANY ? ORDER_BITS : ORDER_BITS_FEWER;
    uint64_t least = UINT64_MAX, most = 0;
    struct sb_keyed *from = item, *to = spare;

    for (size_t i = 0; i < count; i++) {
        least = item[i].key < least ? item[i].key : least;
        most = item[i].key > most ? item[i].key : most;
    }
    for (unsigned shift = 0; shift < 64 && (most - least) >> shift; shift += bits) {
        struct sb_keyed *const sorted = to;

        order_by_digit(count, most, shift, bits, from, to);
        to = from;
        from = sorted;
    }
    if (from != item)
        memcpy(item, from, count * sizeof *item);
}

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
