/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tails of chi-square, and the functions that they are made of, are within the errors that
 * fit/fit.h states. */
#include "certified/certify.h"

#include "fit/fit.h"

#include <math.h>

enum { DOF, X };

static struct claim claim_ln_q = { "sb_chisq_ln_q", .relative = 1e-12, .absolute = 1e-300 };
static struct claim claim_q = { "sb_chisq_q", .relative = 1e-11 };
static struct claim claim_p = { "sb_chisq_p", .relative = 1e-11 };
static struct claim claim_divergence = { "sb_divergence", .relative = 2e-15 };
static struct claim claim_rest = { "sb_stirling_rest", .relative = 1e-15, .absolute = 2e-15 };
static struct claim claim_poisson = { "sb_ln_poisson", .relative = 2e-15, .absolute = 1e-14 };
static struct claim claim_normal = { "sb_normal_upper", .relative = 1e-14 };
static struct claim claim_critical = { "sb_power_test: critical", .relative = 1e-12 };

static void shape_and_place(const double x[], arb_t a, arb_t y)
{
    arb_init(a);
    arb_init(y);
    arb_set_d(a, x[DOF]);
    arb_mul_2exp_si(a, a, -1);
    arb_set_d(y, x[X]);
    arb_mul_2exp_si(y, y, -1);
}

static void exact_ln_q(const double x[], slong bits, arb_t value)
{
    arb_t a, y;

    shape_and_place(x, a, y);
    exact_ln_gamma_q(a, y, bits, value);
    arb_clear(a);
    arb_clear(y);
}

static void exact_q(const double x[], slong bits, arb_t value)
{
    exact_ln_q(x, bits, value);
    arb_exp(value, value, bits);
}

static void exact_p(const double x[], slong bits, arb_t value)
{
    arb_t a, y;

    shape_and_place(x, a, y);
    exact_ln_gamma_p(a, y, bits, value);
    arb_exp(value, value, bits);
    arb_clear(a);
    arb_clear(y);
}

static void check_tails(double dof, double value)
{
    const double x[CLAIM_ARGUMENTS] = { [DOF] = dof, [X] = value };

    if (!(value > 0))
        return;
    certify(&claim_ln_q, sb_chisq_ln_q(value, dof), exact_ln_q, x);
    if (sb_chisq_ln_q(value, dof) > -700)
        certify(&claim_q, sb_chisq_q(value, dof), exact_q, x);
    if (sb_chisq_p(value, dof) > 1e-300)
        certify(&claim_p, sb_chisq_p(value, dof), exact_p, x);
}

/* Degrees of freedom of tests: two cells, a matrix, n! - 1 permutations for n from 3 to 10, and up to the
 * largest. */
static const double dofs[] = { 1,   2,    3,    4,    5,    9,     16,     23,      51,  119,
                               719, 1000, 1001, 2601, 5039, 40319, 362879, 3628799, 1e8, 4e9 };
enum { DOFS = sizeof dofs / sizeof dofs[0] };

/* From 30 standard deviations below the mean to 40 above it. */
TEST(tails_near_the_mean)
{
    for (size_t i = 0; i < DOFS; i++)
        for (double z = -30; z <= 40; z += dofs[i] > 1e6 ? 7 : dofs[i] > 1e5 ? 2.5 : 0.5)
            check_tails(dofs[i], dofs[i] + z * sqrt(2 * dofs[i]));
}

/* Upper tails down to 1e-26633, where ln Q is -61324. */
TEST(tails_far_out)
{
    for (size_t i = 0; i < DOFS; i++)
        for (double ln_q = 10; ln_q < 62000; ln_q *= 1.7) {
            const double far = ln_q * 1.7 > 62000 ? 61324 : ln_q;

            check_tails(dofs[i], dofs[i] + 2 * sqrt(dofs[i] * far) + 2 * far); /* Laurent and Massart's bound */
        }
}

/* Lower tails down to 1e-300. */
TEST(small_values)
{
    for (size_t i = 0; i < DOFS; i++)
        for (double part = 0.9; part > 1e-300; part *= part)
            check_tails(dofs[i], dofs[i] * part);
}

TEST(random_tails)
{
    uint64_t seed = 1;

    for (size_t i = 0; i < certify_cases(500); i++) {
        const double dof = random_scale(&seed, 1, 1e4);

        check_tails(dof, dof + (random_share(&seed) * 20 - 8) * sqrt(2 * dof));
        check_tails(dof, random_scale(&seed, 1e-3 * dof, 1e5));
    }
    for (size_t i = 0; i < certify_cases(20); i++) {
        const double dof = random_scale(&seed, 1e4, 4e9);

        check_tails(dof, dof + (random_share(&seed) * 20 - 8) * sqrt(2 * dof));
    }
}

