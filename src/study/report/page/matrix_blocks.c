/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The matrix of items by positions in blocks.
 *
 * A block has `a` items, which may be equal, and b positions. In a fair deck, the number of these items at
 * these positions has a hypergeometric law. The mean is a b / n, and the variance is a b (n-a) (n-b) / (n^2
 * (n-1)).
 *
 * The fair share 1/n is outside a block's interval if N a b KL(share, 1/n) > ln(2 m / alpha). Here N is the
 * number of decks, `share` is the mean of the block's cells, and m is the number of blocks. In a random
 * permutation, the indicators "item i is at position j" are negatively associated (Joag-Dev and Proschan,
 * Annals of Statistics 11, 1983). So Chernoff's bound for independent indicators holds for their sum, for
 * every N.
 */
#include "study/report/page/matrix_blocks.h"

#include <math.h>

size_t sb_matrix_blocks_begin(size_t b, size_t blocks, size_t count)
{
    return b * count / blocks;
}

struct sb_matrix_blocks sb_matrix_blocks_of(const struct sb_evidence *evidence, size_t side)
{
    return (struct sb_matrix_blocks) {
        .rows = sb_evidence_rows(evidence) < side ? sb_evidence_rows(evidence) : side,
        .columns = evidence->deal < side ? evidence->deal : side,
    };
}

struct sb_matrix_block sb_matrix_blocks_get(const struct sb_evidence *evidence,
                                            const struct sb_matrix_blocks *blocks, size_t row, size_t column)
{
    const size_t rows = sb_evidence_rows(evidence), item = sb_matrix_blocks_begin(row, blocks->rows, rows);
    const size_t position = sb_matrix_blocks_begin(column, blocks->columns, evidence->deal);
    struct sb_matrix_block block = {
        .item = item,
        .items = sb_matrix_blocks_begin(row + 1, blocks->rows, rows) - item,
        .position = position,
        .positions = sb_matrix_blocks_begin(column + 1, blocks->columns, evidence->deal) - position,
    };

    for (size_t i = 0; i < block.items; i++)
        for (size_t j = 0; j < block.positions; j++)
            block.share += sb_evidence_matrix_share(evidence, item + i, position + j);
    block.share /= (double)(block.items * block.positions);
    for (size_t i = 0; i < block.items; i++)
        block.copies += sb_evidence_copies(evidence, item + i);
    block.fair = (double)block.copies / ((double)block.items * (double)evidence->n);
    return block;
}

double sb_block_z(const struct sb_evidence *evidence, const struct sb_matrix_block *block)
{
    const double n = (double)evidence->n, total = (double)evidence->total;
    const double rows = (double)block->items, a = (double)block->copies, b = (double)block->positions;
    const double variance = a * b * (n - a) * (n - b) / (n * n * (n - 1));

    if (evidence->by != SB_BY_SAMPLE || !(variance > 0))
        return NAN;
    return (rows * b * block->share - a * b / n) * sqrt(total / variance);
}

/* Returns p ln(p / q), which is 0 for p = 0. */
static double blocks_term(double p, double q)
{
    return p > 0 ? p * log(p / q) : 0;
}

bool sb_share_beyond(const struct sb_report *report, double share, double fair, double weight, double all)
{
    const struct sb_evidence *const evidence = &report->evidence;

    if (evidence->by != SB_BY_SAMPLE) /* an exact law: differences are real unless they are only rounding */
        return fabs(share - fair) > (1e-12 + evidence->error) * fair;
    const double kl = blocks_term(share, fair) + blocks_term(1 - share, 1 - fair);

    return (double)evidence->total * weight * kl > log(2 * all / report->alpha);
}

bool sb_block_beyond(const struct sb_report *report, const struct sb_matrix_blocks *blocks,
                     const struct sb_matrix_block *block)
{
    const size_t n = report->evidence.n;

    return n >= 2 &&
           sb_share_beyond(report, block->share, block->fair, (double)(block->items * block->positions),
                           (double)(blocks->rows * blocks->columns));
}
