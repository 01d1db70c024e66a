/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ends of intervals, small sums of binomial terms, and tails of chi-square. tests/certified encloses the same
 * functions.
 */
#include "unit/test.h"

#include "fit/fit.h"
#include "known/assert_near.h"
#include "unit/vectors.h"

#include <gsl/gsl_errno.h>
#include <math.h>

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

/* Two throws of a fair coin: HH and TT are 1/2 from uniform, HT and TH 0; one throw of a die is 5/6 from
 * it. */
TEST(total_variation_of_the_fair)
{
    assert_near(sb_total_variation_fair(2, 2), 0.25, 1e-14);
    assert_near(sb_total_variation_fair(1, 6), 5.0 / 6, 1e-14);
    assert_true(sb_total_variation_fair(100, 1) == 0);
    assert_true(isnan(sb_total_variation_fair(0, 6)));
}

/* Every count of small totals: the total probability of the counts whose smaller tail is at most that of the count. The
 * p is below alpha wherever an interval excludes the probability. */
TEST(p_by_summing)
{
    static const double shares[] = { 0.5, 0.25, 1.0 / 3, 0.01, 0.9, 1.0 / 40320 };

    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++)
        for (unsigned total = 1; total <= 30; total++) {
            double term[31], tail[31];

            for (unsigned c = 0; c <= total; c++)
                term[c] = exp(lgamma(total + 1.0) - lgamma(c + 1.0) - lgamma(total - c + 1.0) + c * log(shares[i]) +
                              (total - c) * log1p(-shares[i]));
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

TEST(nothing_and_nonsense)
{
    double low, high;

    assert_true(sb_noncentral_q(0, 5, 3) == 1 && sb_noncentral_p(0, 5, 3) == 0);
    assert_true(isnan(sb_noncentral_q(1, 5, NAN)));
    sb_noncentral_interval(0, 5, 0.05, &low, &high);
    assert_true(low == 0 && high == 0);
}

/* With one degree of freedom, X is the square of a normal variable with the mean sqrt(lambda), which is hardly ever
 * below 0: P(X > x) is its tail beyond sqrt(x). */
TEST(a_huge_noncentrality)
{
    static const double lambda = 2e6;

    for (int z = -1; z <= 1; z += 2) {
        const double x = (sqrt(lambda) + z) * (sqrt(lambda) + z);

        assert_within(sb_noncentral_q(x, 1, lambda), 0.5 * erfc(z / sqrt(2)), 1e-11);
        assert_within(sb_noncentral_p(x, 1, lambda), 0.5 * erfc(-z / sqrt(2)), 1e-11);
    }
}

/* ---- fit special ---- */

/*
 * The tails of the chi-square distribution, against published tables and high-precision values
 * (data/vectors/chi_square.txt).
 */

static void compute_q(const struct vector *v, struct vector_field got[])
{
    got[0].real = sb_chisq_q(v->in[0].real, v->in[1].real);
}

static void compute_ln_q(const struct vector *v, struct vector_field got[])
{
    got[0].real = sb_chisq_ln_q(v->in[0].real, v->in[1].real);
}

static void compute_p(const struct vector *v, struct vector_field got[])
{
    got[0].real = sb_chisq_p(v->in[0].real, v->in[1].real);
}

static void compute_divergence(const struct vector *v, struct vector_field got[])
{
    got[0].real = sb_divergence(v->in[0].real, v->in[1].real, v->in[2].real);
}

static void compute_stirling_rest(const struct vector *v, struct vector_field got[])
{
    got[0].real = sb_stirling_rest(v->in[0].real);
}

TEST(special_known_vectors)
{
    static const struct vector_kind kinds[] = {
        { "chisq-q", .in = "rr", .out = "r", .relative = 1e-3, .least = 12, .compute = compute_q },
        { "chisq-ln-q", .in = "rr", .out = "r", .absolute = 1e-10, .least = 19, .compute = compute_ln_q },
        { "chisq-ln-q-of-small-p", .in = "rr", .out = "r", .relative = 1e-6, .least = 1, .compute = compute_ln_q },
        { "chisq-ln-q-far", .in = "rr", .out = "r", .relative = 1e-15, .least = 4, .compute = compute_ln_q },
        { "chisq-p", .in = "rr", .out = "r", .relative = 1e-11, .least = 6, .compute = compute_p },
        { "divergence", .in = "rrr", .out = "r", .relative = 1e-15, .least = 3, .compute = compute_divergence },
        { "stirling-rest", .in = "re", .out = "r", .least = 2, .compute = compute_stirling_rest },
        { .name = NULL },
    };

    vectors_check("chi_square.txt", kinds);
}

static void never_called(const char *reason, const char *file, int line, int number)
{
    fail();
}

/* GSL's error handler is the caller's, and other threads' too: it never hears of anything. */
TEST(no_errors_for_gsl_to_handle)
{
    gsl_error_handler_t *const before = gsl_set_error_handler(never_called);

    for (double dof = 1; dof < 1e4; dof *= 1.37)
        for (double x = 1e-300; x<1e300; x = x> 1e-3 && x < 1e6 ? x * 1.013 : x * 1e3)
            sb_chisq_ln_q(x, dof);
    for (double k = 1e-300; k < 1e300; k *= 7.3)
        for (double ratio = 1e-9; ratio < 1e9; ratio *= 1.7)
            sb_divergence(k, k * ratio, k * ratio - k);
    sb_chisq_ln_q(1e5, 719);
    sb_divergence(0.5, 3, 2.5);
    sb_stirling_rest(1e300);
    assert_ptr_equal(gsl_set_error_handler(before), never_called);
}
