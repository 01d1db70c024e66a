/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ends of the confidence intervals of effects, from the counts on, within the errors that fit/fit.h
 * states. */
#include "certified/exact_spread.h"

#include "core/core.h"
#include "fit/fit.h"

#include <math.h>
#include <string.h>

/* Errors are shares of the upper end. */
static struct claim claim_pearson[] = {
    { "pearson: effect", .absolute = 1e-10 },
    { "pearson: effect_low", .absolute = 1e-10 },
    { "pearson: effect_high", .absolute = 1e-10 },
};
static struct claim claim_g[] = {
    { "likelihood-ratio: effect", .absolute = 1e-10 },
    { "likelihood-ratio: effect_low", .absolute = 1e-10 },
    { "likelihood-ratio: effect_high", .absolute = 1e-10 },
};
static struct claim claim_matrix[] = {
    { "matrix: effect", .absolute = 1e-10 },
    { "matrix: effect_low", .absolute = 1e-10 },
    { "matrix: effect_high", .absolute = 1e-10 },
};
static struct claim claim_ranks[] = {
    { "matrix with ranks: effect", .absolute = 1e-10 },
    { "matrix with ranks: effect_low", .absolute = 1e-10 },
    { "matrix with ranks: effect_high", .absolute = 1e-10 },
};

/* Errors are shares of z times the width of the interval, where z is the normal quantile of the level. */
static struct claim claim_closed = { "sb_spread_interval, closed form", .absolute = 6e-4 };

extern const struct sb_test_type sb_test_likelihood_ratio, sb_test_matrix;

enum { BITS = SPREAD_BITS, SIDE = 12 };

static size_t closed_forms;

/* A level from that of one of ten million deals to that of an interval that covers one half. */
static double random_level(uint64_t *seed)
{
    return random_scale(seed, 1e-10, 0.5);
}

/* Counts of fair shuffles, and of slight and strong biases. */
TEST(cells)
{
    uint64_t seed = 40;

    for (size_t i = 0; i < certify_cases(60); i++) {
        const double level = random_level(&seed);
        struct exact_spread spread;
        struct sb_finding finding;
        ARBS(g);

        random_law(&seed, 2 + random_below(&seed, i % 10 ? 30 : 719), i % 2);
        random_counts(&seed, random_scale(&seed, 100, 1e12), i % 3 ? 0 : random_scale(&seed, 1e-3, 0.9));
        if (drawn.total < 3)
            continue;
        exact_spread_init(&spread);
        assert_int_equal(sb_test_pearson.run(&drawn, level, &finding), SB_OK);
        exact_spread_cells(drawn_count, &spread);
        closed_forms += certify_interval(claim_pearson, &finding, &spread, level);
        assert_int_equal(sb_test_likelihood_ratio.run(&drawn, level, &finding), SB_OK);
        exact_ln_best(BITS, g);
        arb_mul_2exp_si(g, g, 1);
        exact_spread_g(g, &spread);
        closed_forms += certify_interval(claim_g, &finding, &spread, level);
        exact_spread_clear(&spread);
    }
}

static void check_matrix(struct claim claim[3], const uint64_t by_rank[], double level)
{
    const size_t n = drawn.members;
    const struct sb_tally ranks = {
        .statistic = "rank", .members = 1, .cells = sb_cells(n, n), .total = drawn.total, .count = by_rank
    };
    struct exact_spread spread;
    struct sb_finding finding;
    ARBS(value, row);

    exact_spread_init(&spread);
    drawn.ranks = by_rank ? &ranks : NULL;
    assert_int_equal(sb_test_matrix.run(&drawn, level, &finding), SB_OK);
    for (size_t item = 0; item < n; item++) {
        exact_pearson(drawn_count + item * n, BITS, row);
        arb_add(value, value, row, BITS);
    }
    arb_mul_ui(value, value, n - 1, BITS);
    arb_div_ui(value, value, n, BITS);
    exact_spread_matrix(value, &spread);
    if (by_rank)
        exact_spread_ranks(by_rank, &spread);
    closed_forms += certify_interval(claim, &finding, &spread, level);
    exact_spread_clear(&spread);
}

