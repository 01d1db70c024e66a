/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of results, side by side:
 *
 *     show: tree bars            names of figures
 *     of: report naive           a report or a gate; more lines for more results
 *     cards: 3 6 4               optional: the figures of each n from 3 to 6, of which a slider first shows n = 4
 *
 * With `cards`, a figure that has nothing to draw for some n is left out there.
 */
#include "lesson/lesson.h"

#include "core/core.h"
#include "report/page.h"
#include "study/figure/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* the most rows and columns of blocks in a matrix; 52 cards are merged into 26 blocks */
enum { FIGURES_SIDE = 26 };

/* Returns the value of the line "KEY: VALUE" after `previous`, or of the first such line if this is NULL; NULL
 * beyond the last. The lines of a block end in 0, and an empty line ends the block. */
static const char *figures_field(const char *block, const char *previous, const char *key)
{
    const size_t length = strlen(key);

    for (const char *line = previous ? previous + strlen(previous) + 1 : block; *line; line += strlen(line) + 1)
        if (strncmp(line, key, length) == 0 && strncmp(line + length, ": ", 2) == 0)
            return line + length + 2;
    return NULL;
}

/* Returns what to draw of a command's result, or an empty scene. The scene borrows `report`. */
static struct sb_scene figures_scene(struct sb_lesson *lesson, const char *command, struct sb_report *report)
{
    const struct sb_lesson_result *const run = sb_lesson_run(lesson, command);
    struct sb_scene scene = { .side = FIGURES_SIDE, .common = true };

    if (!run)
        return scene;
    scene.gate = run->result->of == SB_GATE ? run->result->suite->item->gate : NULL;
    *report = scene.gate ? sb_gate_report(scene.gate) : run->result->reports->report[0];
    *(report->evidence.by == SB_BY_SAMPLE ? &scene.pair.sampled : &scene.pair.exact) = report;
    return scene;
}

/* Returns the deviation at the end of the axis of all these figures, which stand side by side. */
static double figures_axis(struct sb_lesson *lesson, const char *block, const char *name, const char *n)
{
    char command[SB_LESSON_COMMAND_ROOM];
    struct sb_report report;
    double axis = 0;

    for (const char *of = figures_field(block, NULL, "of"); of; of = figures_field(block, of, "of")) {
        snprintf(command, sizeof command, "%s%s", of, n);
        const struct sb_scene scene = figures_scene(lesson, command, &report);

        axis = fmax(axis, lesson->template.status ? 0 : sb_figure_axis_needed(name, &scene));
    }
    return axis;
}

/* Draws a figure; `axis` is that of all beside it. */
static void figures_draw(struct sb_lesson *lesson, const char *name, const char *command, bool optional, double axis)
{
    struct sb_report report;
    struct sb_scene scene = figures_scene(lesson, command, &report);
    struct sb_html *const html = &lesson->html;

    if (lesson->template.status)
        return;
    scene.axis = axis;
    const struct sb_figure_type *const found = sb_figure_find(name, &scene);

    if (!found) {
        lesson->template.status = optional ? SB_OK : sb_error_broken(lesson->template.error, name);
        return;
    }
    html->side = FIGURES_SIDE;
    fputs("<div data-scheme=\"", html->stream);
    sb_markup_text(html->stream, report.name);
    fprintf(html->stream, "\" data-n=\"%zu\">\n", report.evidence.n);
    sb_page_paragraph(&html->page, SB_INK_STRONG, report.name, "n = %zu", report.evidence.n);
    sb_html_figure(found, &scene, html);
    fputs("</div>\n", html->stream);
}

/* Draws each figure of each result; `n` is " -n 4", or "" if the commands say it. */
static void figures_all(struct sb_lesson *lesson, const char *block, const char *n)
{
    FILE *const stream = lesson->html.stream;
    const char *const show = figures_field(block, NULL, "show");
    char command[SB_LESSON_COMMAND_ROOM], name[SB_TEMPLATE_NUMBER_ROOM];
    bool matrix = false;

    fputs("<div class=\"figures\">\n", stream);
    for (const char *kind = show; *kind; kind += strspn(kind, " ")) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(kind, " "), kind);
        kind += strcspn(kind, " ");
        matrix = matrix || strcmp(name, "matrix") == 0;
        const double axis = figures_axis(lesson, block, name, n);

        for (const char *of = figures_field(block, NULL, "of"); of; of = figures_field(block, of, "of")) {
            snprintf(command, sizeof command, "%s%s", of, n);
            figures_draw(lesson, name, command, *n, axis);
        }
    }
    fputs("</div>\n", stream);
    if (!matrix)
        return;
    fprintf(stream, "<p class=\"steps\">%s", sb_template_part("course", "colours"));
    sb_figure_matrix_key(stream);
    fputs("</p>\n", stream);
}

static void figures_block(struct sb_lesson *lesson, const char *block)
{
    FILE *const stream = lesson->html.stream;
    const char *const cards = figures_field(block, NULL, "cards");
    char words[SB_TEMPLATE_NUMBER_ROOM], *end;

    if (!cards) {
        figures_all(lesson, block, "");
        return;
    }
    const unsigned long least = strtoul(cards, &end, 10), most = strtoul(end, &end, 10), shown = strtoul(end, NULL, 10);

    fputs("<div class=\"slide\">\n", stream);
    for (unsigned long n = least; n <= most && lesson->template.status == SB_OK; n++) {
        sb_template_name(&lesson->template, "cards", json_integer((json_int_t)n));
        char *const title = sb_template_fill(&lesson->template, sb_template_part("course", "cards"));

        fprintf(stream, "<details data-n=\"%lu\"%s><summary>%s</summary>\n", n, n == shown ? " open=\"open\"" : "",
                title ? title : "");
        free(title);
        snprintf(words, sizeof words, " -n %lu", n);
        figures_all(lesson, block, words);
        fputs("</details>\n", stream);
    }
    fputs("</div>\n", stream);
}

void sb_lesson_block(struct sb_template *template, const char *name, char *block)
{
    struct sb_lesson *const lesson = (struct sb_lesson *)template;

    for (char *end = block; (end = strchr(end, '\n'));)
        *end++ = '\0';
    if (strcmp(name, "command") == 0)
        sb_html_command(block, lesson->html.stream);
    else
        figures_block(lesson, block);
}
