/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ends of intervals, small sums of binomial terms, tails of chi-square, and zeros of functions. tests/certified
 * encloses the same functions.
 */
#include "unit/test.h"

#include "fit/numeric.h"
#include "unit/assert_near.h"
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

/* Two throws of a fair coin: HH and TT are 1/2 from uniform, HT and TH 0; one throw of a die is 5/6 from it.
 */
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

/* ---- fit root ---- */

/* Zeros of rising functions with known zeros, and how many evaluations the search takes. */

static unsigned evaluations;

static double cubic(const void *state, double t)
{
    evaluations++;
    return t * t * t - 2;
}

static double large_cubic(const void *state, double t)
{
    return cubic(state, 1e-6 * t);
}

static double exponential(const void *state, double t)
{
    evaluations++;
    return exp(t) - 5;
}

static double logarithm(const void *state, double t)
{
    evaluations++;
    return log(t) + 7; /* -inf at 0 */
}

/* So flat at first and so steep at last that secants hardly move. */
static double steep(const void *state, double t)
{
    evaluations++;
    return pow(t, 31) - 1e-3;
}

static double mirrored(const void *state, double t)
{
    return -steep(state, -t);
}

static double step(const void *state, double t)
{
    evaluations++;
    return t < 0.3 ? -HUGE_VAL : 1;
}

/* Each three steps halve the bracket, and the last step is within the tolerance. */
static void expect_zero(sb_rising *f, double low, double high, double zero, double tolerance)
{
    const double least = tolerance * (1 + fabs(zero));

    evaluations = 0;
    const double t = sb_root_find(f, NULL, low, high, tolerance);

    if (!(fabs(t - zero) <= least))
        fail_msg("%.17g, not %.17g", t, zero);
    if (evaluations > 8 + 3 * log2((high - low) / least))
        fail_msg("%u evaluations for %.17g", evaluations, zero);
}

TEST(zeros_are_found)
{
    const struct {
        sb_rising *f;
        double low, high, zero;
    } cases[] = {
        { cubic, 0, 2, 1.2599210498948732 },
        { cubic, 1, 3, 1.2599210498948732 },
        { cubic, 1.2599210498948732, 2, 1.2599210498948732 },
        { large_cubic, 0, 2e6, 1259921.0498948732 },
        { exponential, -2, 4, 1.6094379124341003 },
        { logarithm, 0, 4, 0.00091188196555451624 },
        { step, 0, 1, 0.3 },
        { step, -1e3, 1e3, 0.3 },
    };
    const double tolerances[] = { 1e-14, 1e-8, 1e-3 };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t k = 0; k < 3; k++)
            expect_zero(cases[i].f, cases[i].low, cases[i].high, cases[i].zero, tolerances[k]);
}

/* Without bisections and the Illinois rule, these would take thousands of evaluations. */
TEST(steep_functions_are_bisected)
{
    expect_zero(steep, 0, 1.5, 0.8002502278161051, 1e-14);
    expect_zero(mirrored, -1.5, 0, -0.8002502278161051, 1e-14);
}

/* On smooth functions, secants need few steps. */
TEST(smooth_functions_take_about_ten_evaluations)
{
    evaluations = 0;
    sb_root_find(cubic, NULL, 1, 1.5, 1e-14);
    sb_root_find(exponential, NULL, 1, 2, 1e-14);
    sb_root_find(logarithm, NULL, 5e-4, 2e-3, 1e-14);
    assert_in_range(evaluations, 0, 33);
}
