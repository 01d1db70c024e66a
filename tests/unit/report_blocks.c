/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of the matrix: their standard deviations against all permutations, their intervals against
 * binomials. */
#include "unit/test.h"

#include "study/report/report_page.h"
#include "unit/assert_near.h"

#include <math.h>
#include <stdlib.h>

enum { N = 5, ALL = 120 };

TEST(blocks_cover_the_matrix)
{
    const struct sb_evidence evidence = { .n = 13, .deal = 7 };
    const struct sb_matrix_blocks blocks = sb_matrix_blocks_of(&evidence, 4);

    assert_int_equal(blocks.rows, 4);
    assert_int_equal(sb_matrix_blocks_begin(0, 4, 13), 0);
    for (size_t b = 0; b < 4; b++)
        assert_true(sb_matrix_blocks_begin(b + 1, 4, 13) - sb_matrix_blocks_begin(b, 4, 13) >= 3);
    assert_int_equal(sb_matrix_blocks_begin(4, 4, 13), 13);
    assert_int_equal(sb_matrix_blocks_of(&evidence, 9).columns, 7);
}

/* Items 0 and 1 at positions 2 to 4, in each permutation of 5. */
TEST(z_counts_standard_deviations)
{
    uint64_t matrix[N * N] = { 0 };
    struct sb_evidence evidence = {
        .by = SB_BY_SAMPLE,
        .n = N,
        .deal = N,
        .total = 1,
        .matrix = { .form = SB_NUMBERS_U64, .size = N * N, .u64 = matrix },
    };
    struct sb_matrix_block block = { .item = 0, .items = 2, .copies = 2, .position = 2, .positions = 3 };
    double sum = 0, squares = 0;

    for (uint64_t rank = 0; rank < ALL; rank++) {
        sb_item a[N];
        int inside = 0;

        sb_permutation_unrank(N, N, rank, a);
        for (size_t j = 2; j < 5; j++)
            inside += a[j] < 2;
        sum += inside;
        squares += inside * inside;
    }
    const double mean = sum / ALL, deviation = sqrt(squares / ALL - mean * mean);

    block.share = 2.0 / 6; /* both of them in the block, after one shuffle */
    assert_within(sb_block_z(&evidence, &block), (2 - mean) / deviation, 1e-12);
    evidence.total = 100; /* and after each of a hundred */
    assert_within(sb_block_z(&evidence, &block), 10 * (2 - mean) / deviation, 1e-11);
    evidence.by = SB_BY_EXACT;
    assert_true(isnan(sb_block_z(&evidence, &block)));
}

/* Of 50 fair shuffles of three items a cell's count is binomial: it is beyond with at most alpha over nine
 * cells. */
TEST(few_fair_cells_are_beyond)
{
    enum { TOTAL = 50 };
    const struct sb_report report = { .evidence = { .by = SB_BY_SAMPLE, .n = 3, .deal = 3, .total = TOTAL },
                                      .alpha = 0.05 };
    const struct sb_matrix_blocks blocks = { 3, 3 };
    double term = pow(2.0 / 3, TOTAL), beyond = 0;

    for (int k = 0; k <= TOTAL; k++) {
        const struct sb_matrix_block block = {
            .items = 1, .positions = 1, .share = (double)k / TOTAL, .fair = 1.0 / 3
        };

        if (sb_block_beyond(&report, &blocks, &block))
            beyond += term;
        term *= 0.5 * (TOTAL - k) / (k + 1);
    }
    assert_true(beyond > 0.01 * report.alpha / 9); /* it is not blind */
    assert_true(beyond <= report.alpha / 9);
}

TEST(an_exact_cell_is_beyond_where_it_is_not_fair)
{
    const struct sb_report report = { .evidence = { .by = SB_BY_EXACT, .n = 3, .deal = 3 } };
    const struct sb_matrix_blocks blocks = { 3, 3 };

    assert_false(
        sb_block_beyond(&report, &blocks, &(struct sb_matrix_block) { .share = 1.0 / 3, .fair = 1.0 / 3 }));
    assert_true(
        sb_block_beyond(&report, &blocks, &(struct sb_matrix_block) { .share = 10.0 / 27, .fair = 1.0 / 3 }));
}
