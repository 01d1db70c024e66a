/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact test of a few samples, against all outcomes: P(p <= x) is at most x for every x, whatever the law, and the
 * smallest p of all outcomes is that of sb_finding_least().
 */
#include "unit/test.h"

#include "fit/fit.h"
#include "unit/assert_near.h"

#include <math.h>

enum { CELLS = 4, OUTCOMES_MOST = 5000 };

static const double alpha = 0.9; /* nearly every part of a test can reach this level */

/* The p and the probability of each outcome. */
struct outcomes {
    size_t count;
    double p[OUTCOMES_MOST], chance[OUTCOMES_MOST], least;
};

static void outcomes_test(const struct sb_tally *tally, double chance, struct outcomes *all)
{
    struct sb_finding finding;

    assert_int_equal(sb_test_exact.run(tally, alpha, &finding), SB_OK);
    all->least = sb_finding_least(&finding, (double)tally->total, alpha);
    all->p[all->count] = isnan(finding.ln_p) ? 1 : finding.p;
    all->chance[all->count++] = chance;
}

/* Adds all outcomes of `left` more samples in the cells from `cell` on. */
static void outcomes_add(struct sb_tally *tally, uint64_t count[], size_t cell, uint64_t left, double chance,
                         struct outcomes *all)
{
    const double p = exp(tally->ln_p[cell]);

    if (cell + 1 == CELLS) {
        count[cell] = left;
        outcomes_test(tally, chance * pow(p, (double)left), all);
        return;
    }
    for (uint64_t here = 0; here <= left; here++) {
        double ways = 1;

        for (uint64_t i = 0; i < here; i++)
            ways *= (double)(left - i) / (double)(i + 1) * p;
        count[cell] = here;
        outcomes_add(tally, count, cell + 1, left - here, chance * ways, all);
    }
}

/* P(p <= x) <= x for the p of each outcome, and no p is below the smallest possible one. */
static void outcomes_check(const struct outcomes *all)
{
    double total = 0, smallest = 1;

    for (size_t i = 0; i < all->count; i++) {
        double below = 0;

        for (size_t j = 0; j < all->count; j++)
            below += all->p[j] <= all->p[i] * (1 + 1e-12) ? all->chance[j] : 0;
        assert_true(below <= all->p[i] * (1 + 1e-8));
        total += all->chance[i];
        smallest = fmin(smallest, all->p[i]);
    }
    assert_near(total, 1, 1e-12);
    assert_near(smallest, exp(all->least), 1e-8);
}

TEST(every_outcome)
{
    static const double laws[][CELLS] = {
        { 0.25, 0.25, 0.25, 0.25 }, { 0.1, 0.2, 0.3, 0.4 }, { 0.04, 0.46, 0.46, 0.04 },
        { 0.001, 0.2, 0.7, 0.099 }, { 0.5, 0.3, 0.1, 0.1 },
    };
    static struct outcomes all;

    for (size_t law = 0; law < sizeof laws / sizeof laws[0]; law++)
        for (uint64_t total = 1; total <= 8; total++)
            for (int number = 0; number < 2; number++) {
                uint64_t count[CELLS];
                double ln_p[CELLS];
                struct sb_tally tally = {
                    .statistic = "x",
                    .members = 1,
                    .cells = CELLS,
                    .total = total,
                    .count = count,
                    .ln_p = ln_p,
                    .number = number,
                };

                for (size_t cell = 0; cell < CELLS; cell++)
                    ln_p[cell] = log(laws[law][cell]);
                all.count = 0;
                outcomes_add(&tally, count, 0, total, 1, &all);
                outcomes_check(&all);
            }
}

/* Two cells of a whole law are the same fact; of part of a law, they are two. */
TEST(cells_of_a_law)
{
    static const uint64_t count[] = { 10, 0 };
    static const double whole[] = { -0.69314718055994530942, -0.69314718055994530942 };
    static const double part[] = { -1.3862943611198906188, -1.3862943611198906188 };
    struct sb_tally tally = {
        .statistic = "x", .members = 1, .cells = 2, .total = 10, .count = count, .ln_p = whole
    };
    struct sb_finding finding;

    assert_int_equal(sb_test_exact.run(&tally, 0.01, &finding), SB_OK);
    assert_near(finding.p, 2.0 / 1024, 1e-12);
    tally.ln_p = NULL;
    assert_int_equal(sb_test_exact.run(&tally, 0.01, &finding), SB_OK);
    assert_near(finding.p, 2.0 / 1024, 1e-12);
    tally.ln_p = part;
    assert_int_equal(sb_test_exact.run(&tally, 0.01, &finding), SB_OK);
    assert_near(finding.p, 2 * pow(0.25, 10), 1e-15);
    assert_true(finding.value == 10);
}

/* A test that cannot reach alpha has no p, and an impossible count is an error. */
TEST(no_level)
{
    static const uint64_t count[] = { 5, 0 }, broken[] = { 4, 1 };
    static const double certain[] = { 0, -HUGE_VAL };
    struct sb_tally tally = { .statistic = "x", .members = 1, .cells = 2, .total = 5, .count = count };
    struct sb_finding finding;

    assert_int_equal(sb_test_exact.run(&tally, 0.0624, &finding), SB_OK);
    assert_true(isnan(finding.ln_p)); /* 2/32 = 0.0625 */
    assert_int_equal(sb_test_exact.run(&tally, 0.0626, &finding), SB_OK);
    assert_near(finding.p, 0.0625, 1e-12);
    tally.ln_p = certain;
    assert_int_equal(sb_test_exact.run(&tally, 0.05, &finding), SB_OK);
    assert_true(isnan(finding.ln_p) && finding.least[0].ln_share == 0);
    tally.count = broken;
    assert_int_equal(sb_test_exact.run(&tally, 0.05, &finding), SB_BROKEN);
    tally.cells = 0;
    assert_int_equal(sb_test_exact.run(&tally, 0.05, &finding), SB_INVALID);
}
