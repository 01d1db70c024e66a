/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pearson's chi-square, G and the matrix test on examples that can be computed by hand; G also against
 * data/vectors/likelihood_ratio.txt.
 */
#include "unit/test.h"

#include "fit/fit.h"
#include "unit/assert_near.h"
#include "unit/vectors.h"

#include <math.h>

extern const struct sb_test_type sb_test_likelihood_ratio, sb_test_matrix;

static struct sb_finding find(const struct sb_test_type *test, const struct sb_tally *tally)
{
    struct sb_finding finding;

    assert_int_equal(test->run(tally, 0.05, &finding), SB_OK);
    return finding;
}

/* 60 throws into three cells, 10 20 30: X2 = (100 + 0 + 100)/20 = 10, and with two degrees of freedom p =
 * e^(-X2/2). */
TEST(pearson_by_hand)
{
    static const uint64_t count[] = { 10, 20, 30 };
    const struct sb_tally tally = {
        .statistic = "rank", .members = 1, .cells = 3, .total = 60, .count = count
    };
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

/* Williams' q = 1 + (sum 1/p - 1)/(6 N (K-1)), with equally likely cells 1 + (K+1)/(6 N), is undone. */
static void compute_g(const struct vector *v, struct vector_field got[])
{
    uint64_t count[VECTOR_FIELDS_MOST];
    struct sb_tally tally = { .statistic = "rank", .members = 1, .cells = v->ins, .count = count };

    for (size_t i = 0; i < v->ins; i++)
        tally.total += count[i] = v->in[i].whole;
    got[0].real = find(&sb_test_likelihood_ratio, &tally).value *
                  (1 + ((double)v->ins + 1) / (6 * (double)tally.total));
}

TEST(likelihood_ratio_of_high_precision)
{
    static const struct vector_kind kinds[] = {
        { "g", .in = "n+", .out = "r", .relative = 1e-14, .least = 2, .compute = compute_g },
        { .name = NULL },
    };

    vectors_check("likelihood_ratio.txt", kinds);
}

/* A null law of 1/2, 1/3, 1/6 and a cell that cannot occur: X2 = 0 + 100/20 + 100/10, G = 20 ln 2, two
 * degrees. */
TEST(another_null_law)
{
    static const uint64_t count[] = { 30, 0, 10, 20 }, impossible[] = { 30, 1, 10, 19 };
    const double ln_p[] = { log(1.0 / 2), -INFINITY, log(1.0 / 3), log(1.0 / 6) };
    struct sb_tally tally = {
        .statistic = "rank",
        .members = 1,
        .cells = 4,
        .total = 60,
        .count = count,
        .ln_p = ln_p,
    };
    struct sb_finding finding = find(&sb_test_pearson, &tally);

    assert_near(finding.value, 15, 1e-14);
    assert_near(finding.dof, 2, 0);
    assert_near(finding.p, exp(-7.5), 1e-12);
    assert_near(finding.expected_least, 10, 1e-14);
    finding = find(&sb_test_likelihood_ratio, &tally);
    assert_near(finding.value, 20 * log(2) / (1 + 10.0 / (6 * 60 * 2)), 1e-14); /* sum 1/p = 11 */
    assert_near(finding.dof, 2, 0);
    tally.count = impossible;
    assert_int_equal(sb_test_pearson.run(&tally, 0.05, &finding), SB_BROKEN);
    assert_int_equal(sb_test_likelihood_ratio.run(&tally, 0.05, &finding), SB_BROKEN);
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
    assert_near(finding.p, 2 * erfc(sqrt(2)), 1e-12);
    assert_near(finding.expected_least, 32, 1e-13);
    assert_true(sb_finding_reliable(&finding));
    one.members = 1;
    assert_near(find(&sb_test_merged, &one).value, 0.25, 1e-14);
}

/* 16 throws: 1/2 of them is 8, so all cells merge into one, and there is no p-value. 40 throws make two cells
 * of 20. */
TEST(merged_into_one_cell)
{
    static const uint64_t count[] = { 5, 7, 0, 4, 0, 6, 4, 0, 3, 3 };
    const double ln_p[] = { log(1.0 / 2), log(1.0 / 4), -INFINITY, log(1.0 / 8), log(1.0 / 8) };
    const struct sb_tally tally = {
        .statistic = "successor",
        .members = 2,
        .cells = 5,
        .total = 16,
        .count = count,
        .ln_p = ln_p,
    };
    const struct sb_finding finding = find(&sb_test_merged, &tally);

    assert_near(finding.dof, 0, 0);
    assert_true(isnan(finding.p) && isnan(finding.ln_p) && isnan(finding.value) && isnan(finding.effect));
    assert_false(sb_finding_reliable(&finding));
    assert_near(finding.expected_least, 8, 1e-13);
    assert_near(finding.expected_needed, 20, 0);
}

/* A law with a cell of e^-900, below the smallest double: one count there settles the matter, in finite
 * numbers. */
TEST(a_cell_that_never_comes)
{
    static const uint64_t count[] = { 99, 1 };
    const double ln_p[] = { 0, -900 };
    const struct sb_tally tally = {
        .statistic = "cycles",
        .members = 1,
        .cells = 2,
        .total = 100,
        .count = count,
        .ln_p = ln_p,
    };

    for (size_t i = 0; i < 2; i++) {
        const struct sb_finding finding = find(i ? &sb_test_likelihood_ratio : &sb_test_pearson, &tally);

        assert_true(isfinite(finding.value) && isfinite(finding.ln_p) && finding.ln_p < -190);
        if (i == 0)
            assert_true(isfinite(finding.effect_low) && isfinite(finding.effect_high));
    }
}

/* 6*10^13 + 4 throws of a die, as even as can be: X2 = (6 * 4 - 4^2)/N; here N/6 - O alone has lost five
 * digits. */
TEST(digits_of_nearly_even_counts)
{
    static const uint64_t q = 10000000000000, count[] = { 10000000000001, 10000000000001, 10000000000000,
                                                          10000000000001, 10000000000000, 10000000000001 };
    const struct sb_tally tally = {
        .statistic = "rank",
        .members = 1,
        .cells = 6,
        .total = 6 * q + 4,
        .count = count,
    };

    assert_near(find(&sb_test_pearson, &tally).value, 8 / (6e13 + 4), 1e-14);
    assert_near(find(&sb_test_likelihood_ratio, &tally).value, 8 / (6e13 + 4), 1e-12);
}

/* Ten shuffles of two items, 12 seven times and 21 three times: all there is to know is (4 + 4)/5 = 1.6, one
 * degree. */
TEST(matrix_of_two_items)
{
    static const uint64_t count[] = { 7, 3, 3, 7 };
    const struct sb_tally tally = {
        .statistic = "position", .members = 2, .cells = 2, .total = 10, .count = count
    };
    const struct sb_finding finding = find(&sb_test_matrix, &tally);

    assert_string_equal(finding.statistic, "position");
    assert_string_equal(finding.test, "matrix");
    assert_near(finding.value, 1.6, 1e-15);
    assert_near(finding.dof, 1, 0);
    assert_near(finding.p, erfc(sqrt(0.8)), 1e-13);
    assert_near(finding.expected_least, 5, 0);
}

/* Deals of one of three items, 10 20 30: the matrix has "not dealt" beside them, and says what Pearson's X2
 * says. */
TEST(matrix_of_deals)
{
    static const uint64_t count[] = { 10, 50, 20, 40, 30, 30 };
    const double ln_p[] = { log(1.0 / 3), log(2.0 / 3) };
    const struct sb_tally tally = {
        .statistic = "position",
        .members = 3,
        .cells = 2,
        .total = 60,
        .count = count,
        .ln_p = ln_p,
    };
    const struct sb_finding finding = find(&sb_test_matrix, &tally);

    assert_near(finding.value, 10, 1e-13);
    assert_near(finding.dof, 2, 0);
    assert_near(finding.p, exp(-5), 1e-12);
    assert_near(finding.expected_least, 20, 1e-14);
}

/* One cell, one item or no deal at all is no evidence: the numbers do not exist. */
TEST(no_evidence)
{
    static const uint64_t count[] = { 5, 0, 0, 0, 0, 0 }, none[] = { 0, 0, 0, 0, 0, 0 };
    const struct sb_tally one = {
        .statistic = "position", .members = 1, .cells = 1, .total = 5, .count = count
    };
    const struct sb_tally nothing = { .statistic = "rank", .members = 1, .cells = 6, .count = none };
    const double ln_p[] = { log(0.5), log(0.5) };
    const struct sb_tally uneven_nothing = {
        .statistic = "x", .members = 1, .cells = 2, .count = none, .ln_p = ln_p
    };
    const struct sb_tally no_items = { .statistic = "position", .total = 5, .count = none };
    static const struct sb_test_type *const tests[] = { &sb_test_pearson, &sb_test_likelihood_ratio,
                                                        &sb_test_matrix };

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

/* The tests of one statistic's cells refuse a family of members. */
TEST(another_shape)
{
    static const uint64_t count[] = { 7, 3, 3, 7 };
    const struct sb_tally tally = {
        .statistic = "position", .members = 2, .cells = 2, .total = 10, .count = count
    };
    struct sb_finding finding;

    assert_int_equal(sb_test_pearson.run(&tally, 0.05, &finding), SB_INVALID);
    assert_int_equal(sb_test_likelihood_ratio.run(&tally, 0.05, &finding), SB_INVALID);
}

/* One throw into six cells: X2 = (5/6)^2 6 + 5/6 = 5, its degrees of freedom; what doubles leave is no
 * effect. */
TEST(rounding_is_no_effect)
{
    static const uint64_t count[] = { 0, 0, 1, 0, 0, 0 };
    const struct sb_tally tally = {
        .statistic = "rank", .members = 1, .cells = 6, .total = 1, .count = count
    };
    const struct sb_finding finding = find(&sb_test_pearson, &tally);

    assert_near(finding.value, 5, 1e-15);
    assert_true(finding.effect == 0);
}
