/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The matrix of items by positions as a table, as a picture of text, and as a heat map. If there are many items, a cell
 * is a block of several items and positions, and shows the one that is farthest from fair. A cell of the heat map is
 * coloured if its interval excludes the fair share: blue means too rare, orange too frequent, and deeper means farther
 * off. Cost: O(n k), for k dealt items. */
#include "core/text.h"
#include "study/figure/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PICTURE_ROWS_MOST = 26, /* of 52 items, two share a row: a character is twice as high as wide */
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

static void picture_row(const struct sb_matrix_blocks *blocks, double scale, size_t row, struct sb_page *page)
{
    const struct sb_evidence *const evidence = &blocks->report->evidence;
    const char *const edge = page->look.unicode ? "\u2502" : "|";
    char text[SB_ITEM_ROOM];
    char *const name = sb_sanitize_page_text(
        sb_item_name(evidence->names, sb_evidence_item(evidence, sb_matrix_blocks_row(blocks, row)), text),
        page->look.unicode);

    if (!name) {
        page->status = SB_NO_MEMORY;
        return;
    }
    const size_t width = sb_utf8_width(name);

    fprintf(page->stream, "%*s%s %s", width < 5 ? (int)(5 - width) : 0, "", name, edge);
    free(name);
    for (size_t c = 0; c < blocks->columns; c++) {
        const struct sb_matrix_block block = sb_matrix_blocks_get(blocks, row, c);
        const double level = 2 + (block.beyond ? round(2 * sb_matrix_share_off(&block.shown) / scale) : 0);
        const size_t shade = (size_t)fmin(fmax(level, 0), PICTURE_LEVELS - 1);

        sb_page_ink(page, picture_ink[shade]);
        fputs(picture_shade(page, shade), page->stream);
        sb_page_ink_off(page, picture_ink[shade]);
    }
    fprintf(page->stream, "%s\n", edge);
}

static void picture_draw(const struct sb_report *report, struct sb_page *page)
{
    const struct sb_matrix_blocks blocks = sb_matrix_blocks_of(report, PICTURE_ROWS_MOST, PICTURE_COLUMNS_MOST);
    const double scale = sb_matrix_blocks_scale(&blocks); /* the deviation of the darkest shade */

    sb_page_code_begin(page);
    for (size_t row = 0; row < blocks.rows; row++)
        picture_row(&blocks, scale, row, page);
    fputs("ratio", page->stream);
    for (size_t i = 0; i < PICTURE_LEVELS - 1; i++) {
        const double bound = 1 + scale * (2 * (double)i - 3) / 4;

        if (bound > 0)
            sb_print(page->stream, " \"%s\" to %.4g,", picture_shade(page, i), bound);
    }
    fprintf(page->stream, " \"%s\" above\n", picture_shade(page, PICTURE_LEVELS - 1));
    sb_page_code_end(page);
    if (sb_matrix_blocks_merged(&blocks))
        sb_page_paragraph(page, SB_INK_PLAIN, NULL,
                          "Each character stands for several cells, and shows the one that is farthest from fair.");
    if (report->evidence.by == SB_BY_SAMPLE)
        sb_page_paragraph(page, SB_INK_PLAIN, NULL, "Cells that chance explains have the middle shade.");
}

enum {
    TABLE_DIGITS = 9,      /* significant digits in the data of a figure */
    TABLE_DIGITS_MANY = 6, /* the same for more than TABLE_FEW items */
    TABLE_FEW = 30,
    TABLE_FRACTIONS = 4, /* the most items for which people get fractions, too */
    TABLE_TEXT = 12,     /* the most items for which text has a table, and a figure tables of both kinds of evidence */
};

/* Adds a cell, for people in percent, for a figure as a count or as a share. */
static void table_cell(const struct sb_evidence *evidence, const struct sb_matrix_block *block, bool counts,
                       bool percent, struct sb_table *table)
{
    const bool few = evidence->n <= TABLE_FRACTIONS, single = block->items == 1 && block->positions == 1;
    const struct sb_number fraction = single && evidence->by == SB_BY_EXACT && (few || !percent)
                                          ? sb_exact_cell(evidence, block->item, block->position)
                                          : (struct sb_number) { "" };
    const size_t cell = block->item * evidence->deal + block->position;

    if (percent)
        sb_table_row(table, "%s%s%s", fraction.text, fraction.text[0] ? "  " : "",
                     sb_number_fixed(100 * block->shown.share, few ? 3 : 2).text);
    else
        sb_table_row(
            table, "%s",
            counts ? sb_number_grouped(sb_numbers_u64(&evidence->matrix, cell)).text
            : fraction.text[0]
                ? fraction.text
                : sb_number_short(block->shown.share, evidence->n > TABLE_FEW ? TABLE_DIGITS_MANY : TABLE_DIGITS).text);
}

