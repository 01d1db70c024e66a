/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The matrix of items by positions in blocks of adjacent cells; in a small matrix each block is one cell. */
#ifndef SB_STUDY_REPORT_PAGE_MATRIX_BLOCKS_H
#define SB_STUDY_REPORT_PAGE_MATRIX_BLOCKS_H

#include "study/report/report_result.h"

struct sb_matrix_blocks {
    size_t rows, columns;
};

/* Returns the division of the matrix into blocks, at most `side` in each direction. */
struct sb_matrix_blocks sb_matrix_blocks_of(const struct sb_evidence *evidence, size_t side);

/* Returns the first index of block b, if `count` indexes are divided into `blocks` blocks. */
size_t sb_matrix_blocks_begin(size_t b, size_t blocks, size_t count);

/* One block. */
struct sb_matrix_block {
    /* first row, number of rows, first position, number of positions; a row is an item, or a kind of equal items */
    size_t item, items, position, positions;
    size_t copies; /* number of items of these rows */
    double share;  /* mean of the cells in the block */
    double fair;   /* mean of the fair shares of these cells */
};
struct sb_matrix_block sb_matrix_blocks_get(const struct sb_evidence *evidence,
                                            const struct sb_matrix_blocks *blocks, size_t row, size_t column);

/* Returns the deviation of the block, in units of the standard deviation of a fair sample. Returns NaN unless
 * the evidence is a sample. */
double sb_block_z(const struct sb_evidence *evidence, const struct sb_matrix_block *block);

/*
 * Returns whether the fair share lies outside the interval of a share. The share is the mean of `weight`
 * cells. For a sample, the interval comes from Chernoff's bound. The intervals of `all` shares hold
 * simultaneously at the report's alpha. For an exact law there is no interval, and the function says whether
 * the share differs from the fair share.
 */
bool sb_share_beyond(const struct sb_report *report, double share, double fair, double weight, double all);

/* Returns whether the fair share lies outside the block's interval. The intervals of all blocks hold
 * simultaneously at the report's alpha. */
bool sb_block_beyond(const struct sb_report *report, const struct sb_matrix_blocks *blocks,
                     const struct sb_matrix_block *block);

#endif
