/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tails of the chi-square distribution, against published tables and high-precision values
 * (data/vectors/chi_square.txt).
 */
#include "unit/test.h"

#include "fit/numeric.h"
#include "unit/assert_near.h"
#include "unit/vectors.h"

#include <math.h>

#include <gsl/gsl_errno.h>

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

TEST(known_vectors)
{
    static const struct vector_kind kinds[] = {
        { "chisq-q", .in = "rr", .out = "r", .relative = 1e-3, .least = 12, .compute = compute_q },
        { "chisq-ln-q", .in = "rr", .out = "r", .absolute = 1e-10, .least = 19, .compute = compute_ln_q },
        { "chisq-ln-q-of-small-p", .in = "rr", .out = "r", .relative = 1e-6, .least = 1,
          .compute = compute_ln_q },
        { "chisq-ln-q-far", .in = "rr", .out = "r", .relative = 1e-15, .least = 4, .compute = compute_ln_q },
        { "chisq-p", .in = "rr", .out = "r", .relative = 1e-11, .least = 6, .compute = compute_p },
        { "divergence", .in = "rrr", .out = "r", .relative = 1e-15, .least = 3,
          .compute = compute_divergence },
        { "stirling-rest", .in = "re", .out = "r", .least = 2, .compute = compute_stirling_rest },
        { .name = NULL },
    };

    vectors_check("chi_square.txt", kinds);
}

/* Q(x; 5) is about e^(-x/2) x^(3/2), whose power is lost in the last digit of ln Q. */
TEST(ln_q_out_of_this_world)
{
    assert_near(sb_chisq_ln_q(1e300, 5), -5e299, 1e-15);
    assert_near(sb_chisq_ln_q(1.7e308, 1), -8.5e307, 1e-15);
}

/* Two degrees of freedom are an exponential distribution: Q = exp(-x/2). */
TEST(exponential)
{
    static const double xs[] = { 1e-300, 1e-5, 1, 2, 100, 1380, 1383, 1500, 1e10 };

    for (size_t i = 0; i < sizeof xs / sizeof xs[0]; i++)
        assert_true(fabs(sb_chisq_ln_q(xs[i], 2) + 0.5 * xs[i]) <= 1e-12 * xs[i]);
}

TEST(neither_too_small_nor_too_few)
{
    assert_true(sb_chisq_ln_q(0, 5) == 0);
    assert_true(sb_chisq_ln_q(-3, 5) == 0);
    assert_true(sb_chisq_ln_q(7, 0) == 0);
    assert_true(sb_chisq_p(0, 5) == 0 && sb_chisq_p(7, 0) == 0);
    assert_true(isnan(sb_chisq_ln_q(NAN, 5)));
    assert_true(sb_chisq_ln_q(INFINITY, 5) == -INFINITY);
}

/* There is no seam where the tail changes its method: at 1000 degrees of freedom, at x = dof, at p = 1e-300.
 */
TEST(smooth_where_methods_meet)
{
    static const double dofs[] = { 1, 5, 719, 1000, 1001, 40319, 3628799 };

    for (size_t i = 0; i < sizeof dofs / sizeof dofs[0]; i++) {
        const double dof = dofs[i];
        double last = 0;

        for (double z = -4; z < 60; z += 0.125) {
            const double x = dof + z * sqrt(2 * dof), ln_q = x > 0 ? sb_chisq_ln_q(x, dof) : 0;

            assert_true(ln_q <= last);
            assert_true(fabs(exp(ln_q) + sb_chisq_p(x, dof) - 1) < 1e-12);
            last = ln_q;
        }
    }
}

TEST(divergence_at_its_ends)
{
    assert_true(sb_divergence(0, 7, 7) == 7);
    assert_true(sb_divergence(7, 7, 0) == 0);
}

/* The Poisson law of 3 at mean 2 is 4/3 e^-2, and that of 0 is e^-2. */
TEST(poisson_by_hand)
{
    assert_near(exp(sb_ln_poisson(3, 2)), 4.0 / 3 * exp(-2), 1e-14);
    assert_near(sb_ln_poisson(0, 2), -2, 0);
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