static void table_write(const struct sb_matrix_blocks *blocks, bool counts, bool percent, struct sb_page *page)
{
    const struct sb_evidence *const evidence = &blocks->report->evidence;
    char columns[SB_TABLE_COLUMNS_MOST + 1] = "l", name[SB_ITEM_ROOM]; /* there are at most 60 columns of blocks */
    struct sb_table table;

    memset(columns + 1, 'r', blocks->columns);
    sb_table_begin(&table, columns, "item");
    table.class = percent ? NULL : "matrix-data";
    for (size_t c = 0; c < blocks->columns; c++)
        sb_table_add(&table, SB_INK_STRONG, percent ? "at %zu" : "%zu", sb_matrix_blocks_position(blocks, c) + 1);
    for (size_t r = 0; r < blocks->rows; r++) {
        sb_table_add(&table, SB_INK_PLAIN, "%s",
                     sb_item_name(evidence->names, sb_evidence_item(evidence, sb_matrix_blocks_row(blocks, r)), name));
        for (size_t c = 0; c < blocks->columns; c++) {
            const struct sb_matrix_block block = sb_matrix_blocks_get(blocks, r, c);

            table_cell(evidence, &block, counts, percent, &table);
        }
    }
    sb_table_end(&table, page);
}

void sb_document_matrix(const struct sb_report *report, struct sb_page *page)
{
    const struct sb_evidence *const evidence = &report->evidence;
    const size_t rows = sb_evidence_rows(evidence);
    const bool large = rows > TABLE_TEXT || evidence->deal > TABLE_TEXT, exact = evidence->by == SB_BY_EXACT;
    const struct sb_matrix_blocks blocks = sb_matrix_blocks_of(report, rows, evidence->deal);

    if (evidence->matrix.form == SB_NUMBERS_NONE || evidence->n == 0 || (large && !exact && !evidence->total))
        return;
    const bool sets = sb_item_groups(evidence->names);

    sb_page_paragraph(page, SB_INK_STRONG, "Where items end up,", "%s (fair: %s): %s.", sb_document_source(evidence),
                      sets                                ? "the group's share of the items"
                      : sb_item_multiset(evidence->names) ? "the item's share of the deck"
                                                          : sb_number_percent(1 / (double)evidence->n, 3).text,
                      large && sets ? "groups from the top, items from the left, whole in the formats json and csv"
                      : large       ? "items from the top, positions from the left, whole in the formats json and csv"
                      : sets        ? "in percent, a row per group, a column per item"
                                    : "in percent, a row per item, a column per position");
    if (!large)
        table_write(&blocks, false, true, page);
    else if (exact && !sb_report_biased(report))
        sb_page_paragraph(page, SB_INK_PLAIN, NULL, "Every item is equally likely at every position.");
    else
        picture_draw(report, page);
}

/* the width of a letter beside a row, and the most letters; a longer name is cut */
enum { NAMES_LETTER = 8, NAMES_LETTERS = 12 };

static char *figure_matrix_name(const struct sb_evidence *evidence, size_t row, char text[SB_ITEM_ROOM])
{
    char number[SB_ITEM_ROOM];
    const char *const name = sb_item_name(evidence->names, sb_evidence_item(evidence, row), number), *end = name;

    for (size_t letters = 0; *end && letters < NAMES_LETTERS; letters++)
        sb_utf8_next(&end);
    snprintf(text, SB_ITEM_ROOM, "%.*s%s", (int)(end - name), name, *end ? "\u2026" : "");
    return text;
}

static double figure_matrix_left(const struct sb_matrix_blocks *blocks)
{
    size_t letters = 0;
    char name[SB_ITEM_ROOM];

    for (size_t b = 0; sb_item_names_given(blocks->report->evidence.names) && b < blocks->rows; b++) {
        const size_t width =
            sb_utf8_width(figure_matrix_name(&blocks->report->evidence, sb_matrix_blocks_row(blocks, b), name));

        letters = width > letters ? width : letters;
    }
    return (double)(NAMES_LETTER * (letters + 1));
}

