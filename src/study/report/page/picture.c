/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A large matrix as a coarse picture: one character for each block of items and positions. The character's
 * shade shows the ratio of the block's mean to the fair share. For a sample, differences that chance explains
 * are not shown. Cost: O(n k), where k is the number of dealt items.
 */
#include "study/report/page/document.h"

#include "core/text.h"
#include "report/bar.h"
#include "report/number.h"
#include "report/print.h"
#include "study/report/page/matrix_blocks.h"

#include <math.h>
#include <stdlib.h>

enum {
    /* if there are 52 items, two items share a row, because a character is twice as high as wide */
    PICTURE_ROWS_MOST = 26,
    PICTURE_COLUMNS_MOST = 52,
    PICTURE_LEVELS = 5,
};

static const char *const picture_unicode[PICTURE_LEVELS] = { " ", "\u2591", "\u2592", "\u2593", "\u2588" };
static const char *const picture_ascii[PICTURE_LEVELS] = { " ", ".", ":", "*", "#" };
static const enum sb_ink picture_ink[PICTURE_LEVELS] = { SB_INK_UNDER, SB_INK_UNDER, SB_INK_PLAIN,
                                                         SB_INK_OVER, SB_INK_OVER };

struct picture {
    size_t rows, columns;
    double *ratio; /* [rows * columns] mean of each block divided by the fair share; owned */
    double scale;  /* the deviation of the darkest shade */
};

/* Returns a block's mean divided by the fair share. */
static double picture_mean(const struct sb_evidence *evidence, const struct picture *picture, size_t row,
                           size_t column)
{
    const struct sb_matrix_blocks blocks = { picture->rows, picture->columns };
    const struct sb_matrix_block block = sb_matrix_blocks_get(evidence, &blocks, row, column);

    return block.share / block.fair;
}

static enum sb_status picture_open(const struct sb_evidence *evidence, struct picture *picture)
{
    const size_t n = sb_evidence_rows(evidence), deal = evidence->deal;
    double deviation = 0;

    *picture = (struct picture) {
        .rows = n < PICTURE_ROWS_MOST ? n : PICTURE_ROWS_MOST,
        .columns = deal < PICTURE_COLUMNS_MOST ? deal : PICTURE_COLUMNS_MOST,
    };
    picture->ratio = calloc(picture->rows * picture->columns + 1, sizeof *picture->ratio);
    if (!picture->ratio)
        return SB_NO_MEMORY;
    for (size_t b = 0; b < picture->rows * picture->columns; b++) {
        picture->ratio[b] = picture_mean(evidence, picture, b / picture->columns, b % picture->columns);
        deviation = fmax(deviation, fabs(picture->ratio[b] - 1));
    }
    picture->scale = sb_bar_scale(deviation);
    if (evidence->by !=
        SB_BY_EXACT) { /* the middle shade covers up to four standard deviations of a fair sample */
        const size_t cells = n / picture->rows * (deal / picture->columns);

        picture->scale =
            fmax(picture->scale, 16 * sqrt((double)n / ((double)evidence->total * (double)cells)));
    }
    return SB_OK;
}

static size_t picture_level(const struct picture *picture, double ratio)
{
    const double level = 2 + round(2 * (ratio - 1) / picture->scale);

    return level < 0 ? 0 : level > PICTURE_LEVELS - 1 ? PICTURE_LEVELS - 1 : (size_t)level;
}

static void picture_row(const struct sb_evidence *evidence, const struct picture *picture, size_t row,
                        struct sb_page *page)
{
    const char *const edge = page->look.unicode ? "\u2502" : "|";
    const size_t first = sb_matrix_blocks_begin(row, picture->rows, sb_evidence_rows(evidence));
    char text[SB_ITEM_ROOM];
    char *const name = sb_sanitize_page_text(
        sb_item_name(evidence->names, sb_evidence_item(evidence, first), text), page->look.unicode);

    if (!name) {
        page->status = SB_NO_MEMORY;
        return;
    }
    const size_t width = sb_utf8_width(name);

    if (width < 5)
        fprintf(page->stream, "%*s", (int)(5 - width), "");
    fprintf(page->stream, "%s %s", name, edge);
    free(name);
    for (size_t c = 0; c < picture->columns; c++) {
        const size_t level = picture_level(picture, picture->ratio[row * picture->columns + c]);

        sb_page_ink(page, picture_ink[level]);
        fputs((page->look.unicode ? picture_unicode : picture_ascii)[level], page->stream);
        sb_page_ink_off(page, picture_ink[level]);
    }
    fprintf(page->stream, "%s\n", edge);
}

/* Writes what the shades mean, as ratios to the fair share. */
static void picture_legend(const struct picture *picture, const struct sb_page *page)
{
    const char *const *const shade = page->look.unicode ? picture_unicode : picture_ascii;

    fputs("ratio", page->stream);
    for (int i = 0; i < PICTURE_LEVELS - 1; i++) {
        const double bound = 1 + picture->scale * (2 * i - 3) / 4;

        if (bound > 0)
            sb_print(page->stream, " \"%s\" to %.4g,", shade[i], bound);
    }
    fprintf(page->stream, " \"%s\" above\n", shade[PICTURE_LEVELS - 1]);
}

void sb_document_picture(const struct sb_report *report, struct sb_page *page)
{
    const struct sb_evidence *const evidence = &report->evidence;
    struct picture picture;

    if (picture_open(evidence, &picture)) {
        page->status = SB_NO_MEMORY;
        return;
    }
    sb_page_paragraph(page, SB_INK_STRONG, "Where items end up,",
                      "%s (fair: %s): items from the top, positions from the left, whole in the formats json "
                      "and csv.",
                      sb_document_source(evidence),
                      sb_item_multiset(evidence->names) ? "the item's share of the deck"
                                                        : sb_number_percent(1 / (double)evidence->n, 3).text);
    if (evidence->by == SB_BY_EXACT && !sb_report_biased(report)) {
        page->tight = true;
        sb_page_paragraph(page, SB_INK_PLAIN, NULL, "Every item is equally likely at every position.");
        page->tight = false;
    } else {
        sb_page_begin(page);
        fputs(page->markdown ? "```\n" : "", page->stream);
        for (size_t row = 0; row < picture.rows; row++)
            picture_row(evidence, &picture, row, page);
        picture_legend(&picture, page);
        fputs(page->markdown ? "```\n" : "", page->stream);
    }
    free(picture.ratio);
}
