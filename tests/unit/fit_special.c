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