static void figure_matrix_items(const struct sb_evidence *evidence, const struct sb_matrix_block *block, bool word,
                                FILE *stream)
{
    char name[SB_ITEM_ROOM];

    if (word && !sb_item_names_given(evidence->names))
        fputs("item ", stream);
    sb_markup_text(stream, sb_item_name(evidence->names, sb_evidence_item(evidence, block->item), name));
    if (block->items > 1) {
        fputc('-', stream);
        sb_markup_text(stream,
                       sb_item_name(evidence->names, sb_evidence_item(evidence, block->item + block->items - 1), name));
    }
}

static void matrix_data_of(const struct sb_report *report, struct sb_html *html)
{
    const struct sb_evidence *const evidence = &report->evidence;
    const struct sb_matrix_blocks blocks = sb_matrix_blocks_of(report, html->side, html->side);
    const bool whole = blocks.rows == sb_evidence_rows(evidence) && blocks.columns == evidence->deal;
    const bool counts = whole && evidence->by != SB_BY_EXACT && sb_numbers_narrow(&evidence->matrix);

    fprintf(html->stream, "<p>%s%s: %s. A row per item, a column per position.</p>\n", sb_by_name(evidence->by),
            whole ? "" : ", in blocks that begin where the titles say, each with the value of its colour",
            counts ? "counts" : "probabilities");
    table_write(&blocks, counts, false, &html->page);
}

/* Returns whether the report, which may be NULL, has a matrix with numbers. */
static bool matrix_known(const struct sb_report *report)
{
    const struct sb_evidence *const evidence = report ? &report->evidence : NULL;

    return evidence && evidence->n > 0 && evidence->deal > 0 && evidence->matrix.form != SB_NUMBERS_NONE &&
           (evidence->by == SB_BY_EXACT || evidence->total);
}

static void figure_matrix_data(const struct sb_scene *scene, struct sb_html *html)
{
    const struct sb_report *const exact = scene->pair.exact, *const sampled = scene->pair.sampled;

    if (matrix_known(exact))
        matrix_data_of(exact, html);
    if (matrix_known(sampled) && (!matrix_known(exact) || (sampled->evidence.n <= TABLE_TEXT && !html->brief)))
        matrix_data_of(sampled, html);
}

enum {
    MATRIX_LEVELS = 4, /* number of levels of each colour */
    MATRIX_SIDE = 312, /* side of the whole matrix */
    MATRIX_CELL_MOST = 44,
    MATRIX_LEFT = 40,
    MATRIX_TOP = 36,
    MATRIX_LEGEND = 62,
    MATRIX_LABEL = 16, /* width and height of a label of two digits */
    MATRIX_HATCH = 8,  /* distance of the lines across a cell that is not certain by itself */
    MATRIX_WIDTH_LEAST = 300,
    MATRIX_MANY = 30,        /* if there are more items than this, each cell has a shorter description */
    MATRIX_FINE = 8,         /* cells smaller than this have no lines between them */
    MATRIX_SIDE_SMALL = 90,  /* side of a small matrix in a group of small figures that has bars, too */
    MATRIX_SIDE_ALONE = 260, /* side of a small matrix in a group of matrices alone */
    MATRIX_CELL_SMALL = 30,
    MATRIX_BLOCKS_SMALL = 26,
    MATRIX_SIDE_TOLD = 4, /* the most items for which the cells of a small matrix have a description */
};

/* The matrix to draw, and its layout. */
struct matrix_map {
    const struct sb_report *report;
    struct sb_matrix_blocks blocks;
    double cell;      /* width and height of a cell */
    double left, top; /* coordinates of the first cell */
    bool brief;
    bool common;   /* whether the levels are the same in all figures */
    bool observed; /* whether cells that are not certain by themselves are coloured, too */
    double scale;  /* the deviation, ratio - 1, from which on cells have the deepest orange */
    double under;  /* the deviation, 1 - ratio, from which on cells have the deepest blue; at most 1 */
};

