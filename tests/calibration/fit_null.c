/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Under the null law, p-values are uniform. Each test is run on many simulated tallies, and the
 * Kolmogorov-Smirnov test checks its p-values. The false-alarm rate is 1e-3 for each case here (D >
 * 1.9495/sqrt(R), the asymptotic point). The seeds are fixed, so a test that passes once passes always. With
 * the wrong degrees of freedom that are often used by mistake, the check fails, as it should.
 */
#include "unit/test.h"

#include "calibration/kolmogorov.h"
#include "fit/fit.h"

#include <math.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

extern const struct sb_test_type sb_test_likelihood_ratio, sb_test_matrix;

enum {
    TRIALS = 2000,
    CELLS_MOST = 120,
    ITEMS_MOST = 10,
};

static int open_generator(void **state)
{
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);

    if (!rng)
        return -1;
    gsl_rng_set(rng, 20240229);
    *state = rng;
    return 0;
}

static int close_generator(void **state)
{
    gsl_rng_free(*state);
    return 0;
}

/* Kolmogorov and Smirnov's distance of p[] from the uniform distribution, in units of 1/sqrt(TRIALS). Sorts
 * p. */
static double distance(double p[TRIALS])
{
    return kolmogorov_distance(TRIALS, p) * sqrt(TRIALS);
}

static const double critical = 1.9495; /* exceeded with probability 1e-3 */

/* One throw of `total` into `cells` with probabilities law[]. */
static void throw(gsl_rng * rng, size_t cells, unsigned total, const double law[], uint64_t count[])
{
    unsigned narrow[CELLS_MOST];

    gsl_ran_multinomial(rng, cells, total, law, narrow);
    for (size_t i = 0; i < cells; i++)
        count[i] = narrow[i];
}

static void check_cells(gsl_rng *rng, const struct sb_test_type *test, size_t cells, unsigned total, bool weighted)
{
    double law[CELLS_MOST], ln_p[CELLS_MOST], p[TRIALS];

    for (size_t i = 0; i < cells; i++) {
        law[i] = weighted ? 2.0 * ((double)i + 1) / ((double)cells * ((double)cells + 1)) : 1 / (double)cells;
        ln_p[i] = log(law[i]);
    }
    for (size_t trial = 0; trial < TRIALS; trial++) {
        uint64_t count[CELLS_MOST];
        const struct sb_tally tally = {
            .statistic = "rank",
            .members = 1,
            .cells = cells,
            .total = total,
            .count = count,
            .ln_p = weighted ? ln_p : NULL,
        };
        struct sb_finding finding;

        throw(rng, cells, total, law, count);
        assert_int_equal(test->run(&tally, 0.05, &finding), SB_OK);
        p[trial] = finding.p;
    }
    assert_true(distance(p) < critical);
}

TEST_WITH(pearson_is_uniform, open_generator, close_generator)
{
    check_cells(*state, &sb_test_pearson, 6, 6000, false);
    check_cells(*state, &sb_test_pearson, 120, 12000, false);
    check_cells(*state, &sb_test_pearson, 7, 5000, true);
}

/* Few throws: of 40 cells of 2/820 to 80/820 those that expect less than 20 are merged. */
TEST_WITH(merged_is_uniform, open_generator, close_generator)
{
    check_cells(*state, &sb_test_merged, 40, 1000, true);
    check_cells(*state, &sb_test_merged, 24, 240, false);
}

TEST_WITH(likelihood_ratio_is_uniform, open_generator, close_generator)
{
    check_cells(*state, &sb_test_likelihood_ratio, 6, 6000, false);
    check_cells(*state, &sb_test_likelihood_ratio, 24, 100000, false);
    check_cells(*state, &sb_test_likelihood_ratio, 7, 50000, true);
}

/* The findings' values for matrices of `total` fair deals of k out of n. */
static void simulate_matrix(gsl_rng *rng, size_t n, size_t k, unsigned total, struct sb_finding finding[TRIALS])
{
    const size_t cells = k < n ? k + 1 : n;
    double ln_p[ITEMS_MOST];

    for (size_t i = 0; i < cells; i++)
        ln_p[i] = log((i < k ? 1 : (double)(n - k)) / (double)n);
    for (size_t trial = 0; trial < TRIALS; trial++) {
        uint64_t count[ITEMS_MOST * ITEMS_MOST] = { 0 };
        const struct sb_tally tally = {
            .statistic = "position",
            .members = n,
            .cells = cells,
            .total = total,
            .count = count,
            .ln_p = k < n ? ln_p : NULL,
        };

        for (unsigned i = 0; i < total; i++) {
            size_t a[ITEMS_MOST];

            for (size_t j = 0; j < n; j++)
                a[j] = j;
            gsl_ran_shuffle(rng, a, n, sizeof a[0]);
            for (size_t j = 0; j < n; j++)
                count[a[j] * cells + (j < k ? j : k)]++;
        }
        assert_int_equal(sb_test_matrix.run(&tally, 0.05, &finding[trial]), SB_OK);
    }
}

