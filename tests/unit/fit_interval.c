/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which deals a table shows, in which order, and their simultaneous intervals. */
#include "unit/test.h"

#include "core/evidence.h"
#include "fit/fit.h"
#include "fit/numeric.h"

#include <math.h>
#include <stdlib.h>

static struct sb_evidence open_counts(enum sb_by by, size_t n, const uint64_t count[])
{
    struct sb_evidence evidence;

    assert_int_equal(sb_evidence_open(by, n, n, &evidence), SB_OK);
    for (size_t i = 0; i < evidence.cells; i++) {
        evidence.counts.u64[i] = count[i];
        evidence.total += count[i];
    }
    sb_mpz_set_u64(evidence.denominator, evidence.total);
    return evidence;
}

/* Up to 24 deals: all, by rank. The level is alpha/6 for each of six. */
TEST(all_of_a_few)
{
    struct sb_evidence evidence = open_counts(SB_BY_SAMPLE, 3, (uint64_t[]) { 150, 190, 180, 190, 140, 150 });
    struct sb_row *rows;
    size_t count;

    assert_int_equal(sb_rows_of(&evidence, &evidence, 0.06, &rows, &count), SB_OK);
    assert_int_equal(count, 6);
    for (size_t i = 0; i < count; i++) {
        double low, high;

        sb_binomial_interval(evidence.counts.u64[i], 1000, 0.01, &low, &high);
        assert_int_equal(rows[i].rank, i);
        assert_true(rows[i].share == (double)evidence.counts.u64[i] / 1000);
        assert_true(fabs(rows[i].ratio - (double)evidence.counts.u64[i] * 6 / 1000) < 1e-14);
        assert_true(rows[i].low == low && rows[i].high == high);
    }
    free(rows);
    sb_evidence_close(&evidence);
}

/* More than 24: the ten most and the ten least frequent in one descending order, those of equal counts by
 * rank. */
TEST(the_ends_of_many)
{
    uint64_t counts[120];
    struct sb_evidence evidence;
    struct sb_row *rows;
    size_t count;

    for (size_t i = 0; i < 120; i++) /* 1000..1059, each twice */
        counts[i] = 1000 + i * 7 % 60;
    evidence = open_counts(SB_BY_SAMPLE, 5, counts);
    assert_int_equal(sb_rows_of(&evidence, &evidence, 0.001, &rows, &count), SB_OK);
    assert_int_equal(count, 20);
    for (size_t i = 0; i < count; i++) {
        const uint64_t expected = i < 10 ? 1059 - i / 2 : 1004 - (i - 10) / 2;

        assert_int_equal(counts[rows[i].rank], expected);
        assert_true(rows[i].low < rows[i].share && rows[i].share < rows[i].high);
        if (i % 2) {
            assert_int_equal(rows[i].rank, rows[i - 1].rank + 60);
            assert_true(rows[i].low == rows[i - 1].low && rows[i].high == rows[i - 1].high);
        }
    }
    free(rows);
    sb_evidence_close(&evidence);
}

/* All counts equal: the first ten and the last ten ranks, none twice. An exact law has no intervals. */
TEST(all_equal)
{
    uint64_t counts[120];
    struct sb_evidence evidence;
    struct sb_row *rows;
    size_t count;

    for (size_t i = 0; i < 120; i++)
        counts[i] = 1;
    evidence = open_counts(SB_BY_EXACT, 5, counts);
    assert_int_equal(sb_rows_of(&evidence, &evidence, 0.001, &rows, &count), SB_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(rows[i].rank, i < 10 ? i : 100 + i);
        assert_true(rows[i].ratio == 1 && isnan(rows[i].low) && isnan(rows[i].high));
    }
    free(rows);
    sb_evidence_close(&evidence);
}

/* Counts beyond 64 bits are ordered as well. */
TEST(big_numbers)
{
    uint64_t counts[120];
    struct sb_evidence evidence;
    struct sb_row *rows;
    size_t count;

    for (size_t i = 0; i < 120; i++)
        counts[i] = 120 - i;
    evidence = open_counts(SB_BY_EXACT, 5, counts);
    sb_numbers_close(&evidence.counts);
    assert_int_equal(sb_numbers_open(SB_NUMBERS_WIDE, 120, &evidence.counts), SB_OK);
    for (size_t i = 0; i < 120; i++) {
        mpz_set_ui(evidence.counts.wide[i], i);
        mpz_mul_2exp(evidence.counts.wide[i], evidence.counts.wide[i], 100);
    }
    mpz_set_ui(evidence.denominator, 120 * 119 / 2);
    mpz_mul_2exp(evidence.denominator, evidence.denominator, 100);
    evidence.total = 0;
    assert_int_equal(sb_rows_of(&evidence, &evidence, 0.001, &rows, &count), SB_OK);
    for (size_t i = 0; i < count; i++) {
        const size_t rank = i < 10 ? 119 - i : 19 - i;

        assert_int_equal(rows[i].rank, rank);
        assert_true(fabs(rows[i].share - (double)rank / 7140) < 1e-15);
    }
    free(rows);
    sb_evidence_close(&evidence);
}

TEST(nothing_counted_or_only_the_matrix)
{
    struct sb_evidence evidence = open_counts(SB_BY_SAMPLE, 1, (uint64_t[]) { 0 });
    struct sb_row *rows = NULL;
    size_t count = 7;

    assert_int_equal(sb_rows_of(&evidence, &evidence, 0.001, &rows, &count), SB_OK);
    assert_int_equal(count, 1);
    assert_true(isnan(rows[0].share) && isnan(rows[0].ratio) && rows[0].low == 0 && rows[0].high == 1);
    free(rows);
    sb_evidence_close(&evidence);
    rows = NULL;
    count = 7;
    assert_int_equal(sb_evidence_open(SB_BY_SAMPLE, 52, 52, &evidence), SB_OK);
    assert_int_equal(sb_rows_of(&evidence, &evidence, 0.001, &rows, &count), SB_INVALID);
    assert_null(rows);
    assert_int_equal(count, 7);
    sb_evidence_close(&evidence);
}