static const struct sb_report *matrix_report(const struct sb_scene *scene)
{
    return matrix_known(scene->pair.exact)     ? scene->pair.exact
           : matrix_known(scene->pair.sampled) ? scene->pair.sampled
                                               : NULL;
}

static bool matrix_has(const struct sb_scene *scene)
{
    /* a matrix shows deviations from a law that is uniform */
    return !(scene->gate && scene->gate->fair) && matrix_report(scene);
}

/* Returns whether block b has a label. If there are few blocks and their labels fit, all have labels. Otherwise
 * only the first block and every fifth or tenth block have labels. */
static bool matrix_labelled(size_t b, size_t blocks, double cell)
{
    const size_t step = blocks <= 12 && cell >= MATRIX_LABEL ? 1 : blocks <= 30 ? 5 : 10;

    return b == 0 || (b + 1) % step == 0;
}

static void matrix_size(const struct sb_scene *scene, struct matrix_map *map)
{
    const size_t longer = map->blocks.rows > map->blocks.columns ? map->blocks.rows : map->blocks.columns;
    const double side = !scene->brief ? MATRIX_SIDE : sb_figure_bars.has(scene) ? MATRIX_SIDE_SMALL : MATRIX_SIDE_ALONE;

    map->brief = scene->brief;
    map->common = scene->brief || scene->common;
    map->cell = fmin(fmax(floor(side / (double)longer), 4), map->brief ? MATRIX_CELL_SMALL : MATRIX_CELL_MOST);
    map->left = map->brief ? 1 : fmax(MATRIX_LEFT, figure_matrix_left(&map->blocks));
    map->top = map->brief ? 1 : MATRIX_TOP;
}

static struct matrix_map matrix_of(const struct sb_scene *scene)
{
    struct matrix_map map = { .report = matrix_report(scene) };

    if (!map.report)
        return map;
    const size_t side = scene->brief ? MATRIX_BLOCKS_SMALL : scene->side;

    map.blocks = sb_matrix_blocks_of(map.report, side, side);
    matrix_size(scene, &map);
    map.observed = sb_scene_observed_positions(scene, map.report);
    map.scale = sb_matrix_blocks_scale(&map.blocks);
    map.under = fmin(map.scale, 1);
    return map;
}

static void matrix_measure(const struct sb_scene *scene, double *width, double *height)
{
    const struct matrix_map map = matrix_of(scene);

    *width = map.left + (double)map.blocks.columns * map.cell + 4;
    *height = map.top + (double)map.blocks.rows * map.cell + 4;
    if (map.common)
        return;
    *width = fmax(*width, MATRIX_WIDTH_LEAST);
    *height += MATRIX_LEGEND - 4;
}

/* Returns the level of the colour for a deviation; level 1 is the palest. If figures stand side by side, a
 * level stands for the same deviations in all figures. */
static int matrix_level(const struct matrix_map *map, double off)
{
    if (map->common)
        return 1 + (fabs(off) > 0.05) + (fabs(off) > 0.2) + (fabs(off) > 0.5);
    const double level = ceil(MATRIX_LEVELS * fabs(off) / (off < 0 ? map->under : map->scale) - 1e-9);

    return (int)fmin(fmax(level, 1), MATRIX_LEVELS);
}

/* Writes the class of a cell. "e": the cell is fair, or no bias was shown and the cell's interval includes the fair
 * share. "u1" to "u4": the cell is too rare. "o1" to "o4": the cell is too frequent. */
static void matrix_class(const struct matrix_map *map, const struct sb_matrix_block *block, char class[16])
{
    const double off = sb_matrix_share_off(&block->shown);

    if (map->observed || block->beyond)
        snprintf(class, 16, "%c%d", off < 0 ? 'u' : 'o', matrix_level(map, off));
    else
        snprintf(class, 16, "e");
}

/* Writes the sampled value of a block, unless the cell already shows it, and its deviation in standard deviations of a
 * fair sample. How many of `a` items a fair deck has at b positions has a hypergeometric law. */
static void matrix_seen(const struct sb_scene *scene, const struct matrix_map *map, size_t row, size_t column,
                        struct sb_svg *svg)
{
    const struct sb_report *const sampled = scene->pair.sampled;

