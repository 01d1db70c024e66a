/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds figures, and writes a figure with its title and description. */
#include "study/figure/figure.h"
#include "core/text.h"
#include "study/explain/explain.h"
#include "study/gate/gate_page.h"

/* the least evidence E of an item's positions for which all cells of the matrix are coloured */
enum { FIGURE_EVIDENCE = 20 };

enum { FIGURE_NUMBER = 60 }; /* width of the number at an end of an axis, and of half the word in the middle */

const struct sb_figure_type *sb_figure_find(const char *name, const struct sb_scene *scene)
{
    for (size_t i = 0; i < sb_figure_types_count; i++)
        if ((!name || strcmp(sb_figure_types[i]->name, name) == 0) && sb_figure_types[i]->has(scene))
            return sb_figure_types[i];
    return NULL;
}

double sb_figure_axis_needed(const char *name, const struct sb_scene *scene)
{
    const struct sb_figure_type *const figure = sb_figure_find(name, scene);

    return figure && figure->axis ? figure->axis(scene) : 0;
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

/*
 * The fair share of a block of a x b cells of a matrix is outside its interval if N a b KL(share, fair) > ln(2 m /
 * alpha). Here N is the number of decks, `share` is the mean of the block's cells, and m is the number of blocks. In a
 * random permutation, the indicators "item i is at position j" are negatively associated (Joag-Dev and Proschan, Annals
 * of Statistics 11, 1983). So Chernoff's bound for independent indicators holds for their sum, for every N.
 */
bool sb_share_beyond(const struct sb_report *report, double share, double fair, double weight, double all)
{
    const struct sb_evidence *const evidence = &report->evidence;
    const double places = (double)evidence->total * weight, rare = places * (fair - share);

    if (evidence->by != SB_BY_SAMPLE) /* an exact law: differences are real unless they are only rounding */
        return fabs(share - fair) > (1e-12 + evidence->error) * fair;
    return sb_divergence(places * share, places * fair, rare) +
               sb_divergence(places * (1 - share), places * (1 - fair), -rare) >
           log(2 * all / report->alpha);
}

void sb_figure_many_key(struct sb_html *html)
{
    sb_page_paragraph(&html->page, SB_INK_PLAIN, NULL, "%s", sb_template_part("figures", "many"));
    fputs("<p class=\"steps\">Colours are for what is beyond its interval:", html->stream);
    sb_figure_matrix_key(html->stream);
    fputs("</p>\n", html->stream);
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

void sb_figure_axis(const struct sb_deviation_axis *axis, double y, struct sb_svg *svg)
{
    if (axis->fair - axis->left > FIGURE_NUMBER)
        sb_svg_text(svg, "start faint", axis->left, y, "\u2212%.6g%%", 100 * axis->under);
    sb_svg_text(svg, "middle", axis->fair, y, "fair");
    if (axis->over < 9)
        sb_svg_text(svg, "end faint", axis->right, y, "+%.6g%%", 100 * axis->over);
    else
        sb_svg_text(svg, "end faint", axis->right, y, "+%s%%",
                    sb_number_grouped((uint64_t)fmin(100 * axis->over + 0.5, 9e18)).text);
    sb_svg_text(svg, "middle faint", (axis->left + axis->right) / 2, y + 18, "deviation from the fair share");
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
    char *const text = figure_description(figure, scene);
    double box[] = { x, y, 0, 0 };
    struct sb_sentence title = { 0 };

    figure->measure(scene, &box[2], &box[3]);
    sb_sentence_add(&title, "%s: %s", scene_name(scene), figure->title);
    if (!text || title.lost)
        svg->status = SB_NO_MEMORY;
    sb_svg_figure(svg, figure->name, box, title.text && !title.lost ? title.text : "", text ? text : "");
    sb_sentence_close(&title);
    free(text);
    figure->draw(scene, svg);
    fputs("</svg>\n", svg->stream);
}

enum {
    SVG_SIDE_MOST = 60, /* the most rows and columns of blocks in a matrix */
    SVG_HEAD = 26,      /* height for the name above a figure */
    SVG_MARGIN = 10,
};

static void sheet_begin(double width, double height, FILE *stream)
{
    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"sheet\"", stream);
    sb_markup_attribute(stream, "width", width);
    sb_markup_attribute(stream, "height", height);
    fputs(" viewBox=\"0 0", stream);
    sb_markup_number(stream, width);
    sb_markup_number(stream, height);
    fprintf(stream, "\">\n<style>%s</style>\n", sb_asset_figure_css);
    fputs("<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n", stream);
}

static void sheet_place(const struct sb_scene *scene, const char *name, double x, double y, struct sb_svg *svg)
{
    const struct sb_figure_type *const figure = sb_figure_find(name, scene);

    sb_svg_text(svg, "start head", x, y + 16, "%.400s, n = %zu", scene_name(scene),
                scene->gate ? scene->gate->n : sb_pair_best(&scene->pair)->evidence.n);
    if (figure)
        figure_write(figure, scene, x, y + SVG_HEAD, svg);
    else
        sb_svg_text(svg, "start faint", x, y + SVG_HEAD + 16, "%s", "There is nothing to draw.");
}

/* Writes a document with one figure for each scene, in a grid. All places have the same size, which is enough for every
 * figure. */
static enum sb_status sheet_write(struct sb_scene scene[], size_t count, const char *name, FILE *stream)
{
    const size_t columns = count <= 3 ? count : (size_t)ceil(sqrt((double)count));
    const size_t rows = columns ? (count + columns - 1) / columns : 0;
    struct sb_svg svg = { .stream = stream };
    double width = count ? 240 : 0, height = count ? 24 : 0, axis = 0;

    for (size_t i = 0; i < count; i++)
        axis = fmax(axis, sb_figure_axis_needed(name, &scene[i]));
    for (size_t i = 0; i < count; i++) {
        scene[i].axis = axis;
        const struct sb_figure_type *const figure = sb_figure_find(name, &scene[i]);
        double wide = 0, high = 0;

        if (figure)
            figure->measure(&scene[i], &wide, &high);
        width = fmax(width, wide);
        height = fmax(height, high);
    }
    width += SVG_MARGIN;
    height += SVG_HEAD + SVG_MARGIN;
    sheet_begin((double)columns * width + SVG_MARGIN, (double)rows * height + SVG_MARGIN, stream);
    for (size_t i = 0; i < count && !ferror(stream); i++) {
        const size_t row = i / columns, column = i % columns;

        sheet_place(&scene[i], name, SVG_MARGIN + (double)column * width, SVG_MARGIN + (double)row * height, &svg);
    }
    fputs("</svg>\n", stream);
    return svg.status;
}

enum sb_status sb_reports_svg(const void *result, const char *name, FILE *stream)
{
    const struct sb_reports *const reports = result;
    struct sb_scene *const scene = calloc(reports->count + 1, sizeof *scene);
    enum sb_status status = SB_NO_MEMORY;
    size_t count = 0;

    for (size_t i = 0; scene && i < reports->count; count++) {
        scene[count].side = SVG_SIDE_MOST;
        i = sb_pair_next(reports, i, &scene[count].pair);
    }
    if (scene)
        status = sheet_write(scene, count, name, stream);
    free(scene);
    return status;
}

enum sb_status sb_suite_svg(const void *result, const char *name, FILE *stream)
{
    const struct sb_suite *const suite = result;
    struct sb_scene *const scene = calloc(suite->count + 1, sizeof *scene);
    struct sb_report *const report = calloc(suite->count + 1, sizeof *report);
    enum sb_status status = SB_NO_MEMORY;
    size_t count = 0;

    for (size_t i = 0; scene && report && i < suite->count; i++) {
        const struct sb_gate *const gate = suite->item[i].gate;

        if (!gate)
            continue;
        report[count] = sb_gate_report(gate);
        scene[count] = (struct sb_scene) { { .sampled = &report[count] }, gate, .side = SVG_SIDE_MOST };
        count++;
    }
    if (scene && report)
        status = sheet_write(scene, count, name, stream);
    free(scene);
    free(report);
    return status;
}

enum { GATE_SIDE = 60 }; /* blocks per side of the matrix of a single subject */

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
    struct sb_svg svg = { .stream = html->stream, .id = html->page.figures };

    fprintf(html->stream, "<figure class=\"of-%s\">\n", figure->name);
    figure_write(figure, scene, 0, 0, &svg);
    html->page.figures = svg.id;
    html->page.status = svg.status ? svg.status : html->page.status;
    if (!html->brief) {
        html_caption(figure, scene, html);
    }
    fprintf(html->stream, "<details><summary>Data%s</summary>\n", html->brief ? "" : " of this figure");
    figure->data(scene, html);
    fputs("</details>\n</figure>\n", html->stream);
}

void sb_html_figures(const struct sb_scene *scene, struct sb_html *html)
{
    fputs("<div class=\"figures\">\n", html->stream);
    for (size_t i = 0; i < sb_figure_types_count; i++) {
        const struct sb_figure_type *const figure = sb_figure_types[i];

        if (figure->has(scene) && !(html->brief && figure->single))
            sb_html_figure(figure, scene, html);
    }
    fputs("</div>\n", html->stream);
}

void sb_gate_figures(const struct sb_gate *gate, struct sb_html *html)
{
    html->side = html->side ? html->side : GATE_SIDE;
    const struct sb_report report = sb_gate_report(gate);
    const struct sb_scene scene = {
        .pair.sampled = &report,
        .gate = gate,
        .side = html->side,
        .brief = html->brief,
    };

    sb_html_figures(&scene, html);
}
