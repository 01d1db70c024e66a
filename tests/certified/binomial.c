/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binomial intervals, mean deviations and the divergence of two coins are within the errors that
 * fit/numeric/binomial.h and fit/effect/kl.h state. */
#include "certified/certify.h"

#include "fit/effect/kl.h"
#include "fit/numeric/binomial.h"

#include <math.h>

enum { COUNT, TOTAL, LEVEL };

static struct claim claim_low = { "sb_binomial_interval: low", .relative = 1e-12 };
static struct claim claim_high = { "sb_binomial_interval: high", .relative = 1e-12 };
static struct claim claim_deviation = { "sb_binomial_deviation", .relative = 1e-12 };
static struct claim claim_kl = { "sb_kl_rise", .absolute = 1e-13 };

/*
 * ln P(X >= c) for X binomial with N trials of probability p: b(c) (1 + r1 + r1 r2 + ...), with the ratios
 * r_j = (N - c - j + 1)/(c + j) p/(1-p), which fall as j rises. As soon as they are below 1, a geometric
 * series bounds the terms that are left out.
 */
static void exact_ln_tail(double count, double total, const arb_t p, slong bits, arb_t value)
{
    arb_t odds, term, sum, part;
    double j = 0;

    arb_init(odds);
    arb_init(term);
    arb_init(sum);
    arb_init(part);
    arb_sub_ui(odds, p, 1, bits);
    arb_neg(odds, odds);
    arb_log(value, odds, bits); /* (N - c) ln q */
    arb_set_d(part, total - count);
    arb_mul(value, value, part, bits);
    arb_div(odds, p, odds, bits);
    arb_log(sum, p, bits); /* c ln p */
    arb_set_d(part, count);
    arb_addmul(value, sum, part, bits);
    arb_add_ui(part, part, 1, bits); /* ln of the binomial coefficient */
    arb_lgamma(part, part, bits);
    arb_sub(value, value, part, bits);
    arb_set_d(part, total - count);
    arb_add_ui(part, part, 1, bits);
    arb_lgamma(part, part, bits);
    arb_sub(value, value, part, bits);
    arb_set_d(part, total);
    arb_add_ui(part, part, 1, bits);
    arb_lgamma(part, part, bits);
    arb_add(value, value, part, bits);
    arb_one(sum);
    arb_one(term);
    do {
        j++;
        arb_set_d(part, total - count - j + 1);
        arb_mul(part, part, odds, bits);
        arb_div_si(part, part, (slong)(count + j), bits);
        arb_mul(term, term, part, bits);
        arb_add(sum, sum, term, bits);
    } while (j < total - count &&
             (arf_cmpabs_2exp_si(arb_midref(term), -bits) > 0 || arf_cmp_d(arb_midref(part), 0.999) > 0));
    if (j < total - count) {
        arb_sub_ui(part, part, 1, bits);
        arb_neg(part, part);
        arb_div(term, term, part, bits);
        arb_add_error(sum, term);
    }
    arb_log(sum, sum, bits);
    arb_add(value, value, sum, bits);
    arb_clear(part);
    arb_clear(sum);
    arb_clear(term);
    arb_clear(odds);
}

/* The sum may be cut off at 2^-bits of the first term only, so the sum is 1 or more and the rest is small
 * against it. */
static void subtract_ln(double level, slong bits, arb_t value)
{
    arb_t part;

    arb_init(part);
    arb_set_d(part, level);
    arb_mul_2exp_si(part, part, -1);
    arb_log(part, part, bits);
    arb_sub(value, value, part, bits);
    arb_clear(part);
}

/* ln P(X >= c) - ln(alpha/2) at p, which rises with p. */
static void low_sign(const double x[], const arb_t p, slong bits, arb_t value)
{
    exact_ln_tail(x[COUNT], x[TOTAL], p, bits, value);
    subtract_ln(x[LEVEL], bits, value);
}

/* ln(alpha/2) - ln P(X <= c) at p, where P(X <= c) = P(N - X >= N - c), and N - X has the probability 1 - p.
 * */
static void high_sign(const double x[], const arb_t p, slong bits, arb_t value)
{
    arb_t q;

    arb_init(q);
    arb_sub_ui(q, p, 1, bits);
    arb_neg(q, q);
    exact_ln_tail(x[TOTAL] - x[COUNT], x[TOTAL], q, bits, value);
    subtract_ln(x[LEVEL], bits, value);
    arb_neg(value, value);
    arb_clear(q);
}

static void check_interval(uint64_t count, uint64_t total, double alpha)
{
    const double x[CLAIM_ARGUMENTS] = { [COUNT] = (double)count, [TOTAL] = (double)total, [LEVEL] = alpha };
    double low, high;

    sb_binomial_interval(count, total, alpha, &low, &high);
    if (count > 0)
        certify_root(&claim_low, low, 0, 1, low_sign, x);
    else
        assert_true(low == 0);
    if (count < total)
        certify_root(&claim_high, high, 0, 1, high_sign, x);
    else
        assert_true(high == 1);
}

/* All counts of a few trials, and counts of many, at the levels of reports (0.001 divided among 10! deals)
 * and of 95%. */
