/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures on a page, each with a description and its data as a collapsed table. O(cells). */
#include "study/figure/figure.h"

#include "report/number.h"
#include "study/explain/explain_paths_text.h"
#include "study/explain/explain_text.h"
#include "study/report/page/document.h"
#include "study/report/page/matrix_blocks.h"

#include <inttypes.h>
#include <math.h>

enum {
    FIGURES_DIGITS = 9,      /* of numbers in data, ... */
    FIGURES_DIGITS_MANY = 6, /* ... and of those of matrices of more than so many items */
    FIGURES_FEW = 30,
};

static void figures_table_open(const char *figure, struct sb_html *html)
{
    fprintf(html->stream,
            "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"table\"><table "
            "class=\"%s-data\">\n<thead><tr>",
            figure);
}

static void figures_table_close(struct sb_html *html)
{
    fputs("</tbody></table></div>\n", html->stream);
}

/* A block of the matrix: a count for a sample, a fraction if it is short, else a share. */
static void figures_block(const struct sb_evidence *evidence, const struct sb_matrix_block *block,
                          FILE *stream)
{
    const bool single = block->items == 1 && block->positions == 1;
    const int digits = evidence->n > FIGURES_FEW ? FIGURES_DIGITS_MANY : FIGURES_DIGITS;
    const struct sb_fraction fraction = single && evidence->by == SB_BY_EXACT
                                            ? sb_exact_cell(evidence, block->item, block->position)
                                            : (struct sb_fraction) { "" };

    fputs("<td>", stream);
    if (single && evidence->by != SB_BY_EXACT && sb_numbers_whole(&evidence->matrix))
        sb_exact_number(&evidence->matrix, block->item * evidence->deal + block->position, stream);
    else
        fputs(fraction.text[0] ? fraction.text : sb_number_short(block->share, digits).text, stream);
    fputs("</td>", stream);
}

static void figures_matrix_of(const struct sb_report *report, struct sb_html *html)
{
    const struct sb_evidence *const evidence = &report->evidence;
    const struct sb_matrix_blocks blocks = sb_matrix_blocks_of(evidence, html->side);
    const bool whole = blocks.rows == evidence->n && blocks.columns == evidence->deal;

    fprintf(html->stream, "<p>%s%s: %s. A row per item, a column per position.</p>\n",
            sb_by_name(evidence->by), whole ? "" : ", means of blocks that begin where the titles say",
            whole && evidence->by != SB_BY_EXACT ? "counts" : "probabilities");
    figures_table_open("matrix", html);
    fputs("<th scope=\"col\">item</th>", html->stream);
    for (size_t c = 0; c < blocks.columns; c++)
        fprintf(html->stream, "<th scope=\"col\">%zu</th>",
                sb_matrix_blocks_begin(c, blocks.columns, evidence->deal) + 1);
    fputs("</tr></thead>\n<tbody>\n", html->stream);
    for (size_t r = 0; r < blocks.rows && !ferror(html->stream); r++) {
        fprintf(html->stream, "<tr><th scope=\"row\">%zu</th>",
                sb_matrix_blocks_begin(r, blocks.rows, evidence->n) + 1);
        for (size_t c = 0; c < blocks.columns; c++) {
            const struct sb_matrix_block block = sb_matrix_blocks_get(evidence, &blocks, r, c);

            figures_block(evidence, &block, html->stream);
        }
        fputs("</tr>\n", html->stream);
    }
    figures_table_close(html);
}

static void figures_matrix(const struct sb_scene *scene, struct sb_html *html)
{
    enum { MATRIX_BOTH = 12 }; /* of so many items both kinds of evidence */
    const struct sb_report *const exact = scene->pair.exact, *const sampled = scene->pair.sampled;
    const bool law = exact && exact->evidence.matrix.form != SB_NUMBERS_NONE;

    if (law)
        figures_matrix_of(exact, html);
    if (sampled && sampled->evidence.matrix.form != SB_NUMBERS_NONE && sampled->evidence.total &&
        (!law || (sampled->evidence.n <= MATRIX_BOTH && !html->brief)))
        figures_matrix_of(sampled, html);
}

