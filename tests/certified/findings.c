/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values and the p-values of a report's tests, from counts to ln p, within the errors that fit/fit.h
 * states. */
#include "certified/exact_e.h"

#include "fit/fit.h"

#include <math.h>

static struct claim claim_pearson = { "pearson: value", .relative = 1e-12, .absolute = 1e-11 };
static struct claim claim_pearson_p = { "pearson: ln p", .relative = 1e-12, .absolute = 1e-11 };
static struct claim claim_g = { "likelihood-ratio: value", .relative = 1e-12, .absolute = 1e-11 };
static struct claim claim_g_p = { "likelihood-ratio: ln p", .relative = 1e-12, .absolute = 1e-11 };
static struct claim claim_matrix = { "matrix: value", .relative = 1e-12, .absolute = 1e-11 };
static struct claim claim_matrix_p = { "matrix: ln p", .relative = 1e-12, .absolute = 1e-11 };

extern const struct sb_test_type sb_test_likelihood_ratio, sb_test_matrix;

enum { BITS = 640, SIDE = 12 };

/* The expected count of a cell. */
static void exact_expected(size_t cell, arb_t expected)
{
    ARBS(total);

    exact_probability(cell, BITS, expected);
    arb_set_ui(total, (ulong)drawn.total);
    arb_mul(expected, expected, total, BITS);
}

/* G = 2 ln_best, divided by Williams' 1 + (sum 1/E - 1/N)/(6 (K-1)), where an E below 1 counts as 1. */
static void exact_g(arb_t g)
{
    ARBS(inverse, expected, one);

    arb_one(one);
    for (size_t i = 0; i < drawn.cells; i++) {
        exact_expected(i, expected);
        arb_max(expected, expected, one, BITS);
        arb_inv(expected, expected, BITS);
        arb_add(inverse, inverse, expected, BITS);
    }
    arb_div_ui(one, one, (ulong)drawn.total, BITS);
    arb_sub(inverse, inverse, one, BITS);
    arb_div_ui(inverse, inverse, 6 * (drawn.cells - 1), BITS);
    arb_add_ui(inverse, inverse, 1, BITS);
    exact_ln_best(BITS, g);
    arb_mul_2exp_si(g, g, 1);
    arb_div(g, g, inverse, BITS);
}

/* The probability of the least likely sample, ln p of which no p-value is below: N ln of the smallest probability. */
static void exact_least(arb_t least)
{
    ARBS(share);

    arb_one(least);
    for (size_t i = 0; i < drawn.cells; i++) {
        exact_probability(i, BITS, share);
        arb_min(least, least, share, BITS);
    }
    arb_log(least, least, BITS);
    arb_mul_ui(least, least, (ulong)drawn.total, BITS);
}

/* Checks the value and ln p of a finding; `value` is the true value, and is halved. `least` bounds ln p below. */
static void check(struct claim *of_value, struct claim *of_p, const struct sb_finding *finding, double dof, arb_t value,
                  const arb_t least)
{
    const double x[4] = { (double)drawn.cells, (double)drawn.total, finding->value, finding->ln_p };
    ARBS(a, ln_p);

    assert_true(finding->dof == dof);
    certify_enclosed(of_value, finding->value, value, x);
    arb_set_d(a, 0.5 * dof);
    arb_mul_2exp_si(value, value, -1);
    if (arb_is_positive(value)) {
        exact_ln_gamma_q(a, value, BITS, ln_p);
        arb_max(ln_p, ln_p, least, BITS);
        certify_enclosed(of_p, finding->ln_p, ln_p, x);
    }
}

/* Counts like those of fair shuffles, of slight biases, and of biases so strong that p is 1e-26633 and less.
 * */
TEST(cells)
{
    uint64_t seed = 30;

    for (size_t i = 0; i < certify_cases(300); i++) {
        struct sb_finding finding;
        ARBS(value, least);

        random_law(&seed, 2 + random_below(&seed, i % 10 ? 30 : 719), i % 2);
        random_counts(&seed, random_scale(&seed, 100, 1e7), i % 3 ? 0 : random_scale(&seed, 1e-3, 0.9));
        if (drawn.total == 0)
            continue;
        exact_least(least);
        assert_int_equal(sb_test_pearson.run(&drawn, 1e-3, &finding), SB_OK);
        exact_pearson(drawn_count, BITS, value);
        check(&claim_pearson, &claim_pearson_p, &finding, (double)drawn.cells - 1, value, least);
        assert_int_equal(sb_test_likelihood_ratio.run(&drawn, 1e-3, &finding), SB_OK);
        exact_g(value);
        check(&claim_g, &claim_g_p, &finding, (double)drawn.cells - 1, value, least);
    }
}

/* A matrix of n items by n positions: (n-1)/n times the sum of all rows. */
TEST(matrices)
{
    uint64_t seed = 31;

    for (size_t i = 0; i < certify_cases(100); i++) {
        const size_t n = 2 + random_below(&seed, SIDE - 1);
        struct sb_finding finding;
        ARBS(value, row, least);

        arb_fac_ui(least, n, BITS); /* each deck has a probability of 1/n! */
        arb_log(least, least, BITS);
        arb_mul_si(least, least, -(slong)drawn.total, BITS);
        random_law(&seed, n, true);
        drawn.members = n;
        drawn.total = 1000 + random_below(&seed, 1000000);
        for (size_t item = 0; item < n; item++) {
            uint64_t left = drawn.total;

            for (size_t j = 0; j + 1 < n; j++) {
                const double mean = (double)left / (double)(n - j);

                drawn_count[item * n + j] =
                    (uint64_t)(mean + sqrt(mean) * (random_share(&seed) - 0.5) * (i % 2 ? 3 : 30));
                left -= drawn_count[item * n + j];
            }
            drawn_count[item * n + n - 1] = left;
            exact_pearson(drawn_count + item * n, BITS, row);
            arb_add(value, value, row, BITS);
        }
        arb_mul_ui(value, value, n - 1, BITS);
        arb_div_ui(value, value, n, BITS);
        assert_int_equal(sb_test_matrix.run(&drawn, 1e-3, &finding), SB_OK);
        check(&claim_matrix, &claim_matrix_p, &finding, ((double)n - 1) * ((double)n - 1), value, least);
    }
}
