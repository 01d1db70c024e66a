/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds figures, and writes a figure with its title and description. */
#include "study/figure/figure.h"
#include "core/text.h"

#include "study/explain/explain.h"
#include "study/gate/gate_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* the least evidence E of an item's positions for which all cells of the matrix are coloured */
enum { FIGURE_EVIDENCE = 20 };

const struct sb_figure_type *sb_figure_find(const char *name, const struct sb_scene *scene)
{
    for (size_t i = 0; i < sb_figure_types_count; i++)
        if ((!name || strcmp(sb_figure_types[i]->name, name) == 0) && sb_figure_types[i]->has(scene))
            return sb_figure_types[i];
    return NULL;
}

/* Returns the name of figure `index` for this kind of result. The figures that may stand side by side come first. */
static const char *figure_of(unsigned result, size_t index)
{
    for (int single = 0; single < 2; single++)
        for (size_t i = 0; i < sb_figure_types_count; i++)
            if (sb_figure_types[i]->of & result && sb_figure_types[i]->single == single && index-- == 0)
                return sb_figure_types[i]->name;
    return NULL;
}

const char *sb_reports_figure(size_t index)
{
    return figure_of(SB_FIGURE_OF_REPORTS, index);
}

const char *sb_suite_figure(size_t index)
{
    return figure_of(SB_FIGURE_OF_GATES, index);
}

struct sb_report sb_gate_report(const struct sb_gate *gate)
{
    return (struct sb_report) {
        .name = gate->name,
        .evidence = gate->evidence,
        .alpha = gate->terms.alpha,
        .verdict = sb_verdict_name(gate->verdict),
    };
}

static const char *scene_name(const struct sb_scene *scene)
{
    return scene->gate ? sb_gate_title(scene->gate) : sb_pair_best(&scene->pair)->name;
}

bool sb_scene_observed(const struct sb_scene *scene, const struct sb_report *report)
{
    if (report->evidence.by != SB_BY_SAMPLE)
        return false;
    /* a dependence between permutations says nothing about how often each of them comes up */
    if (scene->gate)
        return scene->gate->verdict == SB_VERDICT_FAIL && !sb_gate_dependence(scene->gate);
    return !scene->brief && sb_report_biased(report);
}

bool sb_scene_observed_positions(const struct sb_scene *scene, const struct sb_report *report)
{
    const struct sb_gate *const gate = scene->gate;
    double most = -INFINITY;

    for (size_t i = 0; gate && i < gate->lines_count; i++)
        if (strcmp(gate->line[i].statistic, "position") == 0 && !gate->line[i].lag)
            most = fmax(most, gate->line[i].ln_e);
    return sb_scene_observed(scene, report) && (!gate || most > log(FIGURE_EVIDENCE));
}

static char *figure_description(const struct sb_figure_type *figure, const struct sb_scene *scene)
{
    struct sb_sentence s = { 0 };

    figure->describe(scene, &s);
    return sb_sentence_take(&s);
}

static void figure_write(const struct sb_figure_type *figure, const struct sb_scene *scene, double x, double y,
                         struct sb_svg *svg)
{
    FILE *const stream = svg->stream;
    const unsigned id = ++svg->id;
    char *const text = figure_description(figure, scene);
    double width, height;

    figure->measure(scene, &width, &height);
    fprintf(stream, "<svg class=\"figure %s\"", figure->name);
    sb_markup_attribute(stream, "x", x);
    sb_markup_attribute(stream, "y", y);
    sb_markup_attribute(stream, "width", width);
    sb_markup_attribute(stream, "height", height);
    fprintf(stream, " viewBox=\"0 0");
    sb_markup_number(stream, width);
    sb_markup_number(stream, height);
    fprintf(stream, "\" role=\"group\" aria-labelledby=\"t%u\" aria-describedby=\"d%u\">\n<title id=\"t%u\">", id, id,
            id);
    sb_markup_text(stream, scene_name(scene));
    fprintf(stream, ": %s</title>\n<desc id=\"d%u\">", figure->title, id);
    if (text)
        sb_typeset(text, strlen(text), stream);
    else
        svg->status = SB_NO_MEMORY;
    fputs("</desc>\n", stream);
    free(text);
    figure->draw(scene, svg);
    fputs("</svg>\n", stream);
}

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

    sb_svg_text(svg, "start head", x, y + 16, "%.400s, n = %zu", scene_name(scene),
                scene->gate ? scene->gate->n : sb_pair_best(&scene->pair)->evidence.n);
    if (figure)
        figure_write(figure, scene, x, y + SVG_HEAD, svg);
    else
        sb_svg_text(svg, "start faint", x, y + SVG_HEAD + 16, "%s", "There is nothing to draw.");
}

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

static void html_caption(const struct sb_figure_type *figure, const struct sb_scene *scene, struct sb_html *html)
{
    char *const text = figure_description(figure, scene);

    if (!text) {
        html->page.status = SB_NO_MEMORY;
        return;
    }
    fputs("<figcaption>", html->stream);
    sb_prose(text, &html->page.explained, html->stream);
    if (figure->hint)
        fprintf(html->stream, "<span class=\"screen\"> %s</span>", figure->hint);
    fputs("</figcaption>\n", html->stream);
    free(text);
}

void sb_html_figure(const struct sb_figure_type *figure, const struct sb_scene *scene, struct sb_html *html)
{
    fprintf(html->stream, "<figure class=\"of-%s\">\n", figure->name);
    figure_write(figure, scene, 0, 0, &html->svg);
    if (!html->brief) {
        html_caption(figure, scene, html);
    }
    fprintf(html->stream, "<details><summary>Data%s</summary>\n", html->brief ? "" : " of this figure");
    figure->data(scene, html);
    fputs("</details>\n</figure>\n", html->stream);
}

static bool figures_room(const struct sb_explain *tree, struct sb_html *html)
{
    if (tree->paths_count > html->paths) {
        sb_page_paragraph(&html->page, SB_INK_FAINT, "Its tree of draws",
                          "does not fit on a page of so many schemes: a report on this scheme alone shows it.");
        return false;
    }
    html->paths -= tree->paths_count;
    return true;
}

void sb_html_figures(const struct sb_scene *scene, struct sb_html *html)
{
    fputs("<div class=\"figures\">\n", html->stream);
    for (size_t i = 0; i < sb_figure_types_count; i++) {
        const struct sb_figure_type *const figure = sb_figure_types[i];

        if (!figure->has(scene) || (html->brief && figure->single))
            continue;
        if (figure != &sb_figure_tree || figures_room(scene->pair.exact->tree, html))
            sb_html_figure(figure, scene, html);
    }
    fputs("</div>\n", html->stream);
}
