/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A large matrix as a coarse picture: one character for each block of items and positions. The character's shade shows
 * the ratio of the block's mean to the fair share. For a sample, differences that chance explains are not shown. Cost:
 * O(n k), where k is the number of dealt items. */
#include "core/text.h"
#include "study/report/report_result.h"

#include <math.h>
#include <stdlib.h>

enum {
    /* if there are 52 items, two items share a row, because a character is twice as high as wide */
    PICTURE_ROWS_MOST = 26,
    PICTURE_COLUMNS_MOST = 52,
    PICTURE_LEVELS = 5,
};

static const enum sb_ink picture_ink[PICTURE_LEVELS] = { SB_INK_UNDER, SB_INK_UNDER, SB_INK_PLAIN, SB_INK_OVER,
                                                         SB_INK_OVER };

static const char *picture_shade(const struct sb_page *page, size_t level)
{
    static const char *const unicode[] = { " ", "\u2591", "\u2592", "\u2593", "\u2588" };
    static const char *const ascii[] = { " ", ".", ":", "*", "#" };

    return (page->look.unicode ? unicode : ascii)[level];
}

/* Returns the deviation of the darkest shade. */
static double picture_scale(const struct sb_evidence *evidence, const struct sb_matrix_blocks *blocks)
{
    const double scale = sb_matrix_blocks_scale(evidence, blocks);
    const size_t cells = sb_evidence_rows(evidence) / blocks->rows * (evidence->deal / blocks->columns);

    if (evidence->by == SB_BY_EXACT)
        return scale;
    /* the middle shade covers up to four standard deviations of a fair sample */
    return fmax(scale, 16 * sqrt((double)evidence->n / ((double)evidence->total * (double)cells)));
}

static void picture_row(const struct sb_evidence *evidence, const struct sb_matrix_blocks *blocks, double scale,
                        size_t row, struct sb_page *page)
{
    const char *const edge = page->look.unicode ? "\u2502" : "|";
    const size_t first = sb_matrix_blocks_begin(row, blocks->rows, sb_evidence_rows(evidence));
    char text[SB_ITEM_ROOM];
    char *const name = sb_sanitize_page_text(sb_item_name(evidence->names, sb_evidence_item(evidence, first), text),
                                             page->look.unicode);

    if (!name) {
        page->status = SB_NO_MEMORY;
        return;
    }
    const size_t width = sb_utf8_width(name);

    fprintf(page->stream, "%*s%s %s", width < 5 ? (int)(5 - width) : 0, "", name, edge);
    free(name);
    for (size_t c = 0; c < blocks->columns; c++) {
        const struct sb_matrix_block block = sb_matrix_blocks_get(evidence, blocks, row, c);
        const double level = 2 + round(2 * (block.share / block.fair - 1) / scale);
        const size_t shade = (size_t)fmin(fmax(level, 0), PICTURE_LEVELS - 1);

        sb_page_ink(page, picture_ink[shade]);
        fputs(picture_shade(page, shade), page->stream);
        sb_page_ink_off(page, picture_ink[shade]);
    }
    fprintf(page->stream, "%s\n", edge);
}

static void picture_draw(const struct sb_evidence *evidence, struct sb_page *page)
{
    const size_t n = sb_evidence_rows(evidence);
    const struct sb_matrix_blocks blocks = {
        .rows = n < PICTURE_ROWS_MOST ? n : PICTURE_ROWS_MOST,
        .columns = evidence->deal < PICTURE_COLUMNS_MOST ? evidence->deal : PICTURE_COLUMNS_MOST,
    };
    const double scale = picture_scale(evidence, &blocks);

    for (size_t row = 0; row < blocks.rows; row++)
        picture_row(evidence, &blocks, scale, row, page);
    fputs("ratio", page->stream);
    for (size_t i = 0; i < PICTURE_LEVELS - 1; i++) {
        const double bound = 1 + scale * (2 * (double)i - 3) / 4;

        if (bound > 0)
            sb_print(page->stream, " \"%s\" to %.4g,", picture_shade(page, i), bound);
    }
    fprintf(page->stream, " \"%s\" above\n", picture_shade(page, PICTURE_LEVELS - 1));
}

void sb_document_picture(const struct sb_report *report, struct sb_page *page)
{
    const struct sb_evidence *const evidence = &report->evidence;

    sb_page_paragraph(page, SB_INK_STRONG, "Where items end up,",
                      "%s (fair: %s): items from the top, positions from the left, whole in the formats json and csv.",
                      sb_document_source(evidence),
                      sb_item_multiset(evidence->names) ? "the item's share of the deck"
                                                        : sb_number_percent(1 / (double)evidence->n, 3).text);
    if (evidence->by == SB_BY_EXACT && !sb_report_biased(report)) {
        sb_page_paragraph(page, SB_INK_PLAIN, NULL, "Every item is equally likely at every position.");
        return;
    }
    sb_page_code_begin(page);
    picture_draw(evidence, page);
    sb_page_code_end(page);
}

/*
 * The matrix of items by positions in blocks.
 *
 * A block has `a` items, which may be equal, and b positions. In a fair deck, the number of these items at these
 * positions has a hypergeometric law. The mean is a b / n, and the variance is a b (n-a) (n-b) / (n^2 (n-1)).
 *
 * The fair share 1/n is outside a block's interval if N a b KL(share, 1/n) > ln(2 m / alpha). Here N is the number of
 * decks, `share` is the mean of the block's cells, and m is the number of blocks. In a random permutation, the
 * indicators "item i is at position j" are negatively associated (Joag-Dev and Proschan, Annals of Statistics 11,
 * 1983). So Chernoff's bound for independent indicators holds for their sum, for every N.
 */

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

struct sb_matrix_block sb_matrix_blocks_get(const struct sb_evidence *evidence, const struct sb_matrix_blocks *blocks,
                                            size_t row, size_t column)
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

double sb_matrix_blocks_scale(const struct sb_evidence *evidence, const struct sb_matrix_blocks *blocks)
{
    double deviation = 0;

    for (size_t b = 0; b < blocks->rows * blocks->columns; b++) {
        const struct sb_matrix_block block =
            sb_matrix_blocks_get(evidence, blocks, b / blocks->columns, b % blocks->columns);

        deviation = fmax(deviation, fabs(block.share / block.fair - 1));
    }
    return sb_bar_scale(deviation);
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

    return n >= 2 && sb_share_beyond(report, block->share, block->fair, (double)(block->items * block->positions),
                                     (double)(blocks->rows * blocks->columns));
}
