/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tails of fit/fit.h, and the p-value and the interval of repeated decks (fit/fit.h),
 * are within the errors that these headers state. */
#include "certified/certify.h"

#include "fit/fit.h"

#include <math.h>

static struct claim claim_poisson = { "sb_tails_poisson", .relative = 1e-14, .absolute = 1e-14 };
static struct claim claim_hypergeometric = { "sb_tails_hypergeometric", .relative = 1e-14, .absolute = 1e-8 };
static struct claim claim_cells = { "sb_tails_cells", .relative = 1e-14, .absolute = 1e-14 };
static struct claim claim_subgaussian = { "sb_tails_subgaussian", .relative = 1e-15, .absolute = 1e-15 };
static struct claim claim_bits = { "sb_tails_bits_above", .relative = 1e-14, .absolute = 1e-12 };
static struct claim claim_low = { "sb_birthday_interval: low", .relative = 1e-12 };
static struct claim claim_high = { "sb_birthday_interval: high", .relative = 1e-12 };
static struct claim claim_repeats = { "sb_birthday_ln_p", .relative = 1e-11, .absolute = 1e-11 };

/* min(0, value + ln 2) */
static void double_ln(slong bits, arb_t value)
{
    ARBS(part);

    arb_const_log2(part, bits);
    arb_add(value, value, part, bits);
    arb_zero(part);
    arb_min(value, value, part, bits);
}

/* Twice the smaller of P(X <= v) and P(X >= v), for Poisson's law with mean 1. */
static void exact_poisson(const double x[], slong bits, arb_t value)
{
    ARBS(a, mean);

    arb_set_d(a, x[0]);
    arb_one(mean);
    if (x[0] > 0)
        exact_ln_gamma_p(a, mean, bits, value);
    else
        arb_neg(value, mean);
    double_ln(bits, value);
}

/* ln of the binomial coefficient. */
static void exact_ln_choose(double n, double k, slong bits, arb_t value)
{
    ARBS(part);

    arb_set_d(part, n + 1);
    arb_lgamma(value, part, bits);
    arb_set_d(part, k + 1);
    arb_lgamma(part, part, bits);
    arb_sub(value, value, part, bits);
    arb_set_d(part, n - k + 1);
    arb_lgamma(part, part, bits);
    arb_sub(value, value, part, bits);
}

/* Twice the tail from the value away from the mean w^2/n, at most 1; all terms are added up. */
static void exact_hypergeometric(const double x[], slong bits, arb_t value)
{
    const double n = x[0], w = x[1], v = x[2];
    ARBS(sum, term);

    arb_one(sum);
    arb_one(term);
    for (double y = v; v * n >= w * w && y < w; y++) {
        arb_mul_si(term, term, (slong)((w - y) * (w - y)), bits);
        arb_div_si(term, term, (slong)((y + 1) * (n - 2 * w + y + 1)), bits);
        arb_add(sum, sum, term, bits);
    }
    for (double y = v; v * n < w * w && y > 0; y--) {
        arb_mul_si(term, term, (slong)(y * (n - 2 * w + y)), bits);
        arb_div_si(term, term, (slong)((w - y + 1) * (w - y + 1)), bits);
        arb_add(sum, sum, term, bits);
    }
    arb_log(value, sum, bits);
    exact_ln_choose(w, v, bits, term);
    arb_add(value, value, term, bits);
    exact_ln_choose(n - w, w - v, bits, term);
    arb_add(value, value, term, bits);
    exact_ln_choose(n, w, bits, term);
    arb_sub(value, value, term, bits);
    double_ln(bits, value);
}

/* The pairs of shares of a large report: n items in 8 or 64 shares. */
TEST(counts)
{
    uint64_t seed = 9;

    for (size_t value = 0; value < 65536; value += value < 40 ? 1 : value / 3)
        certify(&claim_poisson, sb_tails_poisson(value), exact_poisson, (const double[4]) { (double)value });
    for (size_t i = 0; i < certify_cases(60); i++) {
        const size_t n = (size_t)random_scale(&seed, 64, 1e6), w = n / (i % 2 ? 8 : 64);
        const double mean = (double)w * (double)w / (double)n;
        const double near = floor(mean + (random_share(&seed) * 20 - 10) * sqrt(mean));
        const size_t v = i % 5 ? (size_t)fmin(fmax(near, 0), (double)w) : random_below(&seed, w + 1);

        certify(&claim_hypergeometric, sb_tails_hypergeometric(n, w, v), exact_hypergeometric,
                (const double[4]) { (double)n, (double)w, (double)v });
    }
}

enum { CELLS = 300 };

static double cells_ln_p[CELLS];

/* x[0]: the cell. */
static void exact_cells(const double x[], slong bits, arb_t value)
{
    const size_t cell = (size_t)x[0];
    ARBS(low, high, part);

    for (size_t i = 0; i < CELLS; i++) {
        arb_set_d(part, cells_ln_p[i]);
        arb_exp(part, part, bits);
        if (i <= cell)
            arb_add(low, low, part, bits);
        if (i >= cell)
            arb_add(high, high, part, bits);
    }
    arb_min(low, low, high, bits);
    arb_log(value, low, bits);
    double_ln(bits, value);
}

/* A law like a normal law, down to 1e-300. */
TEST(laws)
{
    for (size_t i = 0; i < CELLS; i++)
        cells_ln_p[i] = -4 - 0.03 * ((double)i - 150) * ((double)i - 150) + sin((double)i);
    for (size_t cell = 0; cell < CELLS; cell++)
        certify(&claim_cells, sb_tails_cells(cells_ln_p, CELLS, cell), exact_cells, (const double[4]) { (double)cell });
}

