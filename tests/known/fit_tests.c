/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tests of a report where there is nothing to test, where a count is impossible or the shape another, and the exact
 * test against all outcomes. tests/certified encloses the values and p-values of all tests. */
#include "unit/test.h"

#include "fit/fit.h"
#include "known/assert_near.h"

#include <math.h>

extern const struct sb_test_type sb_test_likelihood_ratio, sb_test_matrix;

static struct sb_finding find(const struct sb_test_type *test, const struct sb_tally *tally)
{
    struct sb_finding finding;

    assert_int_equal(test->run(tally, 0.05, &finding), SB_OK);
    return finding;
}

/* One cell, one item or no deal at all is no evidence: the numbers do not exist. */
TEST(no_evidence)
{
    static const uint64_t count[] = { 5, 0, 0, 0, 0, 0 }, none[] = { 0, 0, 0, 0, 0, 0 };
    const struct sb_tally one = { .statistic = "position", .members = 1, .cells = 1, .total = 5, .count = count };
    const struct sb_tally nothing = { .statistic = "rank", .members = 1, .cells = 6, .count = none };
    const double ln_p[] = { log(0.5), log(0.5) };
    const struct sb_tally uneven_nothing = { .statistic = "x", .members = 1, .cells = 2, .count = none, .ln_p = ln_p };
    const struct sb_tally no_items = { .statistic = "position", .total = 5, .count = none };
    static const struct sb_test_type *const tests[] = { &sb_test_pearson, &sb_test_likelihood_ratio, &sb_test_matrix };

    for (size_t i = 0; i < 3; i++) {
        struct sb_finding finding = find(tests[i], &one);

        assert_true(finding.value == 0 && finding.dof == 0);
        assert_true(isnan(finding.p) && isnan(finding.ln_p) && isnan(finding.effect));
        finding = find(tests[i], &nothing);
        assert_true(isnan(finding.value) && isnan(finding.p) && isnan(finding.effect_high));
        assert_true(finding.expected_least == 0);
    }
    assert_true(isnan(find(&sb_test_pearson, &uneven_nothing).p));
    assert_true(isnan(find(&sb_test_matrix, &no_items).p));
}

/* ---- rare cases: tallies of another shape, impossible cells, too few samples, many items; bets and repeats ---- */

extern const struct sb_test_type sb_test_birthday;

/* Nor does any test take a family without cells, or betting and repeats a tally of another kind. */
TEST(no_shape)
{
    static const uint64_t count[] = { 7, 3 };
    static const struct sb_tally tallies[] = {
        { .statistic = "x", .members = 1, .total = 10, .count = count },            /* no cells */
        { .statistic = "x", .members = 2, .total = 10, .count = count },            /* nor one member */
        { .statistic = "x", .members = 1, .cells = 1, .total = 10, .count = count } /* no law of repeats, no bets */
    };
    const struct sb_tally family = { .statistic = "x", .members = 2, .cells = 1, .total = 10, .count = count };
    struct sb_finding finding;

    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(sb_test_pearson.run(&tallies[i], 0.05, &finding), SB_INVALID);
        assert_int_equal(sb_test_likelihood_ratio.run(&tallies[i], 0.05, &finding), SB_INVALID);
        assert_int_equal(sb_test_matrix.run(&tallies[i], 0.05, &finding), SB_INVALID);
        assert_int_equal(sb_test_merged.run(&tallies[i], 0.05, &finding), SB_INVALID);
    }
    assert_int_equal(sb_test_pearson.run(&family, 0.05, &finding), SB_INVALID); /* these two are for one member */
    assert_int_equal(sb_test_likelihood_ratio.run(&family, 0.05, &finding), SB_INVALID);
    assert_int_equal(sb_test_merged.run(&(struct sb_tally) { .statistic = "x", .cells = 2 }, 0.05, &finding),
                     SB_INVALID);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(sb_test_birthday.run(&tallies[i], 0.05, &finding), SB_INVALID);
        assert_int_equal(sb_test_betting.run(&tallies[i], 0.05, &finding), SB_INVALID);
    }
}