static void exact_divergence(const double x[], slong bits, arb_t value)
{
    ARBS(k, mean);

    arb_set_d(k, x[0]);
    arb_set_d(mean, x[1]);
    arb_div(value, k, mean, bits);
    arb_log(value, value, bits);
    arb_mul(value, value, k, bits);
    arb_add(value, value, mean, bits);
    arb_sub(value, value, k, bits);
}

/* The remainder is that of lgamma, so it is also what lgamma leaves over ((k - 1/2) ln k - k + ln(2 pi)/2).
 * */
static void exact_rest(const double x[], slong bits, arb_t value)
{
    ARBS(k, part);

    arb_set_d(k, x[0]);
    arb_lgamma(value, k, bits);
    arb_add(value, value, k, bits);
    arb_set_d(part, 0.5);
    arb_sub(part, k, part, bits);
    arb_log(k, k, bits);
    arb_submul(value, part, k, bits);
    arb_const_pi(part, bits);
    arb_mul_2exp_si(part, part, 1);
    arb_log(part, part, bits);
    arb_mul_2exp_si(part, part, -1);
    arb_sub(value, value, part, bits);
}

static void exact_ln_poisson(const double x[], slong bits, arb_t value)
{
    ARBS(k, mean);

    arb_set_d(k, x[0]);
    arb_set_d(mean, x[1]);
    arb_log(value, mean, bits);
    arb_mul(value, value, k, bits);
    arb_sub(value, value, mean, bits);
    arb_add_ui(k, k, 1, bits);
    arb_lgamma(k, k, bits);
    arb_sub(value, value, k, bits);
}

/* Half deviances, Stirling's remainders and Poisson probabilities, near the mean and far from it. `excess` is
 * exact where the mean is within a factor of 2 (Sterbenz). */
TEST(parts)
{
    uint64_t seed = 2;

    for (size_t i = 0; i < certify_cases(3000); i++) {
        const double k = random_scale(&seed, 1e-3, 1e15), mean = random_scale(&seed, 0.51 * k, 1.99 * k);
        const double near = k * (1 + random_scale(&seed, 1e-12, 0.4) * (i % 2 ? 1 : -1));
        const double x[][CLAIM_ARGUMENTS] = { { k, mean }, { k, near }, { k, random_scale(&seed, 1e-9 * k, 1e9 * k) } };

        for (size_t j = 0; j < 3; j++)
            certify(&claim_divergence, sb_divergence(k, x[j][1], x[j][1] - k), exact_divergence, x[j]);
        certify(&claim_poisson, sb_ln_poisson(k, mean), exact_ln_poisson, x[0]);
        certify(&claim_rest, sb_stirling_rest(k), exact_rest, x[0]);
    }
}

/* tail - P(Z > z), which rises with z; P(Z > z) = erfc(z/sqrt 2)/2. */
static void normal_sign(const double x[], const arb_t z, slong bits, arb_t value)
{
    ARBS(tail);

    arb_set_ui(value, 2);
    arb_sqrt(value, value, bits);
    arb_div(value, z, value, bits);
    arb_hypgeom_erfc(value, value, bits);
    arb_mul_2exp_si(value, value, -1);
    arb_set_d(tail, x[0]);
    arb_div(value, value, tail, bits);
    arb_log(value, value, bits);
    arb_neg(value, value);
}

TEST(normal_quantiles)
{
    uint64_t seed = 3;

    for (size_t i = 0; i < certify_cases(2000); i++) {
        const double x[CLAIM_ARGUMENTS] = { random_scale(&seed, 1e-300, 0.49) };

        certify_root(&claim_normal, sb_normal_upper(x[0]), -HUGE_VAL, HUGE_VAL, normal_sign, x);
    }
}

/* ln alpha - ln Q, which rises with the critical value. */
static void critical_sign(const double x[], const arb_t value_at, slong bits, arb_t value)
{
    ARBS(a, y);

    arb_set_d(a, x[DOF]);
    arb_mul_2exp_si(a, a, -1);
    arb_mul_2exp_si(y, value_at, -1);
    exact_ln_gamma_q(a, y, bits, value);
    arb_set_d(y, x[1]);
    arb_log(y, y, bits);
    arb_sub(value, y, value, bits);
}

TEST(critical_values)
{
    static const double alphas[] = { 1e-100, 1e-9, 1e-3, 0.05, 0.5, 0.99 };

    for (size_t i = 0; i < DOFS && dofs[i] < 1e7; i++)
        for (size_t j = 0; j < sizeof alphas / sizeof alphas[0]; j++) {
            const double x[CLAIM_ARGUMENTS] = { dofs[i], alphas[j] };

            certify_root(&claim_critical, sb_power_test(x[0], x[1]).critical, 0, HUGE_VAL, critical_sign, x);
        }
}