static void exact_subgaussian(const double x[], slong bits, arb_t value)
{
    arb_set_d(value, x[0]);
    arb_mul(value, value, value, bits);
    arb_mul_2exp_si(value, value, -1);
    arb_neg(value, value);
    double_ln(bits, value);
}

/* value - mean - value ln(value/mean), and ln 2. */
static void exact_bits(const double x[], slong bits, arb_t value)
{
    ARBS(mean, part);

    arb_set_d(mean, x[0]);
    arb_set_d(value, x[1]);
    arb_div(part, value, mean, bits);
    arb_log(part, part, bits);
    arb_sub_ui(part, part, 1, bits);
    arb_mul(value, value, part, bits);
    arb_neg(value, value);
    arb_sub(value, value, mean, bits);
    double_ln(bits, value);
}

TEST(chernoff_bounds)
{
    uint64_t seed = 10;

    for (size_t i = 0; i < certify_cases(1000); i++) {
        const double mean = random_scale(&seed, 8, 15), z[4] = { random_scale(&seed, 0.01, 350) };
        const double x[4] = { mean, ceil(mean * random_scale(&seed, 1, 1e6)) };

        certify(&claim_subgaussian, sb_tails_subgaussian(z[0]), exact_subgaussian, z);
        certify(&claim_bits, sb_tails_bits_above(x[0], x[1]), exact_bits, x);
    }
}

/* Garwood: P(R >= r) = P(r, mean), and P(R <= r) = Q(r + 1, mean). */
static void garwood_sign(const double x[], bool low, const arb_t mean, slong bits, arb_t value)
{
    ARBS(part);

    arb_set_d(part, low ? x[0] : x[0] + 1);
    if (low)
        exact_ln_gamma_p(part, mean, bits, value);
    else
        exact_ln_gamma_q(part, mean, bits, value);
    arb_set_d(part, x[1]);
    arb_mul_2exp_si(part, part, -1);
    arb_log(part, part, bits);
    arb_sub(value, value, part, bits);
    if (!low)
        arb_neg(value, value);
}

static void low_sign(const double x[], const arb_t mean, slong bits, arb_t value)
{
    garwood_sign(x, true, mean, bits, value);
}

static void high_sign(const double x[], const arb_t mean, slong bits, arb_t value)
{
    garwood_sign(x, false, mean, bits, value);
}

TEST(poisson_intervals)
{
    uint64_t seed = 11;

    for (size_t i = 0; i < certify_cases(300); i++) {
        const double repeats = i < 20 ? (double)i : floor(random_scale(&seed, 1, 1e6));
        const double x[4] = { repeats, random_scale(&seed, 1e-12, 0.9) };
        double low, high;

        sb_birthday_interval((uint64_t)repeats, x[1], &low, &high);
        if (repeats > 0)
            certify_root(&claim_low, low, 0, HUGE_VAL, low_sign, x);
        certify_root(&claim_high, high, 0, HUGE_VAL, high_sign, x);
    }
}

/* ln P(R >= r) for Poisson's law whose mean is the sum of -ln(1 - t/D) over t < N, which is N ln D + lgamma(D
 * - N + 1) - lgamma(D + 1). x: decks N, ln(1/D), repeats r. */
static void exact_repeats(const double x[], slong bits, arb_t value)
{
    ARBS(mean, decks, part);

    arb_set_d(part, -x[1]);
    arb_set_d(mean, x[0]);
    arb_mul(mean, mean, part, bits);
    arb_exp(decks, part, bits);
    arb_add_ui(part, decks, 1, bits);
    arb_lgamma(part, part, bits);
    arb_sub(mean, mean, part, bits);
    arb_sub_ui(part, decks, (ulong)x[0] - 1, bits);
    arb_lgamma(part, part, bits);
    arb_add(mean, mean, part, bits);
    arb_set_d(part, x[2]);
    if (arb_is_positive(mean))
        exact_ln_gamma_p(part, mean, bits, value);
    else
        arb_indeterminate(value);
}

/* Up to 16,777,216 decks of 10 to 104 cards, with so many repeats that p is 1e-26633 in some cases. The value
 * may be too large by r (N/D)^2/6, but not too small. */
TEST(repeated_decks)
{
    const double rounding = claim_repeats.absolute;
    uint64_t seed = 12;
    ARBS(truth, least);

    for (size_t i = 0; i < certify_cases(400); i++) {
        const double cards = 10 + (double)random_below(&seed, 95), ln_pair = -lgamma(cards + 1);
        const double room = exp(fmin(-ln_pair, 600) * 0.6), decks = floor(random_scale(&seed, 2, fmin(0x1p24, room)));
        const double mean = exp(2 * log(decks) + ln_pair) / 2, share = decks * exp(ln_pair);
        const double x[4] = { decks, ln_pair, ceil(mean + random_scale(&seed, 0.1, 500)) };
        const struct sb_birthday birthday = { .ln_pair = ln_pair, .decks = (uint64_t)decks, .repeats = (uint64_t)x[2] };
        const double got = sb_birthday_ln_p(&birthday);

        claim_repeats.absolute = rounding + x[2] * share * share / 6;
        certify(&claim_repeats, got, exact_repeats, x);
        exact_repeats(x, 4096, truth);
        arb_set_d(least, got + rounding * (1 + fabs(got)));
        assert_true(arb_is_finite(truth) && arb_ge(least, truth));
    }
    claim_repeats.absolute = rounding;
}