/* The second of two cells comes once, although it cannot. */
TEST(impossible_counts)
{
    static const uint64_t count[] = { 10, 0, 9, 1 };
    static const double ln_p[] = { 0, -HUGE_VAL };
    const struct sb_tally tally = {
        .statistic = "position", .members = 2, .cells = 2, .total = 10, .count = count, .ln_p = ln_p
    };
    struct sb_finding finding = { .value = 7 };

    assert_int_equal(sb_test_matrix.run(&tally, 0.05, &finding), SB_BROKEN);
    const struct sb_tally one = {
        .statistic = "x", .members = 1, .cells = 2, .total = 10, .count = count + 2, .ln_p = ln_p
    };

    assert_int_equal(sb_test_pearson.run(&one, 0.05, &finding), SB_BROKEN);
    assert_int_equal(sb_test_likelihood_ratio.run(&one, 0.05, &finding), SB_BROKEN);
    assert_true(finding.value == 7); /* untouched */
}

/* A law with a single possible cell has nothing to test. */
TEST(a_single_possible_cell)
{
    static const uint64_t count[] = { 10, 0, 10, 0 };
    static const double ln_p[] = { 0, -HUGE_VAL };
    const struct sb_tally tally = {
        .statistic = "position", .members = 2, .cells = 2, .total = 10, .count = count, .ln_p = ln_p
    };
    const struct sb_tally nobody = { .statistic = "position", .total = 10, .count = count, .ln_p = ln_p };

    assert_true(isnan(find(&sb_test_matrix, &tally).p) && isnan(find(&sb_test_merged, &tally).p));
    assert_true(isnan(find(&sb_test_matrix, &nobody).p)); /* nor have no items */
}

/* Ten throws into three equal cells expect 3.3 each: merged, they would be 1/3 and 2/3, and expect 3.3 and 6.7. */
TEST(too_few_to_merge)
{
    static const uint64_t count[] = { 4, 3, 3 };
    const struct sb_tally tally = { .statistic = "x", .members = 1, .cells = 3, .total = 10, .count = count };
    const struct sb_finding finding = find(&sb_test_merged, &tally);

    assert_true(isnan(finding.p) && isnan(finding.value) && !sb_finding_reliable(&finding));
    assert_near(finding.expected_least, 10.0 / 3, 1e-14);
    assert_near(finding.expected_needed, 20, 0);
}

/* p = 1/max E, at most 1. */
TEST(betting_by_hand)
{
    double ln_e = 3;
    struct sb_tally tally = {
        .statistic = "bettor", .members = 1, .total = 100, .ln_e = &ln_e, .context = "the first card"
    };
    struct sb_finding finding = find(&sb_test_betting, &tally);

    assert_true(finding.value == 3 && finding.ln_p == -3 && isnan(finding.effect));
    assert_near(finding.p, exp(-3), 1e-15);
    assert_string_equal(finding.context, "the first card");
    ln_e = -2;
    assert_true(find(&sb_test_betting, &tally).p == 1);
    tally.total = 0;
    finding = find(&sb_test_betting, &tally);
    assert_true(isnan(finding.value) && isnan(finding.p));
}

/* If hardly any deck is compared, fewer than two decks of an alternative with seeds are left: none gains or loses. */
TEST(repeats_among_a_small_part)
{
    struct sb_birthday birthday = { .ln_pair = -log(6), .ln_part = -200 };

    for (uint64_t known = 0; known < 5; known++)
        sb_birthday_step(&birthday, known, false);
    assert_true(birthday.decks == 5 && birthday.repeats == 0 && birthday.pairs == 0);
    for (size_t i = 0; i < SB_BIRTHDAY_SEEDS + SB_BIRTHDAY_COPIES; i++)
        assert_true(i < SB_BIRTHDAY_SEEDS ? birthday.ln_e[i] == 0 : birthday.ln_e[i] < 0);
}

/* ---- fit exact ---- */

/*
 * The exact test of a few samples, against all outcomes: P(p <= x) is at most x for every x, whatever the law, and the
 * smallest p of all outcomes is that of sb_finding_least().
 */

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
    struct sb_tally tally = { .statistic = "x", .members = 1, .cells = 2, .total = 10, .count = count, .ln_p = whole };
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

/* Of five values, one is far out. Its p is twice the tail, times the number of values, and times two for the two parts
 * of the test. A cell for several values has none to show. */