static void intervals(void **state)
{
    static const double alphas[] = { 1e-100, 2.7e-10, 1e-3, 0.05, 0.5, 0.9 };
    static const uint64_t totals[] = { 1, 2, 3, 7, 20, 100000, 1000000000, UINT64_C(1) << 52 };

    (void)state;
    for (size_t i = 0; i < sizeof totals / sizeof totals[0]; i++)
        for (size_t j = 0; j < sizeof alphas / sizeof alphas[0]; j++) {
            for (uint64_t count = 0; count <= totals[i] && count < 8; count++)
                check_interval(count, totals[i], alphas[j]);
            if (totals[i] > 20) {
                check_interval(totals[i], totals[i], alphas[j]);
                check_interval(totals[i] - 1, totals[i], alphas[j]);
            }
        }
}

static void random_intervals(void **state)
{
    uint64_t seed = 4;

    (void)state;
    for (size_t i = 0; i < certify_cases(300); i++) {
        const uint64_t total = (uint64_t)random_scale(&seed, 2, 1e6);

        check_interval(random_below(&seed, (size_t)total + 1), total, random_scale(&seed, 1e-20, 0.99));
        check_interval((uint64_t)random_scale(&seed, 1, 3e4), (uint64_t)random_scale(&seed, 3e4, 0x1p52),
                       random_scale(&seed, 1e-20, 0.99));
    }
}

/* De Moivre: E|X - N/K| = 2 k q C(N, k) p^k q^(N-k), with p = 1/K, q = 1 - p and k = floor(N/K) + 1. */
static void exact_deviation(const double x[], slong bits, arb_t value)
{
    const double total = x[TOTAL], cells = x[COUNT], k = floor(total / cells) + 1;
    arb_t part, ln;

    arb_init(part);
    arb_init(ln);
    arb_set_d(part, total + 1);
    arb_lgamma(ln, part, bits);
    arb_set_d(part, k); /* ln(2 k/k!) = ln 2 - lgamma(k) */
    arb_lgamma(part, part, bits);
    arb_sub(ln, ln, part, bits);
    arb_set_d(part, total - k + 1);
    arb_lgamma(part, part, bits);
    arb_sub(ln, ln, part, bits);
    arb_set_d(part, cells); /* p^k q^(N-k+1) = (K-1)^(N-k+1)/K^(N+1) */
    arb_log(part, part, bits);
    arb_mul_si(part, part, (slong)total + 1, bits);
    arb_sub(ln, ln, part, bits);
    arb_set_d(part, cells - 1);
    arb_log(part, part, bits);
    arb_mul_si(part, part, (slong)(total - k + 1), bits);
    arb_add(ln, ln, part, bits);
    arb_exp(value, ln, bits);
    arb_mul_2exp_si(value, value, 1);
    arb_clear(ln);
    arb_clear(part);
}

static void deviations(void **state)
{
    uint64_t seed = 5;

    (void)state;
    for (size_t i = 0; i < certify_cases(3000); i++) {
        const double x[CLAIM_ARGUMENTS] = { [COUNT] = floor(random_scale(&seed, 2, i % 2 ? 30 : 4e6)),
                                            [TOTAL] = floor(random_scale(&seed, 1, i % 3 ? 1e3 : 1e12)) };

        certify(&claim_deviation, sb_binomial_deviation((uint64_t)x[TOTAL], (size_t)x[COUNT]),
                exact_deviation, x);
    }
}

/* kl(a || a+d) - r, which rises with d. */
static void kl_sign(const double x[], const arb_t d, slong bits, arb_t value)
{
    arb_t a, part;

    arb_init(a);
    arb_init(part);
    arb_set_d(a, x[0]);
    arb_div(part, d, a, bits); /* -a ln(1 + d/a) */
    arb_log1p(part, part, bits);
    arb_mul(value, part, a, bits);
    arb_sub_ui(a, a, 1, bits); /* -(1-a) ln(1 - d/(1-a)) */
    arb_div(part, d, a, bits);
    arb_log1p(part, part, bits);
    arb_mul(part, part, a, bits);
    arb_sub(value, part, value, bits);
    arb_set_d(part, x[1]);
    arb_sub(value, value, part, bits);
    arb_clear(part);
    arb_clear(a);
}

static void coins(void **state)
{
    uint64_t seed = 6;

    (void)state;
    for (size_t i = 0; i < certify_cases(3000); i++) {
        const double near = random_scale(&seed, 1e-15, 0.5);
        const double x[CLAIM_ARGUMENTS] = { i % 2 ? near : 1 - near, random_scale(&seed, 1e-12, 40) };
        const double d = sb_kl_rise(x[0], x[1]);

        certify_root(&claim_kl, d, 0, 1 - x[0], kl_sign, x);
        assert_true(sb_kl_rise_least(x[0], x[1]) <= d);
    }
}

int main(int argc, char *argv[])
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals),
        cmocka_unit_test(random_intervals),
        cmocka_unit_test(deviations),
        cmocka_unit_test(coins),
    };
    static const struct claim *const claims[] = { &claim_low, &claim_high, &claim_deviation, &claim_kl };

    return certify_run(argc, argv, tests, sizeof tests / sizeof tests[0], claims,
                       sizeof claims / sizeof claims[0]);
}
