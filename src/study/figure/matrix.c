/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The matrix of items by positions as a heat map, with a row per item and a column per position. If there are many
 * items, a cell is a block of several items and positions. A cell is coloured if its interval excludes the fair share
 * 1/n: blue means too rare, orange too frequent. A deeper colour means a larger deviation, relative to the largest
 * deviation. */
#include "core/text.h"
#include "study/figure/figure.h"

#include <math.h>
#include <string.h>

enum {
    NAMES_LETTER = 8,   /* width of a letter */
    NAMES_LETTERS = 12, /* the most letters beside a row; a longer name is cut */
};

static char *figure_matrix_name(const struct sb_evidence *evidence, size_t row, char text[SB_ITEM_ROOM])
{
    char number[SB_ITEM_ROOM];
    const char *const name = sb_item_name(evidence->names, sb_evidence_item(evidence, row), number), *end = name;

    for (size_t letters = 0; *end && letters < NAMES_LETTERS; letters++)
        sb_utf8_next(&end);
    snprintf(text, SB_ITEM_ROOM, "%.*s%s", (int)(end - name), name, *end ? "\u2026" : "");
    return text;
}

static double figure_matrix_left(const struct sb_evidence *evidence, const struct sb_matrix_blocks *blocks)
{
    size_t letters = 0;
    char name[SB_ITEM_ROOM];

    for (size_t b = 0; sb_item_names_given(evidence->names) && b < blocks->rows; b++) {
        const size_t row = sb_matrix_blocks_begin(b, blocks->rows, sb_evidence_rows(evidence));
        const size_t width = sb_utf8_width(figure_matrix_name(evidence, row, name));

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

enum {
    DATA_DIGITS = 9,      /* significant digits in the data */
    DATA_DIGITS_MANY = 6, /* significant digits in the data of a matrix with more than DATA_FEW items */
    DATA_FEW = 30,
    DATA_COLUMNS = SB_TABLE_COLUMNS_MOST + 1, /* a matrix has at most 60 columns of blocks */
};

static void matrix_data_block(const struct sb_evidence *evidence, const struct sb_matrix_block *block, bool counts,
                              struct sb_table *table)
{
    const bool single = block->items == 1 && block->positions == 1;
    const int digits = evidence->n > DATA_FEW ? DATA_DIGITS_MANY : DATA_DIGITS;
    const struct sb_fraction fraction = single && evidence->by == SB_BY_EXACT
                                            ? sb_exact_cell(evidence, block->item, block->position)
                                            : (struct sb_fraction) { "" };
    const size_t cell = block->item * evidence->deal + block->position;

    sb_table_row(table, "%s",
                 counts             ? sb_number_grouped(sb_numbers_u64(&evidence->matrix, cell)).text
                 : fraction.text[0] ? fraction.text
                                    : sb_number_short(block->share, digits).text);
}

static void matrix_data_of(const struct sb_report *report, struct sb_html *html)
{
    const struct sb_evidence *const evidence = &report->evidence;
    const struct sb_matrix_blocks blocks = sb_matrix_blocks_of(evidence, html->side);
    const size_t rows = sb_evidence_rows(evidence);
    const bool whole = blocks.rows == rows && blocks.columns == evidence->deal;
    const bool counts = whole && evidence->by != SB_BY_EXACT && sb_numbers_narrow(&evidence->matrix);
    char columns[DATA_COLUMNS] = "l", name[SB_ITEM_ROOM];
    struct sb_table table;

    memset(columns + 1, 'r', blocks.columns);
    fprintf(html->stream, "<p>%s%s: %s. A row per item, a column per position.</p>\n", sb_by_name(evidence->by),
            whole ? "" : ", means of blocks that begin where the titles say", counts ? "counts" : "probabilities");
    sb_table_begin(&table, columns, "item");
    table.class = "matrix-data";
    for (size_t c = 0; c < blocks.columns; c++)
        sb_table_add(&table, SB_INK_STRONG, "%zu", sb_matrix_blocks_begin(c, blocks.columns, evidence->deal) + 1);
    for (size_t r = 0; r < blocks.rows; r++) {
        const size_t row = sb_matrix_blocks_begin(r, blocks.rows, rows);

        sb_table_add(&table, SB_INK_PLAIN, "%s", sb_item_name(evidence->names, sb_evidence_item(evidence, row), name));
        for (size_t c = 0; c < blocks.columns; c++) {
            const struct sb_matrix_block block = sb_matrix_blocks_get(evidence, &blocks, r, c);

            matrix_data_block(evidence, &block, counts, &table);
        }
    }
    sb_table_end(&table, &html->page);
}

static void figure_matrix_data(const struct sb_scene *scene, struct sb_html *html)
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

void sb_figure_matrix_key(FILE *stream)
{
    static const char *const step[][2] = {
        { "u4", "over 50% too rare" },
        { "u3", "over 20%" },
        { "u2", "over 5%" },
        { "u1", "less" },
        { "e", "fair" },
        { "o1", "less" },
        { "o2", "over 5%" },
        { "o3", "over 20%" },
        { "o4", "over 50% too frequent" },
    };

    for (size_t i = 0; i < sizeof step / sizeof step[0]; i++)
        fprintf(stream, " <span class=\"key\"><span class=\"step %s\"></span>%s</span>", step[i][0], step[i][1]);
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
    /* if there are more items than this, the cells of a small matrix have no description */
    MATRIX_SIDE_TOLD = 4,
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
    const struct sb_report *const side[] = { scene->pair.exact, scene->pair.sampled };

    for (size_t i = 0; i < 2; i++) {
        const struct sb_evidence *const evidence = side[i] ? &side[i]->evidence : NULL;

        if (evidence && evidence->n > 0 && evidence->deal > 0 && evidence->matrix.form != SB_NUMBERS_NONE &&
            (evidence->by == SB_BY_EXACT || evidence->total))
            return side[i];
    }
    return NULL;
}

static bool matrix_has(const struct sb_scene *scene)
{
    return matrix_report(scene);
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
    map->left = map->brief ? 1 : fmax(MATRIX_LEFT, figure_matrix_left(&map->report->evidence, &map->blocks));
    map->top = map->brief ? 1 : MATRIX_TOP;
}

static struct matrix_map matrix_of(const struct sb_scene *scene)
{
    struct matrix_map map = { .report = matrix_report(scene) };

    if (!map.report)
        return map;
    map.blocks = sb_matrix_blocks_of(&map.report->evidence, scene->brief ? MATRIX_BLOCKS_SMALL : scene->side);
    matrix_size(scene, &map);
    map.observed = sb_scene_observed_positions(scene, map.report);
    map.scale = sb_matrix_blocks_scale(&map.report->evidence, &map.blocks);
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
    const double off = block->share / block->fair - 1;

    if (map->observed || sb_block_beyond(map->report, &map->blocks, block))
        snprintf(class, 16, "%c%d", off < 0 ? 'u' : 'o', matrix_level(map, off));
    else
        snprintf(class, 16, "e");
}

/* Writes a block's sampled value and the block's z. Leaves out the sampled value if the cell already shows
 * this value. */
static void matrix_seen(const struct sb_scene *scene, const struct matrix_map *map, size_t row, size_t column,
                        struct sb_svg *svg)
{
    const struct sb_report *const sampled = scene->pair.sampled;

    if (!sampled || sampled->evidence.matrix.form == SB_NUMBERS_NONE || sampled->evidence.total == 0)
        return;
    const struct sb_matrix_block block = sb_matrix_blocks_get(&sampled->evidence, &map->blocks, row, column);
    const double z = sb_block_z(&sampled->evidence, &block);

    if (sampled != map->report)
        fprintf(svg->stream, ", seen %s", sb_number_percent(block.share, 3).text);
    if (isfinite(z))
        sb_print(svg->stream, ", z %+.1f", fabs(z) < 0.05 ? 0 : z);
}

static void matrix_cell(const struct sb_scene *scene, const struct matrix_map *map, size_t row, size_t column,
                        struct sb_svg *svg)
{
    const struct sb_evidence *const evidence = &map->report->evidence;
    const struct sb_matrix_block block = sb_matrix_blocks_get(evidence, &map->blocks, row, column);
    char class[16];

    matrix_class(map, &block, class);
    /* The text is short, because there may be thousands of cells. */
    sb_print(svg->stream, "<path class=\"%s\" d=\"M%g %gh%gv%gh-%gz\"><title>", class,
             map->left + (double)column * map->cell, map->top + (double)row * map->cell, map->cell, map->cell,
             map->cell);
    figure_matrix_items(evidence, &block, map->blocks.rows <= MATRIX_MANY, svg->stream);
    fprintf(svg->stream, " at %zu", block.position + 1);
    if (block.positions > 1)
        fprintf(svg->stream, "-%zu", block.position + block.positions);
    fprintf(svg->stream, ": %s", sb_number_percent(block.share, 3).text);
    matrix_seen(scene, map, row, column, svg);
    fprintf(svg->stream, ", fair %s</title></path>", sb_number_percent(block.fair, 3).text);
}

static void matrix_labels(const struct matrix_map *map, struct sb_svg *svg)
{
    const struct sb_evidence *const evidence = &map->report->evidence;
    const size_t rows = sb_evidence_rows(evidence);
    char name[SB_ITEM_ROOM];

    sb_svg_text(svg, "start faint", map->left, 12, "position");
    sb_svg_text(svg, "end faint", map->left - 6, MATRIX_TOP - 8, "item");
    for (size_t b = 0; b < map->blocks.rows; b++)
        if (matrix_labelled(b, map->blocks.rows, map->cell))
            sb_svg_text(svg, "end", map->left - 6, MATRIX_TOP + ((double)b + 0.5) * map->cell + 4, "%s",
                        figure_matrix_name(evidence, sb_matrix_blocks_begin(b, map->blocks.rows, rows), name));
    for (size_t b = 0; b < map->blocks.columns; b++)
        if (matrix_labelled(b, map->blocks.columns, map->cell))
            sb_svg_text(svg, "middle", map->left + ((double)b + 0.5) * map->cell, MATRIX_TOP - 8, "%zu",
                        sb_matrix_blocks_begin(b, map->blocks.columns, evidence->deal) + 1);
}

static void matrix_legend(const struct matrix_map *map, struct sb_svg *svg)
{
    const double top = MATRIX_TOP + (double)map->blocks.rows * map->cell + 12;
    const double width = 22;
    char class[16];

    for (int level = -MATRIX_LEVELS; level <= MATRIX_LEVELS; level++) {
        snprintf(class, sizeof class, level ? "%c%d" : "e", level < 0 ? 'u' : 'o', level < 0 ? -level : level);
        sb_svg_rect(svg, class, map->left + (level + MATRIX_LEVELS) * width, top, width, 10);
    }
    sb_svg_text(svg, "start faint", map->left, top + 24, "\u2212%.6g%%", 100 * map->under);
    sb_svg_text(svg, "middle", map->left + (MATRIX_LEVELS + 0.5) * width, top + 24, "fair");
    sb_svg_text(svg, "end faint", map->left + (2 * MATRIX_LEVELS + 1) * width, top + 24, "+%.6g%%", 100 * map->scale);
    sb_svg_text(svg, "middle faint", map->left + (MATRIX_LEVELS + 0.5) * width, top + 42,
                "deviation from the fair share");
}

/* Draws the many cells of a small figure. Adjacent cells of the same colour share an SVG path, and no cell
 * has a text. */
static void matrix_runs(const struct matrix_map *map, struct sb_svg *svg)
{
    const struct sb_evidence *const evidence = &map->report->evidence;
    char class[16], next[16];

    for (size_t row = 0; row < map->blocks.rows && !ferror(svg->stream); row++)
        for (size_t column = 0, end; column < map->blocks.columns; column = end) {
            struct sb_matrix_block block = sb_matrix_blocks_get(evidence, &map->blocks, row, column);

            matrix_class(map, &block, class);
            for (end = column + 1; end < map->blocks.columns; end++) {
                block = sb_matrix_blocks_get(evidence, &map->blocks, row, end);
                matrix_class(map, &block, next);
                if (strcmp(class, next) != 0)
                    break;
            }
            sb_print(svg->stream, "<path class=\"%s\" d=\"M%g %gh%gv%gH%gz\"/>\n", class,
                     map->left + (double)column * map->cell, map->top + (double)row * map->cell,
                     (double)(end - column) * map->cell, map->cell, map->left + (double)column * map->cell);
        }
}

static void matrix_hatch(const struct matrix_map *map, struct sb_svg *svg)
{
    const double step = map->cell < 2 * MATRIX_HATCH ? map->cell : MATRIX_HATCH;

    fprintf(svg->stream, "<path class=\"hatch%s\" d=\"", map->cell < MATRIX_FINE ? " thin" : "");
    for (size_t row = 0; row < map->blocks.rows && !ferror(svg->stream); row++)
        for (size_t column = 0; column < map->blocks.columns; column++) {
            const struct sb_matrix_block block =
                sb_matrix_blocks_get(&map->report->evidence, &map->blocks, row, column);

            if (!sb_block_beyond(map->report, &map->blocks, &block))
                sb_svg_hatch(svg, map->left + (double)column * map->cell, map->top + (double)row * map->cell, map->cell,
                             map->cell, step);
        }
    fputs("\"/>\n", svg->stream);
}

static void matrix_draw(const struct sb_scene *scene, struct sb_svg *svg)
{
    const struct matrix_map map = matrix_of(scene);

    if (map.brief && map.blocks.rows > MATRIX_SIDE_TOLD) {
        matrix_runs(&map, svg);
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
    const struct sb_evidence *const evidence = &report->evidence;
    const struct sb_matrix_blocks blocks = sb_matrix_blocks_of(evidence, scene->side);

    sb_sentence_add(s, "A row for %s, a column for %s; each fair share is %s. ",
                    blocks.rows < sb_evidence_rows(evidence) ? "each few items" : "each item",
                    blocks.columns < evidence->deal ? "each few positions" : "each position",
                    sb_item_multiset(evidence->names) ? "the share of the item in the deck"
                                                      : sb_number_percent(1 / (double)evidence->n, 3).text);
    if (sb_scene_observed_positions(scene, report))
        sb_sentence_add(s,
                        "A cell is blue where the item was observed too rarely at the position, and orange where "
                        "too often. It is hatched where the fair share lies in the cell's %s interval, all taken "
                        "together: the whole shows the bias, this cell by itself does not.",
                        sb_number_level(report->alpha).text);
    else if (evidence->by == SB_BY_SAMPLE)
        sb_sentence_add(s,
                        "A cell is blue where the item is too rarely at the position, orange where too often, and "
                        "without a colour where the fair share lies in the cell's %s interval; the intervals hold "
                        "for all cells together.%s",
                        sb_number_level(report->alpha).text,
                        sb_scene_observed(scene, report)
                            ? " The positions alone do not show the bias here: other statistics do."
                            : "");
    else
        sb_sentence_add(s, "A cell is blue where the item is too rarely at the position, orange where too often, and "
                           "without a colour where it is fair.");
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
