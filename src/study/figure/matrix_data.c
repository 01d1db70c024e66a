/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data of the figure `matrix`, with one table for each kind of evidence. */
#include "study/figure/figure.h"

#include "report/exact_text.h"
#include "report/markup.h"
#include "report/number.h"
#include "report/typeset.h"
#include "study/report/page/matrix_blocks.h"

enum {
    DATA_DIGITS = 9,      /* significant digits in the data */
    DATA_DIGITS_MANY = 6, /* significant digits in the data of a matrix with more than DATA_FEW items */
    DATA_FEW = 30,
};

/* Writes a block of the matrix: its probability or, if `counts`, the count of its single cell. For a law, the
 * probability of a single cell is written as a fraction if the fraction is short. All other probabilities are written as
 * decimal numbers. */
static void matrix_data_block(const struct sb_evidence *evidence, const struct sb_matrix_block *block,
                              bool counts, FILE *stream)
{
    const bool single = block->items == 1 && block->positions == 1;
    const int digits = evidence->n > DATA_FEW ? DATA_DIGITS_MANY : DATA_DIGITS;
    const struct sb_fraction fraction = single && evidence->by == SB_BY_EXACT
                                            ? sb_exact_cell(evidence, block->item, block->position)
                                            : (struct sb_fraction) { "" };

    fputs("<td>", stream);
    if (counts)
        fputs(sb_number_grouped(
                  sb_numbers_u64(&evidence->matrix, block->item * evidence->deal + block->position))
                  .text,
              stream);
    else
        sb_typeset_cell(fraction.text[0] ? fraction.text : sb_number_short(block->share, digits).text,
                        stream);
    fputs("</td>", stream);
}

static void matrix_data_of(const struct sb_report *report, struct sb_html *html)
{
    const struct sb_evidence *const evidence = &report->evidence;
    const struct sb_matrix_blocks blocks = sb_matrix_blocks_of(evidence, html->side);
    const size_t rows = sb_evidence_rows(evidence);
    char name[SB_ITEM_ROOM];
    const bool whole = blocks.rows == rows && blocks.columns == evidence->deal;
    const bool counts = whole && evidence->by != SB_BY_EXACT && sb_numbers_narrow(&evidence->matrix);

    fprintf(html->stream, "<p>%s%s: %s. A row per item, a column per position.</p>\n",
            sb_by_name(evidence->by), whole ? "" : ", means of blocks that begin where the titles say",
            counts ? "counts" : "probabilities");
    sb_figure_data_open("matrix", html);
    fputs("<th scope=\"col\">item</th>", html->stream);
    for (size_t c = 0; c < blocks.columns; c++)
        fprintf(html->stream, "<th scope=\"col\">%zu</th>",
                sb_matrix_blocks_begin(c, blocks.columns, evidence->deal) + 1);
    fputs("</tr></thead>\n<tbody>\n", html->stream);
    for (size_t r = 0; r < blocks.rows && !ferror(html->stream); r++) {
        const size_t row = sb_matrix_blocks_begin(r, blocks.rows, rows);

        fputs("<tr><th scope=\"row\">", html->stream);
        sb_markup_text(html->stream, sb_item_name(evidence->names, sb_evidence_item(evidence, row), name));
        fputs("</th>", html->stream);
        for (size_t c = 0; c < blocks.columns; c++) {
            const struct sb_matrix_block block = sb_matrix_blocks_get(evidence, &blocks, r, c);

            matrix_data_block(evidence, &block, counts, html->stream);
        }
        fputs("</tr>\n", html->stream);
    }
    sb_figure_data_close(html);
}

void sb_figure_matrix_data(const struct sb_scene *scene, struct sb_html *html)
{
    enum { DATA_BOTH = 12 }; /* the most items for which there are tables of both kinds of evidence */
    const struct sb_report *const exact = scene->pair.exact, *const sampled = scene->pair.sampled;
    const bool law = exact && exact->evidence.matrix.form != SB_NUMBERS_NONE;

    if (law)
        matrix_data_of(exact, html);
    if (sampled && sampled->evidence.matrix.form != SB_NUMBERS_NONE && sampled->evidence.total &&
        (!law || (sampled->evidence.n <= DATA_BOTH && !html->brief)))
        matrix_data_of(sampled, html);
}
