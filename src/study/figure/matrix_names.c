/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of items in the figure `matrix`. */
#include "core/text.h"
#include "report/markup.h"
#include "study/figure/figure.h"

enum {
    NAMES_LETTER = 8,   /* width of a letter */
    NAMES_LETTERS = 12, /* the most letters beside a row; a longer name is cut */
};

char *sb_figure_matrix_name(const struct sb_evidence *evidence, size_t row, char text[SB_ITEM_ROOM])
{
    char number[SB_ITEM_ROOM];
    const char *const name = sb_item_name(evidence->names, sb_evidence_item(evidence, row), number),
                      *end = name;

    for (size_t letters = 0; *end && letters < NAMES_LETTERS; letters++)
        sb_utf8_next(&end);
    snprintf(text, SB_ITEM_ROOM, "%.*s%s", (int)(end - name), name, *end ? "\u2026" : "");
    return text;
}

double sb_figure_matrix_left(const struct sb_evidence *evidence, const struct sb_matrix_blocks *blocks)
{
    size_t letters = 0;
    char name[SB_ITEM_ROOM];

    for (size_t b = 0; sb_item_names_given(evidence->names) && b < blocks->rows; b++) {
        const size_t row = sb_matrix_blocks_begin(b, blocks->rows, sb_evidence_rows(evidence));
        const size_t width = sb_utf8_width(sb_figure_matrix_name(evidence, row, name));

        letters = width > letters ? width : letters;
    }
    return (double)(NAMES_LETTER * (letters + 1));
}

void sb_figure_matrix_items(const struct sb_evidence *evidence, const struct sb_matrix_block *block,
                            bool word, FILE *stream)
{
    char name[SB_ITEM_ROOM];

    if (word && !sb_item_names_given(evidence->names))
        fputs("item ", stream);
    sb_markup_text(stream, sb_item_name(evidence->names, sb_evidence_item(evidence, block->item), name));
    if (block->items > 1) {
        fputc('-', stream);
        sb_markup_text(
            stream,
            sb_item_name(evidence->names, sb_evidence_item(evidence, block->item + block->items - 1), name));
    }
}