    if (!sampled || sampled->evidence.matrix.form == SB_NUMBERS_NONE || sampled->evidence.total == 0)
        return;
    const struct sb_matrix_blocks blocks = sb_matrix_blocks_of(sampled, map->blocks.rows, map->blocks.columns);
    const struct sb_matrix_block block = sb_matrix_blocks_get(&blocks, row, column);
    const double n = (double)sampled->evidence.n, a = (double)block.copies, b = (double)block.positions;
    const double variance = a * b * (n - a) * (n - b) / (n * n * (n - 1));
    const double z =
        ((double)block.items * b * block.mean.share - a * b / n) * sqrt((double)sampled->evidence.total / variance);

    if (sampled != map->report)
        fprintf(svg->stream, ", seen %s", sb_number_percent(block.mean.share, 3).text);
    if (variance > 0)
        sb_print(svg->stream, ", z %+.1f", fabs(z) < 0.05 ? 0 : z);
}

/* Draws cells of a row, without the end of the element. The text is short, because there may be thousands of cells. */
static void matrix_path(const struct matrix_map *map, const char *class, size_t row, size_t column, size_t cells,
                        FILE *stream)
{
    const double width = (double)cells * map->cell;

    sb_print(stream, "<path class=\"%s\" d=\"M%g %gh%gv%gh-%gz\"", class, map->left + (double)column * map->cell,
             map->top + (double)row * map->cell, width, map->cell, width);
}

static void matrix_cell(const struct sb_scene *scene, const struct matrix_map *map, size_t row, size_t column,
                        struct sb_svg *svg)
{
    const struct sb_matrix_block block = sb_matrix_blocks_get(&map->blocks, row, column);
    char class[16];

    matrix_class(map, &block, class);
    matrix_path(map, class, row, column, 1, svg->stream);
    fputs("><title>", svg->stream);
    figure_matrix_items(&map->report->evidence, &block, map->blocks.rows <= MATRIX_MANY, svg->stream);
    fprintf(svg->stream, " at %zu", block.position + 1);
    if (block.positions > 1)
        fprintf(svg->stream, "-%zu", block.position + block.positions);
    if (sb_matrix_blocks_merged(&map->blocks))
        fprintf(svg->stream, ": %s to %s, mean %s", sb_number_percent(block.least.share, 3).text,
                sb_number_percent(block.most.share, 3).text, sb_number_percent(block.mean.share, 3).text);
    else
        fprintf(svg->stream, ": %s", sb_number_percent(block.mean.share, 3).text);
    matrix_seen(scene, map, row, column, svg);
    fprintf(svg->stream, ", fair %s</title></path>", sb_number_percent(block.mean.fair, 3).text);
}

static void matrix_labels(const struct matrix_map *map, struct sb_svg *svg)
{
    char name[SB_ITEM_ROOM];

    sb_svg_text(svg, "start faint", map->left, 12, "position");
    sb_svg_text(svg, "end faint", map->left - 6, MATRIX_TOP - 8, "item");
    for (size_t b = 0; b < map->blocks.rows; b++)
        if (matrix_labelled(b, map->blocks.rows, map->cell))
            sb_svg_text(svg, "end", map->left - 6, MATRIX_TOP + ((double)b + 0.5) * map->cell + 4, "%s",
                        figure_matrix_name(&map->blocks.report->evidence, sb_matrix_blocks_row(&map->blocks, b), name));
    for (size_t b = 0; b < map->blocks.columns; b++)
        if (matrix_labelled(b, map->blocks.columns, map->cell))
            sb_svg_text(svg, "middle", map->left + ((double)b + 0.5) * map->cell, MATRIX_TOP - 8, "%zu",
                        sb_matrix_blocks_position(&map->blocks, b) + 1);
}

static void matrix_legend(const struct matrix_map *map, struct sb_svg *svg)
{
    const double top = MATRIX_TOP + (double)map->blocks.rows * map->cell + 12, width = 22, left = map->left;
    const struct sb_deviation_axis axis = { left, left + (2 * MATRIX_LEVELS + 1) * width,
                                            left + (MATRIX_LEVELS + 0.5) * width, map->under, map->scale };
    char class[16];

    for (int level = -MATRIX_LEVELS; level <= MATRIX_LEVELS; level++) {
        snprintf(class, sizeof class, level ? "%c%d" : "e", level < 0 ? 'u' : 'o', level < 0 ? -level : level);
        sb_svg_rect(svg, class, left + (level + MATRIX_LEVELS) * width, top, width, 10);
    }
    sb_figure_axis(&axis, top + 24, svg);
}

