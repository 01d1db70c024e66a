/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which deals a table shows, in which order, and their simultaneous intervals. */
#include "unit/test.h"

#include "core/evidence.h"
#include "fit/fit.h"
#include "fit/numeric.h"
#include "unit/evidence_counts.h"

#include <math.h>
#include <stdlib.h>

/* Up to 24 deals: all, by rank. The level is alpha/6 for each of six. */
TEST(all_of_a_few)
{
    struct sb_evidence evidence =
        open_counts(SB_BY_SAMPLE, 3, 3, (uint64_t[]) { 150, 190, 180, 190, 140, 150 });
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
    evidence = open_counts(SB_BY_SAMPLE, 5, 5, counts);
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
    evidence = open_counts(SB_BY_EXACT, 5, 5, counts);
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
    evidence = open_counts(SB_BY_EXACT, 5, 5, counts);
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
    struct sb_evidence evidence = open_counts(SB_BY_SAMPLE, 1, 1, (uint64_t[]) { 0 });
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

/* ---- places ---- */

/*
 * Which cells of a matrix are beyond chance: those whose exact binomial tail, at the fair share, is below half of
 * the level. The tails are added up term by term.
 */

enum { N = 4, DEAL = 3, TOTAL = 200 };

/* P(X >= count), or P(X <= count) if `below`, of a binomial with TOTAL trials and probability 1/N. */
static double tail(uint64_t count, bool below)
{
    double sum = 0;

    for (uint64_t k = below ? 0 : count; k <= (below ? count : TOTAL); k++)
        sum += exp(lgamma(TOTAL + 1) - lgamma((double)k + 1) - lgamma((double)(TOTAL - k) + 1) +
                   (double)k * log(1.0 / N) + (double)(TOTAL - k) * log(1 - 1.0 / N));
    return sum;
}

static struct sb_evidence evidence_of(uint64_t matrix[N * DEAL])
{
    return (struct sb_evidence) { .n = N, .deal = DEAL, .total = TOTAL, .matrix = { .u64 = matrix } };
}

/* One cell has each count in turn, and all other cells have the fair share. */
TEST(a_cell_is_beyond_if_its_tail_is)
{
    const double levels[] = { 0.5, 0.05, 1e-3, 1e-9 };

    for (size_t i = 0; i < 4; i++)
        for (uint64_t count = 0; count <= TOTAL; count++) {
            uint64_t matrix[N * DEAL];
            struct sb_places places;
            const double half = levels[i] / (N * DEAL) / 2;
            const bool beyond = tail(count, count < TOTAL / N) < half;

            for (size_t cell = 0; cell < N * DEAL; cell++)
                matrix[cell] = TOTAL / N;
            matrix[5] = count;
            const struct sb_evidence evidence = evidence_of(matrix);

            sb_places_find(&evidence, levels[i], &places);
            assert_int_equal(places.cells, N * DEAL);
            assert_int_equal(places.beyond, beyond);
            assert_int_equal(places.count, beyond);
            if (beyond) {
                assert_int_equal(places.place[0].item, 1);
                assert_int_equal(places.place[0].position, 2);
                assert_int_equal(places.place[0].count, count);
                assert_true(fabs(places.place[0].share - (double)count / TOTAL) < 1e-15);
                assert_true(fabs(places.place[0].ratio - (double)count * N / TOTAL) < 1e-13);
            }
        }
}

/* The farthest cells come first, in either direction; of equally far cells, the first. */
TEST(the_farthest_cells_come_first)
{
    uint64_t matrix[N * DEAL] = { 50, 0, 120, 50, 200, 10, 90, 50, 100, 0, 50, 50 };
    const size_t order[] = { 4, 2, 1, 8, 9, 5, 6 };
    struct sb_places places;
    const struct sb_evidence evidence = evidence_of(matrix);

    sb_places_find(&evidence, 0.01, &places);
    assert_int_equal(places.beyond, 7);
    assert_true(places.count > 0 && places.count <= 7);
    for (size_t i = 0; i < places.count; i++)
        assert_int_equal(places.place[i].item * DEAL + places.place[i].position, order[i]);
}

TEST(an_empty_sample_shows_nothing)
{
    uint64_t matrix[N * DEAL] = { 0 };
    struct sb_evidence evidence = evidence_of(matrix);
    struct sb_places places;

    evidence.total = 0;
    sb_places_find(&evidence, 0.01, &places);
    assert_int_equal(places.cells, 0);
    assert_int_equal(places.beyond, 0);
}
