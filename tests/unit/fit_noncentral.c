/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The noncentral chi-square distribution and its interval, against high-precision values
 * (data/vectors/noncentral.txt).
 */
#include "unit/test.h"

#include "fit/numeric.h"
#include "unit/assert_near.h"
#include "unit/vectors.h"

#include <math.h>

static void compute_tails(const struct vector *v, struct vector_field got[])
{
    got[0].real = sb_noncentral_q(v->in[0].real, v->in[1].real, v->in[2].real);
    got[1].real = sb_noncentral_p(v->in[0].real, v->in[1].real, v->in[2].real);
}

static void compute_interval(const struct vector *v, struct vector_field got[])
{
    sb_noncentral_interval(v->in[0].real, v->in[1].real, v->in[2].real, &got[0].real, &got[1].real);
}

TEST(known_vectors)
{
    static const struct vector_kind kinds[] = {
        { "tails", .in = "rrr", .out = "rr", .relative = 1e-10, .least = 11, .compute = compute_tails },
        { "interval", .in = "rrr", .out = "rr", .relative = 1e-10, .least = 3, .compute = compute_interval },
        { .name = NULL },
    };

    vectors_check("noncentral.txt", kinds);
}

/* With one degree of freedom X is (Z + m)^2, lambda = m^2: two tails of the normal distribution. */
TEST(one_degree_is_a_squared_normal)
{
    static const double means[] = { 0.1, 1, 5, 100, 999, 1001, 1e5 };

    for (size_t i = 0; i < sizeof means / sizeof means[0]; i++)
        for (double z = -5; z <= 5; z += 0.5) {
            const double m = means[i], root = m + z;
            /* P(|Z + m| > root) */
            const double q = 0.5 * erfc(z / sqrt(2)) + 0.5 * erfc((root + m) / sqrt(2));

            if (root > 0) /* beyond lambda = 1e6 it is an approximation */
                assert_near(sb_noncentral_q(root * root, 1, m * m), q, m > 1000 ? 1e-6 : 1e-9);
        }
}

/* An interval's ends have the tails that they should, from the smallest case to the largest; 0 is the end of
 * all. */
TEST(intervals_have_their_tails)
{
    static const double dofs[] = { 1, 5, 719, 40319, 3628799 }, ratios[] = { 0.9, 1, 1.01, 1.5, 30, 1e4 };
    static const double alphas[] = { 0.001, 0.999 };

    for (size_t i = 0; i < 2 * sizeof dofs / sizeof dofs[0]; i++)
        for (size_t j = 0; j < sizeof ratios / sizeof ratios[0]; j++) {
            const double dof = dofs[i / 2], alpha = alphas[i % 2], x = ratios[j] * dof;
            double low, high;

            sb_noncentral_interval(x, dof, alpha, &low, &high);
            assert_true(0 <= low && low <= high);
            assert_true(alpha > 0.5 || low <= fmax(0, x - dof));
            if (low > 0)
                assert_near(sb_noncentral_q(x, dof, low), alpha / 2, 1e-6);
            else
                assert_true(sb_chisq_q(x, dof) >= alpha / 2);
            if (high > 0)
                assert_near(sb_noncentral_p(x, dof, high), alpha / 2, 1e-6);
            else
                assert_true(sb_chisq_p(x, dof) <= alpha / 2);
        }
}

TEST(nothing_and_nonsense)
{
    double low, high;

    assert_true(sb_noncentral_q(0, 5, 3) == 1 && sb_noncentral_p(0, 5, 3) == 0);
    assert_true(isnan(sb_noncentral_q(1, 5, NAN)));
    sb_noncentral_interval(0, 5, 0.05, &low, &high);
    assert_true(low == 0 && high == 0);
}

static double cube_minus_two(const void *state, double t)
{
    return t * t * t - 2;
}

static double step_at_three(const void *state, double t)
{
    return t < 3 ? -HUGE_VAL : 1;
}

/* The solver itself: a smooth function, and one with neither slope nor finite values. */
TEST(roots)
{
    assert_near(sb_root_find(cube_minus_two, NULL, 0, 100, 1e-15), cbrt(2), 1e-14);
    assert_near(sb_root_find(step_at_three, NULL, -10, 1e6, 1e-15), 3, 1e-12);
}