/* Draws the many cells of a row of a small figure. Adjacent cells of the same colour share an SVG path, and no cell has
 * a text. */
static void matrix_runs(const struct matrix_map *map, size_t row, struct sb_svg *svg)
{
    char class[16] = "", next[16] = "";
    size_t begin = 0;

    for (size_t column = 0; column <= map->blocks.columns; column++) {
        if (column < map->blocks.columns) {
            const struct sb_matrix_block block = sb_matrix_blocks_get(&map->blocks, row, column);

            matrix_class(map, &block, next);
            if (strcmp(class, next) == 0)
                continue;
        }
        if (column > begin) {
            matrix_path(map, class, row, begin, column - begin, svg->stream);
            fputs("/>\n", svg->stream);
        }
        begin = column;
        snprintf(class, sizeof class, "%s", next);
    }
}

static void matrix_hatch(const struct matrix_map *map, struct sb_svg *svg)
{
    const double step = map->cell < 2 * MATRIX_HATCH ? map->cell : MATRIX_HATCH;

    fprintf(svg->stream, "<path class=\"hatch%s\" d=\"", map->cell < MATRIX_FINE ? " thin" : "");
    for (size_t row = 0; row < map->blocks.rows && !ferror(svg->stream); row++)
        for (size_t column = 0; column < map->blocks.columns; column++) {
            const struct sb_matrix_block block = sb_matrix_blocks_get(&map->blocks, row, column);

            if (!block.beyond)
                sb_svg_hatch(svg, map->left + (double)column * map->cell, map->top + (double)row * map->cell, map->cell,
                             map->cell, step);
        }
    fputs("\"/>\n", svg->stream);
}

static void matrix_draw(const struct sb_scene *scene, struct sb_svg *svg)
{
    const struct matrix_map map = matrix_of(scene);

    if (map.brief && map.blocks.rows > MATRIX_SIDE_TOLD) {
        for (size_t row = 0; row < map.blocks.rows && !ferror(svg->stream); row++)
            matrix_runs(&map, row, svg);
    } else {
        fprintf(svg->stream, "<g class=\"cells%s\" data-columns=\"%zu\">\n", map.cell < MATRIX_FINE ? " fine" : "",
                map.blocks.columns);
        for (size_t row = 0; row < map.blocks.rows && !ferror(svg->stream); row++)
            for (size_t column = 0; column < map.blocks.columns; column++)
                matrix_cell(scene, &map, row, column, svg);
        fputs("</g>\n", svg->stream);
    }
    if (map.observed)
        matrix_hatch(&map, svg);
    sb_svg_rect(svg, "frame", map.left, map.top, (double)map.blocks.columns * map.cell,
                (double)map.blocks.rows * map.cell);
    if (map.brief)
        return;
    matrix_labels(&map, svg);
    if (!map.common)
        matrix_legend(&map, svg);
}

static void matrix_describe(const struct sb_scene *scene, struct sb_sentence *s)
{
    const struct sb_report *const report = matrix_report(scene);
    const struct sb_evidence *const e = &report->evidence;
    const struct sb_matrix_blocks blocks = sb_matrix_blocks_of(report, scene->side, scene->side);

    sb_sentence_fill(s, "figures", "matrix",
                     json_pack("{s:b, s:b, s:b, s:b, s:s, s:b, s:b, s:b, s:s}", "few_items",
                               blocks.rows < sb_evidence_rows(e), "few_positions", blocks.columns < e->deal, "merged",
                               sb_matrix_blocks_merged(&blocks), "multiset", sb_item_multiset(e->names) != NULL, "fair",
                               sb_number_percent(1 / (double)e->n, 3).text, "positions",
                               sb_scene_observed_positions(scene, report), "observed", sb_scene_observed(scene, report),
                               "sample", e->by == SB_BY_SAMPLE, "level", sb_number_level(report->alpha).text));
}

const struct sb_figure_type sb_figure_matrix = {
    .name = "matrix",
    .of = SB_FIGURE_OF_REPORTS | SB_FIGURE_OF_GATES,
    .has = matrix_has,
    .measure = matrix_measure,
    .draw = matrix_draw,
    .title = "where each item ends up",
    .describe = matrix_describe,
    .data = figure_matrix_data,
};
