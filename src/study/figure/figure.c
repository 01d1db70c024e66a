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

/* The figures of a document, in a grid. All places have the same size, which is enough for every figure. */
struct sheet {
    const char *name; /* of the figures; NULL: the one that suits each scene best */
    struct sb_svg svg;
    bool drawn; /* whether the scenes are drawn; before, they are measured */
    size_t count, index, columns;
    double width, height; /* of one figure */
};

static void sheet_add(const struct sb_scene *scene, struct sheet *sheet)
{
    const struct sb_figure_type *const figure = sb_figure_find(sheet->name, scene);
    double width = 240, height = 24;

    if (!sheet->drawn || sheet->columns == 0) {
        if (figure)
            figure->measure(scene, &width, &height);
        sheet->width = fmax(sheet->width, width);
        sheet->height = fmax(sheet->height, height);
        sheet->count++;
        return;
    }
    const size_t row = sheet->index / sheet->columns, column = sheet->index++ % sheet->columns;
    const double x = SVG_MARGIN + (double)column * (sheet->width + SVG_MARGIN);
    const double y = SVG_MARGIN + (double)row * (sheet->height + SVG_HEAD + SVG_MARGIN);

    sb_svg_text(&sheet->svg, "start head", x, y + 16, "%.400s, n = %zu", scene_name(scene),
                scene->gate ? scene->gate->n : sb_pair_best(&scene->pair)->evidence.n);
    if (figure)
        figure_write(figure, scene, x, y + SVG_HEAD, &sheet->svg);
    else
        sb_svg_text(&sheet->svg, "start faint", x, y + SVG_HEAD + 16, "%s", "There is nothing to draw.");
}

static void sheet_begin(struct sheet *sheet)
{
    FILE *const stream = sheet->svg.stream;

    sheet->columns = sheet->count <= 3 ? sheet->count : (size_t)ceil(sqrt((double)sheet->count));
    const size_t rows = sheet->columns ? (sheet->count + sheet->columns - 1) / sheet->columns : 0;
    const double width = (double)sheet->columns * (sheet->width + SVG_MARGIN) + SVG_MARGIN;
    const double height = (double)rows * (sheet->height + SVG_HEAD + SVG_MARGIN) + SVG_MARGIN;

    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"sheet\"", stream);
    sb_markup_attribute(stream, "width", width);
    sb_markup_attribute(stream, "height", height);
    fputs(" viewBox=\"0 0", stream);
    sb_markup_number(stream, width);
    sb_markup_number(stream, height);
    fprintf(stream, "\">\n<style>%s</style>\n", sb_asset_figure_css);
    fputs("<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n", stream);
    sheet->drawn = true;
}

/* Writes a document with one figure for each scene that `add` adds. */
static enum sb_status sheet_write(void (*add)(const void *result, struct sheet *sheet), const void *result,
                                  const char *name, FILE *stream)
{
    struct sheet sheet = { .name = name, .svg = { .stream = stream } };

    add(result, &sheet);
    sheet_begin(&sheet);
    add(result, &sheet);
    fputs("</svg>\n", stream);
    return sheet.svg.status;
}

static void sheet_reports(const void *result, struct sheet *sheet)
{
    const struct sb_reports *const reports = result;

    for (size_t i = 0; i < reports->count && !ferror(sheet->svg.stream);) {
        struct sb_scene scene = { .side = SVG_SIDE_MOST };

        i = sb_pair_next(reports, i, &scene.pair);
        sheet_add(&scene, sheet);
    }
}

enum sb_status sb_reports_svg(const void *result, const char *name, FILE *stream)
{
    return sheet_write(sheet_reports, result, name, stream);
}

static void sheet_suite(const void *result, struct sheet *sheet)
{
    const struct sb_suite *const suite = result;

    for (size_t i = 0; i < suite->count; i++)
        if (suite->item[i].gate) {
            const struct sb_report report = sb_gate_report(suite->item[i].gate);
            const struct sb_scene scene = { { .sampled = &report }, suite->item[i].gate, .side = SVG_SIDE_MOST };

            sheet_add(&scene, sheet);
        }
}

enum sb_status sb_suite_svg(const void *result, const char *name, FILE *stream)
{
    return sheet_write(sheet_suite, result, name, stream);
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
