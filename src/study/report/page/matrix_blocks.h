/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The matrix of items by positions in blocks of neighbours: each a single cell where the matrix is small. */
#ifndef SB_STUDY_REPORT_PAGE_MATRIX_BLOCKS_H
#define SB_STUDY_REPORT_PAGE_MATRIX_BLOCKS_H

#include "study/report/report_result.h"

struct sb_matrix_blocks {
    size_t rows, columns;
};

/* At most `side` each way. */
struct sb_matrix_blocks sb_matrix_blocks_of(const struct sb_evidence *evidence, size_t side);

/* Where block b of `blocks` begins among `count`. */
size_t sb_matrix_blocks_begin(size_t b, size_t blocks, size_t count);

/* One block. */
struct sb_matrix_block {
    size_t item, items, position, positions; /* its first item and position, and how many */
    double share;                            /* the mean of its cells */
};
struct sb_matrix_block sb_matrix_blocks_get(const struct sb_evidence *evidence,
                                            const struct sb_matrix_blocks *blocks, size_t row, size_t column);

/* By how many standard deviations of a fair sample it is off; NaN for evidence that is no sample. */
double sb_block_z(const struct sb_evidence *evidence, const struct sb_matrix_block *block);

/*
 * Whether the fair share lies outside the interval of a share, one of `all` whose intervals hold together at
 * the report's alpha: of a sample by Chernoff's bound, of a law where it is another. `weight`: how many cells
 * the share is the mean of.
 */
bool sb_share_beyond(const struct sb_report *report, double share, double fair, double weight, double all);

/* Whether a fair share lies outside its interval. Those of all blocks hold together, at the report's alpha.
 */
bool sb_block_beyond(const struct sb_report *report, const struct sb_matrix_blocks *blocks,
                     const struct sb_matrix_block *block);

#endif