TEST(the_value_that_is_farthest_out)
{
    static const uint64_t count[] = { 4, 0, 0, 1 }, other[] = { 1, 0, 0, 4 };
    const double ln_p[] = { log(0.6), log(0.3), log(0.0999), log(0.0001) };
    const double reverse[] = { ln_p[3], ln_p[2], ln_p[1], ln_p[0] };

    for (unsigned i = 0; i < 8; i++) {
        const bool first = i & 1, below = i & 2, above = i & 4;
        const struct sb_tally tally = {
            .statistic = "x",
            .members = 1,
            .cells = 4,
            .total = 5,
            .count = first ? other : count,
            .ln_p = first ? reverse : ln_p,
            .number = true,
            .low = 7,
            .below = below,
            .above = above,
        };
        struct sb_finding finding;

        assert_int_equal(sb_test_exact.run(&tally, 0.9, &finding), SB_OK);
        assert_string_equal(finding.test, "exact");
        assert_near(finding.p, 2 * 5 * 2 * 0.0001, 1e-9);
        if (first ? below : above)
            assert_true(isnan(finding.value));
        else
            assert_true(finding.value == (first ? 7 : 10));
    }
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

/* 60 throws into three cells, 10 20 30: X2 = (100 + 0 + 100)/20 = 10, and with two degrees of freedom p =
 * e^(-X2/2). */
TEST(pearson_by_hand)
{
    static const uint64_t count[] = { 10, 20, 30 };
    const struct sb_tally tally = { .statistic = "rank", .members = 1, .cells = 3, .total = 60, .count = count };
    const struct sb_finding finding = find(&sb_test_pearson, &tally);

    assert_string_equal(finding.statistic, "rank");
    assert_string_equal(finding.test, "pearson");
    assert_near(finding.value, 10, 1e-15);
    assert_near(finding.dof, 2, 0);
    assert_near(finding.p, exp(-5), 1e-13);
    assert_near(finding.ln_p, -5, 1e-13);
    assert_near(finding.expected_least, 20, 0);
    assert_near(finding.expected_needed, 5, 0); /* Cochran's rule, doi:10.2307/3001616 */
    assert_near(finding.effect, 8.0 / 59, 1e-14);
}

/*
 * 64 throws at 1/2, 1/4, 1/8, 1/8 and a cell that cannot occur: an expectation of 32 can stand alone, those
 * of 16, 8 and 8 are merged. The worse of two members has 40 and 24, X2 = 4 with one degree; its p is
 * doubled.
 */
TEST(merged_cells)
{
    static const uint64_t count[] = { 34, 15, 0, 8, 7, 40, 12, 0, 6, 6 };
    const double ln_p[] = { log(1.0 / 2), log(1.0 / 4), -INFINITY, log(1.0 / 8), log(1.0 / 8) };
    const struct sb_tally tally = {
        .statistic = "successor",
        .members = 2,
        .cells = 5,
        .total = 64,
        .count = count,
        .ln_p = ln_p,
    };
    struct sb_tally one = tally;
    struct sb_finding finding = find(&sb_test_merged, &tally);

    assert_string_equal(finding.test, "merged");
    assert_string_equal(finding.statistic, "successor");
    assert_near(finding.value, 4, 1e-14);
    assert_near(finding.dof, 1, 0);
    double tail = 0, choose = 1; /* of 64 fair coins, 40 or more are heads; the same for tails, and for two members */

    for (int heads = 64; heads >= 40; choose *= (double)heads / (65 - heads), heads--)
        tail += choose * 0x1p-64;
    assert_near(finding.p, 4 * tail, 1e-9);
    assert_near(finding.expected_least, 32, 1e-13);
    assert_true(sb_finding_reliable(&finding));
    one.members = 1;
    assert_near(find(&sb_test_merged, &one).value, 0.25, 1e-14);
}

/* Ten shuffles of two items, 12 seven times and 21 three times: all there is to know is (4 + 4)/5 = 1.6, one
 * degree. */
TEST(matrix_of_two_items)
{
    static const uint64_t count[] = { 7, 3, 3, 7 };
    const struct sb_tally tally = { .statistic = "position", .members = 2, .cells = 2, .total = 10, .count = count };
    const struct sb_finding finding = find(&sb_test_matrix, &tally);

    assert_string_equal(finding.statistic, "position");
    assert_string_equal(finding.test, "matrix");
    assert_near(finding.value, 1.6, 1e-15);
    assert_near(finding.dof, 1, 0);
    assert_near(finding.p, erfc(sqrt(0.8)), 1e-13);
    assert_near(finding.expected_least, 5, 0);
}