/* Matrices without ranks. */
TEST(matrices)
{
    uint64_t seed = 41;

    for (size_t i = 0; i < certify_cases(30); i++) {
        const size_t n = 2 + random_below(&seed, SIDE - 1);

        random_law(&seed, n, true);
        drawn.members = n;
        drawn.total = (uint64_t)random_scale(&seed, 1e4, 1e12);
        for (size_t item = 0; item < n; item++) {
            uint64_t left = drawn.total;

            for (size_t j = 0; j + 1 < n; j++) {
                const double mean = (double)left / (double)(n - j);

                drawn_count[item * n + j] =
                    (uint64_t)(mean + sqrt(mean) * (random_share(&seed) - 0.5) * (i % 2 ? 3 : 10));
                left -= drawn_count[item * n + j];
            }
            drawn_count[item * n + n - 1] = left;
        }
        check_matrix(claim_matrix, NULL, random_level(&seed));
    }
}

/* Matrices of deals that are counted by rank. */
TEST(ranks)
{
    uint64_t seed = 42, by_rank[120];

    for (size_t i = 0; i < certify_cases(20); i++) {
        const size_t n = 3 + i % 3;
        sb_item deck[5];

        random_law(&seed, sb_cells(n, n), true);
        random_counts(&seed, random_scale(&seed, 1e3, 1e12), i % 2 ? 0 : random_scale(&seed, 1e-3, 0.9));
        memcpy(by_rank, drawn_count, drawn.cells * sizeof by_rank[0]);
        memset(drawn_count, 0, n * n * sizeof drawn_count[0]);
        for (size_t rank = 0; rank < drawn.cells; rank++) {
            sb_permutation_unrank(n, n, rank, deck);
            for (size_t j = 0; j < n; j++)
                drawn_count[deck[j] * n + j] += by_rank[rank];
        }
        drawn.members = drawn.cells = n;
        check_matrix(claim_ranks, by_rank, random_level(&seed));
    }
    assert_true(closed_forms > 5);
}

/* The equation of an end: the tail at x[0] with x[1] degrees of freedom is x[2]/2. */
static void end_sign(const double x[], bool upper, const arb_t lambda, slong bits, arb_t value)
{
    ARBS(at, dof);

    arb_set_d(at, x[0]);
    arb_set_d(dof, x[1]);
    exact_noncentral(at, dof, lambda, upper, bits, value);
    arb_set_d(at, 0.5 * x[2]);
    arb_div(value, value, at, bits);
    arb_log(value, value, bits);
    if (!upper)
        arb_neg(value, value);
}

static void low_sign(const double x[], const arb_t lambda, slong bits, arb_t value)
{
    end_sign(x, true, lambda, bits, value);
}

static void high_sign(const double x[], const arb_t lambda, slong bits, arb_t value)
{
    end_sign(x, false, lambda, bits, value);
}

/* Checks an end, in units of z times the interval's width. */
static void check_closed(const double x[4], double got, double unit, double guess, exact_sign *sign)
{
    ARBS(root, part);

    enclose_root(sign, x, guess, 1e-6 * guess, root);
    arb_set_d(part, got);
    arb_sub(root, root, part, BITS);
    arb_set_d(part, unit);
    arb_div(root, root, part, BITS);
    certify_enclosed(&claim_closed, 0, root, x);
}

/* Far from 0, the ends are in closed form. With this spread and this many deals, the interval is that of the
 * noncentrality. */
TEST(closed_form)
{
    const double total = 1e15;
    uint64_t seed = 43;

    for (size_t i = 0; i < certify_cases(6); i++) {
        const double d = random_scale(&seed, 2000, 2e5), dof = random_scale(&seed, 1, d);
        const double x[4] = { d + dof, dof, random_level(&seed) };
        const struct sb_spread spread = {
            .effect = d / total, .noise = dof, .trace = dof, .slope = d / total, .curve = 0
        };
        struct sb_finding finding = { .value = d + dof, .dof = dof };
        double low, high;

        sb_spread_interval(&spread, total, x[2], &finding);
        sb_noncentral_interval(x[0], x[1], x[2], &low, &high);
        const double unit = sb_normal_upper(x[2] / 2) * (high - low);

        check_closed(x, total * finding.effect_low, unit, low, low_sign);
        check_closed(x, total * finding.effect_high, unit, high, high_sign);
    }
}
