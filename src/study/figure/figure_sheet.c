/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a figure (bars, tree, matrix or curve) as a separate document, for slides and papers. If there are
 * several schemes, the document has one figure per scheme, side by side and of the same size.
 */
#include "study/figure/figure.h"

#include "report/html/asset.h"
#include "report/markup.h"
#include "study/gate/gate_text.h"

#include <math.h>
#include <string.h>

enum {
    SVG_SIDE_MOST = 60, /* the most rows and columns of blocks in a matrix */
    SVG_HEAD = 26,      /* height for the name above a figure */
    SVG_MARGIN = 10,
};

/* The grid of figures. All places in the grid have the same size, which is enough for every figure. */
struct svg_grid {
    size_t count, columns;
    double width, height; /* width and height of one figure */
};

static void svg_fit(const struct sb_scene *scene, const char *name, struct svg_grid *grid)
{
    const struct sb_figure_type *const figure = sb_figure_find(name, scene);
    double width = 240, height = 24;

    if (figure)
        figure->measure(scene, &width, &height);
    grid->width = fmax(grid->width, width);
    grid->height = fmax(grid->height, height);
    grid->count++;
}

static void svg_begin(struct svg_grid *grid, FILE *stream)
{
    grid->columns = (size_t)ceil(sqrt((double)grid->count));
    if (grid->count <= 3)
        grid->columns = grid->count;
    const size_t rows = grid->columns ? (grid->count + grid->columns - 1) / grid->columns : 0;
    const double width = (double)grid->columns * (grid->width + SVG_MARGIN) + SVG_MARGIN;
    const double height = (double)rows * (grid->height + SVG_HEAD + SVG_MARGIN) + SVG_MARGIN;

    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"sheet\"", stream);
    sb_markup_attribute(stream, "width", width);
    sb_markup_attribute(stream, "height", height);
    fputs(" viewBox=\"0 0", stream);
    sb_markup_number(stream, width);
    sb_markup_number(stream, height);
    fprintf(stream, "\">\n<style>%s</style>\n", sb_asset_figure_css);
    fputs("<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n", stream);
}

static void svg_add(const struct sb_scene *scene, const char *name, size_t index, const struct svg_grid *grid,
                    struct sb_svg *svg)
{
    const struct sb_figure_type *const figure = sb_figure_find(name, scene);
    const size_t row = index / grid->columns, column = index % grid->columns;
    const double x = SVG_MARGIN + (double)column * (grid->width + SVG_MARGIN);
    const double y = SVG_MARGIN + (double)row * (grid->height + SVG_HEAD + SVG_MARGIN);

    sb_svg_text(svg, "start head", x, y + 16, "%.400s, n = %zu", sb_scene_name(scene), sb_scene_items(scene));
    if (figure)
        sb_figure_write(figure, scene, x, y + SVG_HEAD, svg);
    else
        sb_svg_text(svg, "start faint", x, y + SVG_HEAD + 16, "%s", "There is nothing to draw.");
}

/* Makes the scene of the report at `*index`, and advances `*index` past the reports of the scene. */
static struct sb_scene svg_scene(const struct sb_reports *reports, size_t *index)
{
    struct sb_scene scene = { .side = SVG_SIDE_MOST };

    *index = sb_pair_next(reports, *index, &scene.pair);
    return scene;
}

enum sb_status sb_reports_svg(const void *result, const char *name, FILE *stream)
{
    const struct sb_reports *const reports = result;
    struct sb_svg svg = { .stream = stream };
    struct svg_grid grid = { .count = 0 };

    for (size_t i = 0; i < reports->count;) {
        const struct sb_scene scene = svg_scene(reports, &i);

        svg_fit(&scene, name, &grid);
    }
    svg_begin(&grid, stream);
    for (size_t i = 0, index = 0; i < reports->count && !ferror(stream); index++) {
        const struct sb_scene scene = svg_scene(reports, &i);

        svg_add(&scene, name, index, &grid, &svg);
    }
    fputs("</svg>\n", stream);
    return svg.status;
}

enum sb_status sb_suite_svg(const void *result, const char *figure, FILE *stream)
{
    const struct sb_suite *const suite = result;
    struct sb_svg svg = { .stream = stream };
    struct svg_grid grid = { .count = 0 };

    for (int pass = 0; pass < 2; pass++) { /* the first pass measures, and the second pass draws */
        for (size_t i = 0, index = 0; i < suite->count; i++) {
            const struct sb_gate *const gate = suite->item[i].gate;

            if (!gate)
                continue;
            const struct sb_report report = sb_gate_report(gate);
            const struct sb_scene scene = { .pair.sampled = &report, .gate = gate, .side = SVG_SIDE_MOST };

            if (pass)
                svg_add(&scene, figure, index++, &grid, &svg);
            else
                svg_fit(&scene, figure, &grid);
        }
        if (pass == 0)
            svg_begin(&grid, stream);
    }
    fputs("</svg>\n", stream);
    return svg.status;
}
