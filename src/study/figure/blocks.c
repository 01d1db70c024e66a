/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A matrix in blocks of cells, for pictures that have no room for each cell. Cost: O(n k), for k dealt items. */
#include "study/figure/figure.h"

#include <math.h>

struct sb_matrix_blocks sb_matrix_blocks_of(const struct sb_report *report, size_t rows, size_t columns)
{
    const struct sb_evidence *const evidence = &report->evidence;

    return (struct sb_matrix_blocks) {
        .report = report,
        .rows = sb_evidence_rows(evidence) < rows ? sb_evidence_rows(evidence) : rows,
        .columns = evidence->deal < columns ? evidence->deal : columns,
    };
}

size_t sb_matrix_blocks_row(const struct sb_matrix_blocks *blocks, size_t b)
{
    return b * sb_evidence_rows(&blocks->report->evidence) / blocks->rows;
}

size_t sb_matrix_blocks_position(const struct sb_matrix_blocks *blocks, size_t b)
{
    return b * blocks->report->evidence.deal / blocks->columns;
}

double sb_matrix_share_off(const struct sb_matrix_share *share)
{
    return share->share / share->fair - 1;
}

bool sb_matrix_blocks_merged(const struct sb_matrix_blocks *blocks)
{
    return blocks->rows < sb_evidence_rows(&blocks->report->evidence) ||
           blocks->columns < blocks->report->evidence.deal;
}

/* Chooses what a block shows: of the cells and the mean whose intervals exclude the fair share, the one farthest from
 * fair, or else the mean. A sample knows a mean better than a cell. All intervals of cells and blocks hold together. */
static void block_show(const struct sb_matrix_blocks *blocks, struct sb_matrix_block *block)
{
    const bool merged = sb_matrix_blocks_merged(blocks);
    const double cells = (double)(sb_evidence_rows(&blocks->report->evidence) * blocks->report->evidence.deal);
    const double all = merged ? cells + (double)(blocks->rows * blocks->columns) : cells;
    const struct sb_matrix_share *const share[] = { &block->mean, &block->least, &block->most };

    block->shown = block->mean;
    for (size_t i = 0; blocks->report->evidence.n >= 2 && i < (merged ? 3 : 1); i++) {
        const double weight = i ? 1 : (double)(block->items * block->positions);
        const bool farther = fabs(sb_matrix_share_off(share[i])) > fabs(sb_matrix_share_off(&block->shown));

        if ((farther || !block->beyond) &&
            sb_share_beyond(blocks->report, share[i]->share, share[i]->fair, weight, all)) {
            block->shown = *share[i];
            block->beyond = true;
        }
    }
}

struct sb_matrix_block sb_matrix_blocks_get(const struct sb_matrix_blocks *blocks, size_t row, size_t column)
{
    const struct sb_evidence *const evidence = &blocks->report->evidence;
    struct sb_matrix_block block = { .item = sb_matrix_blocks_row(blocks, row),
                                     .position = sb_matrix_blocks_position(blocks, column) };

    block.items = sb_matrix_blocks_row(blocks, row + 1) - block.item;
    block.positions = sb_matrix_blocks_position(blocks, column + 1) - block.position;
    for (size_t i = 0; i < block.items; i++) {
        struct sb_matrix_share cell = { .fair = sb_evidence_fair(evidence, block.item + i) };

        for (size_t j = 0; j < block.positions; j++) {
            cell.share = sb_evidence_matrix_share(evidence, block.item + i, block.position + j);
            block.mean.share += cell.share;
            if (i + j == 0 || sb_matrix_share_off(&cell) < sb_matrix_share_off(&block.least))
                block.least = cell;
            if (i + j == 0 || sb_matrix_share_off(&cell) > sb_matrix_share_off(&block.most))
                block.most = cell;
        }
        block.copies += sb_evidence_copies(evidence, block.item + i);
    }
    block.mean.share /= (double)(block.items * block.positions);
    block.mean.fair = (double)block.copies / ((double)block.items * (double)evidence->n);
    block_show(blocks, &block);
    return block;
}

double sb_matrix_blocks_scale(const struct sb_matrix_blocks *blocks)
{
    double deviation = 0;

    for (size_t b = 0; b < blocks->rows * blocks->columns; b++) {
        const struct sb_matrix_block block = sb_matrix_blocks_get(blocks, b / blocks->columns, b % blocks->columns);

        deviation = fmax(deviation, fabs(sb_matrix_share_off(&block.shown)));
    }
    return sb_bar_scale(deviation);
}