/* Whether the values would give uniform p-values with another factor and other degrees of freedom. */
static bool is_uniform(const struct sb_finding finding[TRIALS], double factor, double dof)
{
    double p[TRIALS];

    for (size_t i = 0; i < TRIALS; i++)
        p[i] = sb_chisq_q(finding[i].value * factor, dof);
    return distance(p) < critical;
}

static void check_matrix(gsl_rng *rng, size_t n, size_t k, unsigned total, double dof)
{
    static struct sb_finding finding[TRIALS];
    double p[TRIALS];

    simulate_matrix(rng, n, k, total, finding);
    for (size_t i = 0; i < TRIALS; i++) {
        p[i] = finding[i].p;
        assert_true(finding[i].dof == dof);
    }
    assert_true(distance(p) < critical);
    assert_false(is_uniform(finding, (double)n / ((double)n - 1), dof)); /* without the factor */
    assert_false(is_uniform(finding, 1, (double)(n * (k < n ? k + 1 : n)) - 1));
}

TEST_WITH(matrix_is_uniform, open_generator, close_generator)
{
    check_matrix(*state, 3, 3, 600, 4);
    check_matrix(*state, 5, 5, 500, 16);
    check_matrix(*state, 10, 10, 300, 81);
}

/* Deals of k < n, "not dealt" being a column: (n-1)k degrees of freedom. */
TEST_WITH(matrix_of_deals_is_uniform, open_generator, close_generator)
{
    check_matrix(*state, 4, 1, 600, 3);
    check_matrix(*state, 5, 2, 500, 8);
    check_matrix(*state, 5, 4, 500, 16);
    check_matrix(*state, 10, 3, 300, 27);
}

/*
 * Where the null law is wrong by a known chi-square distance, the interval of the effect holds it in 90 of
 * 100 cases: within 3.29 standard deviations of a binomial proportion, a false alarm of 1e-3.
 */
TEST_WITH(effect_is_covered, open_generator, close_generator)
{
    static const double law[] = { 1.05 / 6, 1.05 / 6, 1.05 / 6, 0.95 / 6, 0.95 / 6, 0.95 / 6 };
    static const double truth = 0.05 * 0.05, alpha = 0.1;
    unsigned held = 0;

    for (size_t trial = 0; trial < TRIALS; trial++) {
        uint64_t count[6];
        const struct sb_tally tally = {
            .statistic = "rank",
            .members = 1,
            .cells = 6,
            .total = 8000,
            .count = count,
        };
        struct sb_finding finding;

        throw(*state, 6, 8000, law, count);
        assert_int_equal(sb_test_pearson.run(&tally, alpha, &finding), SB_OK);
        held += finding.effect_low <= truth && truth <= finding.effect_high;
    }
    assert_true(fabs(held / (double)TRIALS - (1 - alpha)) < 3.29 * sqrt(alpha * (1 - alpha) / TRIALS));
}

/* The mean of the sampled total variation of a fair law is what is printed beside it, within 3.29 standard
 * errors. */
TEST_WITH(fair_total_variation_is_its_mean, open_generator, close_generator)
{
    static const double law[] = { 1 / 6.0, 1 / 6.0, 1 / 6.0, 1 / 6.0, 1 / 6.0, 1 / 6.0 };
    double sum = 0, square = 0;

    for (size_t trial = 0; trial < TRIALS; trial++) {
        uint64_t count[6];
        double distance_of_this = 0;

        throw(*state, 6, 1000, law, count);
        for (size_t i = 0; i < 6; i++)
            distance_of_this += 0.5 * fabs((double)count[i] / 1000 - 1 / 6.0);
        sum += distance_of_this;
        square += distance_of_this * distance_of_this;
    }
    sum /= TRIALS;
    square = square / TRIALS - sum * sum;
    assert_true(fabs(sum - sb_total_variation_fair(1000, 6)) < 3.29 * sqrt(square / TRIALS));
}
