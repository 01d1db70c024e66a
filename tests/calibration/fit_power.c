/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The planned numbers of shuffles have the planned power: each test detects the naive swap in 90 of 100
 * simulations of that many shuffles. There are TRIALS trials of each. A share may be off by 3.29 standard
 * deviations of a binomial (a false alarm of 1e-3 each), and by another 0.01 for approximations. The seed is
 * fixed, so a test that passes once passes always.
 */
#include "unit/test.h"

#include "core/core.h"
#include "fit/fit.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

extern const struct sb_test_type sb_test_pearson, sb_test_likelihood_ratio, sb_test_matrix;

enum { TRIALS = 4000, ITEMS_MOST = 4, CELLS_MOST = 24 };

static const double alpha = 0.001, power = 0.9;

/* The naive swap's law by all n^n ways, its effects, and the items of each rank. */
struct naive {
    size_t n;
    struct sb_evidence evidence;
    struct sb_effect effect;
    double law[CELLS_MOST];
    sb_item deal[CELLS_MOST][ITEMS_MOST];
    gsl_rng *rng;
};

static void open_naive(size_t n, struct naive *naive)
{
    size_t ways = 1;

    *naive = (struct naive) { .n = n, .rng = gsl_rng_alloc(gsl_rng_taus2) };
    assert_non_null(naive->rng);
    gsl_rng_set(naive->rng, 20240229);
    assert_int_equal(sb_evidence_open(SB_BY_EXACT, n, n, &naive->evidence), SB_OK);
    for (size_t i = 0; i < n; i++)
        ways *= n;
    for (size_t way = 0; way < ways; way++) {
        sb_item a[ITEMS_MOST] = { 0, 1, 2, 3 };

        for (size_t i = 0, rest = way; i < n; i++, rest /= n) {
            const size_t j = rest % n;
            const sb_item item = a[i];

            a[i] = a[j];
            a[j] = item;
        }
        const size_t rank = (size_t)sb_permutation_rank(n, n, a);
        naive->evidence.counts.u64[rank]++;
        memcpy(naive->deal[rank], a, sizeof a);
    }
    naive->evidence.total = ways;
    mpz_set_ui(naive->evidence.denominator, ways);
    for (size_t i = 0; i < naive->evidence.cells; i++)
        naive->law[i] = (double)naive->evidence.counts.u64[i] / (double)ways;
    assert_int_equal(sb_evidence_matrix(&naive->evidence), SB_OK);
    assert_int_equal(sb_effect_of(&naive->evidence, &naive->effect), SB_OK);
}

static void close_naive(struct naive *naive)
{
    mpq_clear(naive->effect.total_variation_exact);
    sb_evidence_close(&naive->evidence);
    gsl_rng_free(naive->rng);
}

/* One test's statistic over `total` shuffles. */
static double throw_one(const struct naive *naive, const struct sb_test_type *test, unsigned total)
{
    const size_t n = naive->n, cells = naive->evidence.cells;
    unsigned narrow[CELLS_MOST];
    uint64_t count[CELLS_MOST] = { 0 }, matrix[ITEMS_MOST * ITEMS_MOST] = { 0 };
    const struct sb_tally ranks = { .members = 1, .cells = cells, .total = total, .count = count };
    const struct sb_tally positions = { .members = n, .cells = n, .total = total, .count = matrix };
    struct sb_finding finding;

    gsl_ran_multinomial(naive->rng, cells, total, naive->law, narrow);
    for (size_t i = 0; i < cells; i++) {
        count[i] = narrow[i];
        for (size_t j = 0; j < n; j++)
            matrix[naive->deal[i][j] * n + j] += narrow[i];
    }
    assert_int_equal(test->run(test == &sb_test_matrix ? &positions : &ranks, alpha, &finding), SB_OK);
    return finding.value;
}

/* The power at the planned number of shuffles, and that a tenth fewer have clearly less. */
static void check_power(const struct naive *naive, const struct sb_test_type *test, double dof, double effect)
{
    const struct sb_power_test of = sb_power_test(dof, alpha);
    const double total = sb_power_shuffles(&of, power, effect);
    unsigned seen = 0, seen_by_fewer = 0;

    for (size_t trial = 0; trial < TRIALS; trial++) {
        seen += throw_one(naive, test, (unsigned)total) > of.critical;
        seen_by_fewer += throw_one(naive, test, (unsigned)(0.8 * total)) > of.critical;
    }
    if (fabs(seen / (double)TRIALS - power) > 3.29 * sqrt(power * (1 - power) / TRIALS) + 0.01)
        fail_msg("%s at n = %zu: %u of %d", test->name, naive->n, seen, TRIALS);
    assert_true(seen_by_fewer / (double)TRIALS < 0.85);
}

TEST(planned_shuffles_have_the_power)
{
    for (size_t n = 3; n <= ITEMS_MOST; n++) {
        struct naive naive;

        open_naive(n, &naive);
        const double dof = (double)naive.evidence.cells - 1;
        check_power(&naive, &sb_test_pearson, dof, naive.effect.chi2_per_sample);
        check_power(&naive, &sb_test_likelihood_ratio, dof, 2 * log(2) * naive.effect.kl_bits);
        check_power(&naive, &sb_test_matrix, (double)((n - 1) * (n - 1)), sb_power_matrix(&naive.evidence));
        close_naive(&naive);
    }
}

/* The mean of the matrix's chi-square is (n-1)^2 + (N-1) effect: within 3.29 standard errors. */
TEST(matrix_has_its_mean)
{
    enum { TOTAL = 500 };

    for (size_t n = 3; n <= ITEMS_MOST; n++) {
        struct naive naive;
        double sum = 0, square = 0;

        open_naive(n, &naive);
        for (size_t trial = 0; trial < TRIALS; trial++) {
            const double value = throw_one(&naive, &sb_test_matrix, TOTAL);

            sum += value / TRIALS;
            square += value * value / TRIALS;
        }
        const double mean = (double)((n - 1) * (n - 1)) + (TOTAL - 1) * sb_power_matrix(&naive.evidence);
        assert_true(fabs(sum - mean) < 3.29 * sqrt((square - sum * sum) / TRIALS));
        close_naive(&naive);
    }
}

/* The known alternative: by Wald's identity the mean lies between ln(1/alpha)/KL and that with the largest
 * step, ln of the largest ratio, on top; within 3.29 standard errors. */
TEST(known_alternative_takes_so_long)
{
    struct naive naive;
    double sum = 0, square = 0;

    open_naive(3, &naive);
    const double kl = log(2) * naive.effect.kl_bits, planned = sb_power_known(alpha, kl);
    for (size_t trial = 0; trial < TRIALS / 4; trial++) {
        double total = 0;

        for (double ln_ratio = 0; ln_ratio < -log(alpha); total++) { /* five of nine come up too often */
            const double u = gsl_rng_uniform(naive.rng);

            ln_ratio += log(u < 15.0 / 27 ? 10.0 / 9 : 8.0 / 9);
        }
        sum += total / (TRIALS / 4);
        square += total * total / (TRIALS / 4);
    }
    const double slack = 3.29 * sqrt((square - sum * sum) / (TRIALS / 4));
    assert_true(sum > planned - 1 - slack);
    assert_true(sum < planned + log(naive.effect.max_ratio) / kl + slack);
    close_naive(&naive);
}
