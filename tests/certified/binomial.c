/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binomial intervals, mean deviations and the divergence of two coins are within the errors that
 * fit/fit.h state. */
#include "certified/certify.h"

#include "fit/fit.h"

#include <math.h>

enum { COUNT, TOTAL };

static struct claim claim_low = { "sb_binomial_interval: low", .relative = 1e-12 };
static struct claim claim_high = { "sb_binomial_interval: high", .relative = 1e-12 };
static struct claim claim_deviation = { "sb_binomial_deviation", .relative = 1e-12 };
static struct claim claim_kl = { "sb_kl_rise", .absolute = 1e-13 };

static void check_interval(uint64_t count, uint64_t total, double alpha)
{
    const double x[CLAIM_ARGUMENTS] = { (double)count, (double)total, alpha, 1 };
    double low, high;

    sb_binomial_interval(count, total, alpha, &low, &high);
    if (count > 0)
        certify_root(&claim_low, low, 0, 1, exact_binomial_low, x);
    else
        assert_true(low == 0);
    if (count < total)
        certify_root(&claim_high, high, 0, 1, exact_binomial_high, x);
    else
        assert_true(high == 1);
}

/* All counts of a few trials, and counts of many, at the levels of reports (0.001 divided among 10! deals)
 * and of 95%. */
TEST(intervals)
{
    static const double alphas[] = { 1e-100, 2.7e-10, 1e-3, 0.05, 0.5, 0.9 };
    static const uint64_t totals[] = { 1, 2, 3, 7, 20, 100000, 1000000000, UINT64_C(1) << 52 };

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

TEST(random_intervals)
{
    uint64_t seed = 4;

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
    ARBS(part, ln);

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
}

TEST(deviations)
{
    uint64_t seed = 5;

    for (size_t i = 0; i < certify_cases(3000); i++) {
        const double x[CLAIM_ARGUMENTS] = { [COUNT] = floor(random_scale(&seed, 2, i % 2 ? 30 : 4e6)),
                                            [TOTAL] = floor(random_scale(&seed, 1, i % 3 ? 1e3 : 1e12)) };

        certify(&claim_deviation, sb_binomial_deviation((uint64_t)x[TOTAL], (size_t)x[COUNT]), exact_deviation, x);
    }
}

/* kl(a || a+d) - r, which rises with d. */
static void kl_sign(const double x[], const arb_t d, slong bits, arb_t value)
{
    ARBS(a, part);

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
}

TEST(coins)
{
    uint64_t seed = 6;

    for (size_t i = 0; i < certify_cases(3000); i++) {
        const double near = random_scale(&seed, 1e-15, 0.5);
        const double x[CLAIM_ARGUMENTS] = { i % 2 ? near : 1 - near, random_scale(&seed, 1e-12, 40) };
        const double d = sb_kl_rise(x[0], x[1]);

        certify_root(&claim_kl, d, 0, 1 - x[0], kl_sign, x);
        assert_true(sb_kl_rise_least(x[0], x[1]) <= d);
    }
}
