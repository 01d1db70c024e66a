/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds figures, and writes a figure with its title and description. */
#include "study/figure/figure.h"

#include "core/text.h"
#include "gate/gate.h"
#include "report/markup.h"
#include "report/typeset.h"
#include "study/gate/gate_text.h"

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

/* Returns the name of figure `index` for this kind of result. The figures that may stand side by side come
 * first. */
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

const char *sb_scene_name(const struct sb_scene *scene)
{
    return scene->gate ? sb_gate_title(scene->gate) : sb_pair_best(&scene->pair)->name;
}

size_t sb_scene_items(const struct sb_scene *scene)
{
    return scene->gate ? scene->gate->n : sb_pair_best(&scene->pair)->evidence.n;
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

char *sb_figure_description(const struct sb_figure_type *figure, const struct sb_scene *scene)
{
    char *text = NULL;
    size_t size;
    FILE *const stream = sb_memory_stream_open(&text, &size);

    if (stream)
        figure->describe(scene, stream);
    if (sb_memory_stream_close(stream, &text))
        return text;
    free(text);
    return NULL;
}

void sb_figure_write(const struct sb_figure_type *figure, const struct sb_scene *scene, double x, double y,
                     struct sb_svg *svg)
{
    FILE *const stream = svg->stream;
    const unsigned id = ++svg->id;
    char *const text = sb_figure_description(figure, scene);
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
    fprintf(stream, "\" role=\"group\" aria-labelledby=\"t%u\" aria-describedby=\"d%u\">\n<title id=\"t%u\">",
            id, id, id);
    sb_markup_text(stream, sb_scene_name(scene));
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
