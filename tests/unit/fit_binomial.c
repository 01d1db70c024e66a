/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Intervals for a probability and De Moivre's mean deviation, against high-precision values
 * (data/vectors/binomial.txt) and sums of their terms.
 */
#include "unit/test.h"

#include "fit/numeric.h"
#include "unit/assert_near.h"
#include "unit/vectors.h"

#include <math.h>

static void compute_interval(const struct vector *v, struct vector_field got[])
{
    sb_binomial_interval(v->in[0].whole, v->in[1].whole, v->in[2].real, &got[0].real, &got[1].real);
}

static void compute_mean_deviation(const struct vector *v, struct vector_field got[])
{
    got[0].real = sb_binomial_deviation(v->in[0].whole, (size_t)v->in[1].whole);
}

TEST(known_vectors)
{
    static const struct vector_kind kinds[] = {
        { "interval", .in = "nnr", .out = "rr", .relative = 1e-12, .least = 13, .compute = compute_interval },
        { "mean-deviation", .in = "nn", .out = "r", .relative = 1e-12, .least = 9,
          .compute = compute_mean_deviation },
        { .name = NULL },
    };

    vectors_check("binomial.txt", kinds);
}

/* Where nothing was counted nothing is known; the ends of 0 of N and N of N have closed forms. */
TEST(intervals_at_the_ends)
{
    double low, high;

    sb_binomial_interval(0, 0, 0.05, &low, &high);
    assert_true(low == 0 && high == 1);
    sb_binomial_interval(0, 1000000000000, 0.05, &low, &high);
    assert_true(low == 0);
    assert_near(high, -log(0.025) / 1e12, 1e-11); /* 1 - 0.025^(1/N) */
    sb_binomial_interval(1000000000000, 1000000000000, 0.05, &low, &high);
    assert_true(high == 1);
    assert_near(1 - low, -log(0.025) / 1e12, 1e-3); /* so close to 1 a double is no better */
}

TEST(nothing_deviates)
{
    assert_true(sb_binomial_deviation(0, 6) == 0);
    assert_true(sb_binomial_deviation(1000, 1) == 0);
    assert_true(sb_binomial_deviation_of(0, 0.5) == 0);
    assert_true(sb_binomial_deviation_of(1000, 0) == 0);
    assert_true(sb_binomial_deviation_of(1000, 1) == 0);
}

/* Two throws of a fair coin: HH and TT are 1/2 from uniform, HT and TH 0; one throw of a die is 5/6 from it.
 */
TEST(total_variation_of_the_fair)
{
    assert_near(sb_total_variation_fair(2, 2), 0.25, 1e-14);
    assert_near(sb_total_variation_fair(1, 6), 5.0 / 6, 1e-14);
    assert_true(sb_total_variation_fair(100, 1) == 0);
    assert_true(isnan(sb_total_variation_fair(0, 6)));
}

/* Every count of small totals: the total probability of the counts whose smaller tail is at most that of the count. The p
 * is below alpha wherever an interval excludes the probability. */
TEST(p_by_summing)
{
    static const double shares[] = { 0.5, 0.25, 1.0 / 3, 0.01, 0.9, 1.0 / 40320 };

    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++)
        for (unsigned total = 1; total <= 30; total++) {
            double term[31], tail[31];

            for (unsigned c = 0; c <= total; c++)
                term[c] = exp(lgamma(total + 1.0) - lgamma(c + 1.0) - lgamma(total - c + 1.0) +
                              c * log(shares[i]) + (total - c) * log1p(-shares[i]));
            for (unsigned c = 0; c <= total; c++) {
                double low = 0, high = 0;

                for (unsigned x = 0; x <= c; x++)
                    low += term[x];
                for (unsigned x = c; x <= total; x++)
                    high += term[x];
                tail[c] = fmin(low, high);
            }
            for (unsigned c = 0; c <= total; c++) {
                const double ln_p = sb_binomial_ln_p(c, total, shares[i]);
                double p = 0, low, high;

                for (unsigned x = 0; x <= total; x++)
                    p += tail[x] <= tail[c] * (1 + 1e-9) ? term[x] : 0;
                assert_within(ln_p, log(fmin(1, p)), 1e-8);
                sb_binomial_interval(c, total, 0.01, &low, &high);
                assert_true((low <= shares[i] && shares[i] <= high) || ln_p < log(0.01) + 1e-8);
            }
        }
    assert_near(sb_binomial_ln_p(5, 5, 1.0 / 40320), -5 * log(40320), 1e-12);
}
