/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Zeros of rising functions with known zeros, and how many evaluations the search takes. */
#include "unit/test.h"

#include "fit/numeric.h"

#include <math.h>

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