/* Permutations of a gate, whose report has no rows of its own. */
static void figures_counts(const struct sb_evidence *evidence, struct sb_html *html)
{
    figures_table_open("bars", html);
    fputs("<th scope=\"col\">permutation</th><th scope=\"col\">count</th></tr></thead>\n<tbody>\n",
          html->stream);
    for (size_t rank = 0; rank < evidence->cells; rank++)
        fprintf(html->stream, "<tr><th scope=\"row\">%s</th><td>%" PRIu64 "</td></tr>\n",
                sb_exact_notation(evidence, rank).text, sb_numbers_u64(&evidence->counts, rank));
    figures_table_close(html);
}

static void figures_curve(const struct sb_gate *gate, struct sb_html *html)
{
    static const char *const title[] = { "permutations", "ln E", "TV at least", "TV at most" };

    figures_table_open("curve", html);
    for (size_t i = 0; i < sizeof title / sizeof title[0]; i++)
        fprintf(html->stream, "<th scope=\"col\">%s</th>", title[i]);
    fputs("</tr></thead>\n<tbody>\n", html->stream);
    for (size_t i = 0; i < gate->points_count && !ferror(html->stream); i++) {
        const struct sb_gate_point *const point = &gate->point[i];
        const double value[] = { point->ln_e, point->tv_low, point->tv_high };

        fprintf(html->stream, "<tr><th scope=\"row\">%" PRIu64 "</th>", point->total);
        for (size_t v = 0; v < sizeof value / sizeof value[0]; v++)
            fprintf(html->stream, "<td>%s</td>",
                    value[v] == INFINITY ? "infinite" : sb_number_short(value[v], FIGURES_DIGITS).text);
        fputs("</tr>\n", html->stream);
    }
    figures_table_close(html);
}

/* The orders of the tree: how many paths, and which. */
static void figures_tree(const struct sb_explain *tree, struct sb_html *html)
{
    figures_table_open("tree", html);
    fputs("<th scope=\"col\">order</th><th scope=\"col\">paths</th><th scope=\"col\">probability</th>"
          "<th scope=\"col\">their answers</th></tr></thead>\n<tbody>\n",
          html->stream);
    for (size_t rank = 0; rank < tree->orders_count; rank++) {
        fprintf(html->stream, "<tr><th scope=\"row\">%s</th><td>%" PRIu64 "</td><td>%s</td><td class=\"l\">",
                sb_explain_order_text(tree, rank).text, tree->order[rank].paths, tree->order[rank].mass);
        sb_path_list(tree, rank, html->stream);
        fputs("</td></tr>\n", html->stream);
    }
    figures_table_close(html);
}

static void figures_data(const struct sb_figure *figure, const struct sb_scene *scene, struct sb_html *html)
{
    if (figure == &sb_figure_curve)
        figures_curve(scene->gate, html);
    else if (figure == &sb_figure_matrix)
        figures_matrix(scene, html);
    else if (figure == &sb_figure_tree)
        figures_tree(scene->pair.exact->tree, html);
    else if (scene->gate)
        figures_counts(&scene->pair.sampled->evidence, html);
    else
        sb_document_permutations(&scene->pair, &html->page);
}

void sb_html_figure(const struct sb_figure *figure, const struct sb_scene *scene, struct sb_html *html)
{
    fprintf(html->stream, "<figure class=\"of-%s\">\n", figure->name);
    sb_figure_write(figure, scene, 0, 0, &html->svg);
    if (!html->brief) {
        fputs("<figcaption>", html->stream);
        figure->describe(scene, html->stream);
        fputs("</figcaption>\n", html->stream);
    }
    fprintf(html->stream, "<details><summary>Data%s</summary>\n", html->brief ? "" : " of this figure");
    figures_data(figure, scene, html);
    fputs("</details>\n</figure>\n", html->stream);
}

/* Whether there is room for its tree; says so where there is none. */
static bool figures_room(const struct sb_explain *tree, struct sb_html *html)
{
    if (tree->paths_count > html->paths) {
        sb_page_paragraph(&html->page, SB_INK_FAINT, "Its tree of draws",
                          "has no room on a page of so many: a report on it alone has one.");
        return false;
    }
    html->paths -= tree->paths_count;
    return true;
}

void sb_html_figures(const struct sb_scene *scene, struct sb_html *html)
{
    fputs("<div class=\"figures\">\n", html->stream);
    for (const struct sb_figure *const *figure = sb_figures; *figure; figure++) {
        if (!(*figure)->has(scene) || (html->brief && (*figure)->single))
            continue;
        if (*figure != &sb_figure_tree || figures_room(scene->pair.exact->tree, html))
            sb_html_figure(*figure, scene, html);
    }
    fputs("</div>\n", html->stream);
}
