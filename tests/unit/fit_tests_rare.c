/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests in rare cases: tallies of another shape, impossible cells, too few samples, many items; bets and repeats. */
#include "unit/test.h"

#include "fit/fit.h"
#include "unit/assert_near.h"

#include <math.h>

extern const struct sb_test_type sb_test_likelihood_ratio, sb_test_matrix, sb_test_birthday;

static struct sb_finding find(const struct sb_test_type *test, const struct sb_tally *tally)
{
    struct sb_finding finding;

    assert_int_equal(test->run(tally, 0.05, &finding), SB_OK);
    return finding;
}

/* Nor does any test take a family without cells, or betting and repeats a tally of another kind. */
TEST(no_shape)
{
    static const uint64_t count[] = { 7, 3 };
    static const struct sb_tally tallies[] = {
        { .statistic = "x", .members = 1, .total = 10, .count = count }, /* no cells */
        { .statistic = "x", .members = 2, .total = 10, .count = count }, /* nor one member */
        { .statistic = "x",
          .members = 1,
          .cells = 1,
          .total = 10,
          .count = count } /* no law of repeats, no bets */
    };
    struct sb_finding finding;

    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(sb_test_pearson.run(&tallies[i], 0.05, &finding), SB_INVALID);
        assert_int_equal(sb_test_likelihood_ratio.run(&tallies[i], 0.05, &finding), SB_INVALID);
        assert_int_equal(sb_test_matrix.run(&tallies[i], 0.05, &finding), SB_INVALID);
        assert_int_equal(sb_test_merged.run(&tallies[i], 0.05, &finding), SB_INVALID);
    }
    assert_int_equal(sb_test_merged.run(&(struct sb_tally) { .statistic = "x", .cells = 2 }, 0.05, &finding),
                     SB_INVALID);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(sb_test_birthday.run(&tallies[i], 0.05, &finding), SB_INVALID);
        assert_int_equal(sb_test_betting.run(&tallies[i], 0.05, &finding), SB_INVALID);
    }
}

/* The second of two cells comes once, although it cannot. */
TEST(impossible_in_a_family)
{
    static const uint64_t count[] = { 10, 0, 9, 1 };
    static const double ln_p[] = { 0, -HUGE_VAL };
    const struct sb_tally tally = {
        .statistic = "position", .members = 2, .cells = 2, .total = 10, .count = count, .ln_p = ln_p
    };
    struct sb_finding finding = { .value = 7 };

    assert_int_equal(sb_test_matrix.run(&tally, 0.05, &finding), SB_BROKEN);
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

/* Eleven items have no ranks to tell by: the finding is that of the matrix alone. */
TEST(matrix_of_eleven)
{
    enum { N = 11 };
    uint64_t count[N * N];
    struct sb_tally tally = {
        .statistic = "position", .members = N, .cells = N, .total = 10 * N, .count = count
    };

    for (size_t i = 0; i < N * N; i++) /* rotations by 3 come twice as often as they should, and by 4 never */
        count[i] = (i / N + N - i % N) % N == 3 ? 20 : (i / N + N - i % N) % N == 4 ? 0 : 10;
    const struct sb_finding alone = find(&sb_test_matrix, &tally);

    tally.ranks = &tally;
    const struct sb_finding ranked = find(&sb_test_matrix, &tally);

    assert_near(alone.value, 20 * N * 10.0 / 11, 1e-12); /* (10^2 + 10^2)/10 for each item, times (n-1)/n */
    assert_true(ranked.value == alone.value && ranked.effect_high == alone.effect_high);
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

/* Seven decks of three cards, of which there are six: one has to come again. */
TEST(repeats_that_must_come)
{
    const double ln_pair = -log(6);
    const uint64_t once = 1, never = 0;
    const struct sb_birthday seven = { .ln_pair = ln_pair, .decks = 7, .repeats = 1 };
    const struct sb_birthday one = { .ln_pair = ln_pair, .decks = 1 },
                             none = { .ln_pair = ln_pair, .decks = 5 };
    const struct sb_tally tally = {
        .statistic = "repeat", .members = 1, .cells = 1, .total = 1, .count = &never, .ln_p = &ln_pair
    };
    const struct sb_tally many = {
        .statistic = "repeat", .members = 1, .cells = 1, .total = 7, .count = &once, .ln_p = &ln_pair
    };

    assert_true(sb_birthday_ln_p(&seven) == 0 && sb_birthday_ln_p(&one) == 0 && sb_birthday_ln_p(&none) == 0);
    assert_true(sb_birthday_expected(1, ln_pair) == 0);
    assert_near(sb_birthday_expected(7, ln_pair), 21.0 / 6, 1e-14);
    assert_true(isnan(find(&sb_test_birthday, &tally).p)); /* one deck alone */
    assert_true(find(&sb_test_birthday, &many).p == 1);
}

/* If hardly any deck is compared, fewer than two decks of an alternative are left: no alternative gains or loses. */
TEST(repeats_among_a_small_part)
{
    struct sb_birthday birthday = { .ln_pair = -log(6), .ln_part = -200 };

    for (uint64_t known = 0; known < 5; known++)
        sb_birthday_step(&birthday, known, false);
    assert_true(birthday.decks == 5 && birthday.repeats == 0 && birthday.pairs == 0);
    assert_true(fabs(sb_birthday_ln_e(&birthday)) < 1e-15);
}
