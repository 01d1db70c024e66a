/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tails of noncentral chi-square, and the intervals that invert them, are within the errors that
 * fit/fit.h states. */
#include "certified/certify.h"

#include "fit/fit.h"

#include <math.h>

enum { X, DOF, LAMBDA, LEVEL };

static struct claim claim_q = { "sb_noncentral_q", .relative = 1e-10 };
static struct claim claim_p = { "sb_noncentral_p", .relative = 1e-10 };
static struct claim claim_sankaran = { "sb_noncentral_q, lambda > 1e6", .relative = 2e-5 };
static struct claim claim_low = { "sb_noncentral_interval: low", .relative = 1e-10, .absolute = 1e-10 };
static struct claim claim_high = { "sb_noncentral_interval: high", .relative = 1e-10, .absolute = 1e-10 };
static struct claim claim_power = { "sb_power_noncentrality", .relative = 1e-10 };

static void exact_tail(const double x[], const arb_t lambda, bool upper, slong bits, arb_t tail)
{
    ARBS(at, dof);

    arb_set_d(at, x[X]);
    arb_set_d(dof, x[DOF]);
    exact_noncentral(at, dof, lambda, upper, bits, tail);
}

static void exact_of(const double x[], bool upper, slong bits, arb_t value)
{
    ARBS(lambda);

    arb_set_d(lambda, x[LAMBDA]);
    exact_tail(x, lambda, upper, bits, value);
}

static void exact_q(const double x[], slong bits, arb_t value)
{
    exact_of(x, true, bits, value);
}

static void exact_p(const double x[], slong bits, arb_t value)
{
    exact_of(x, false, bits, value);
}

static void check_tails(const double x[])
{
    const double q = sb_noncentral_q(x[X], x[DOF], x[LAMBDA]), p = sb_noncentral_p(x[X], x[DOF], x[LAMBDA]);

    if (!(x[X] > 0))
        return;
    if (q > 1e-40)
        certify(&claim_q, q, exact_q, x);
    if (p > 1e-40)
        certify(&claim_p, p, exact_p, x);
}

/* From 12 standard deviations below the mean to 12 above it, with up to 1e6 degrees of freedom and
 * noncentralities of up to 1e6. */
TEST(tails)
{
    uint64_t seed = 7;

    for (size_t i = 0; i < certify_cases(300); i++) {
        const double dof = i % 4 ? random_scale(&seed, 0.5, 1e3) : random_scale(&seed, 1e3, 1e6);
        const double lambda = i % 30 ? random_scale(&seed, 1e-6, 1e3) : random_scale(&seed, 1e3, 1e6);
        const double z = random_share(&seed) * 24 - 12;
        const double x[CLAIM_ARGUMENTS] = { dof + lambda + z * sqrt(2 * dof + 4 * lambda), dof, lambda };

        check_tails(x);
    }
}

/* Sankaran's approximation, within 6 standard deviations of the mean. */
TEST(large_noncentralities)
{
    uint64_t seed = 13;

    for (size_t i = 0; i < certify_cases(8); i++) {
        const double dof = random_scale(&seed, 1, 1e6), lambda = random_scale(&seed, 1.0001e6, 1e7);
        const double z = random_share(&seed) * 12 - 6;
        const double x[CLAIM_ARGUMENTS] = { dof + lambda + z * sqrt(2 * dof + 4 * lambda), dof, lambda };

        certify(&claim_sankaran, sb_noncentral_q(x[X], x[DOF], x[LAMBDA]), exact_q, x);
    }
}

/* Q - alpha/2, which rises with lambda; alpha/2 - P, which rises too. The logarithm makes both nearly
 * straight. */
static void end_sign(const double x[], const arb_t lambda, bool upper, slong bits, arb_t value)
{
    ARBS(level);

    exact_tail(x, lambda, upper, bits, value);
    arb_set_d(level, 0.5 * x[LEVEL]);
    arb_div(value, value, level, bits);
    arb_log(value, value, bits);
    if (!upper)
        arb_neg(value, value);
}

static void low_sign(const double x[], const arb_t lambda, slong bits, arb_t value)
{
    end_sign(x, lambda, true, bits, value);
}

static void high_sign(const double x[], const arb_t lambda, slong bits, arb_t value)
{
    end_sign(x, lambda, false, bits, value);
}

TEST(intervals)
{
    uint64_t seed = 8;

    for (size_t i = 0; i < certify_cases(60); i++) {
        const double dof = random_scale(&seed, 1, i % 4 ? 1e3 : 1e5);
        const double x[CLAIM_ARGUMENTS] = { [X] = dof + (random_share(&seed) * 20 - 4) * sqrt(2 * dof),
                                            [DOF] = dof,
                                            [LEVEL] = random_scale(&seed, 1e-9, 0.5) };
        double low, high;

        if (!(x[X] > 0))
            continue;
        sb_noncentral_interval(x[X], dof, x[LEVEL], &low, &high);
        if (low > 0)
            certify_root(&claim_low, low, 0, HUGE_VAL, low_sign, x);
        if (high > 0)
            certify_root(&claim_high, high, 0, HUGE_VAL, high_sign, x);
    }
}

/* The noncentrality at which a test has a power: Q at the critical value, minus the power. */
static void power_sign(const double x[], const arb_t lambda, slong bits, arb_t value)
{
    ARBS(power);

    exact_tail(x, lambda, true, bits, value);
    arb_set_d(power, x[LEVEL]);
    arb_sub(value, value, power, bits);
}

TEST(powers)
{
    static const double dofs[] = { 1, 5, 23, 119, 719, 5039 }, goals[] = { 0.1, 0.5, 0.9, 0.99, 0.9999 };

    for (size_t i = 0; i < sizeof dofs / sizeof dofs[0]; i++)
        for (size_t j = 0; j < sizeof goals / sizeof goals[0]; j++) {
            const struct sb_power_test test = sb_power_test(dofs[i], 1e-3);
            const double x[CLAIM_ARGUMENTS] = { [X] = test.critical, [DOF] = dofs[i], [LEVEL] = goals[j] };

            certify_root(&claim_power, sb_power_noncentrality(&test, goals[j]), 0, HUGE_VAL, power_sign, x);
        }
}
