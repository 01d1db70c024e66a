/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a lesson's page: paragraphs, code, figures and tables. After a failure, these functions write
 * nothing. */
#include "lesson/lesson.h"

#include "core/core.h"
#include "core/text.h"
#include "report/markup.h"
#include "report/prose.h"
#include "study/figure/figure.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* the most rows and columns of blocks in a matrix; 52 cards are merged into 26 blocks */
enum { WRITE_SIDE = 26 };

void sb_lesson_section(struct sb_lesson *lesson, const char *title)
{
    if (lesson->status == SB_OK)
        sb_page_title(&lesson->html.page, 2, "%s", title);
}

void sb_lesson_say(struct sb_lesson *lesson, const char *format, ...)
{
    va_list arguments, again;

    if (lesson->status)
        return;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = sb_decimal_format_list(NULL, 0, format, again);
    char *const text = length < 0 ? NULL : malloc((size_t)length + 1);

    va_end(again);
    if (text) {
        sb_decimal_format_list(text, (size_t)length + 1, format, arguments);
        fputs("<p>", lesson->html.stream);
        sb_prose(text, &lesson->html.page.explained, lesson->html.stream);
        fputs("</p>\n", lesson->html.stream);
    } else {
        lesson->status = sb_error_memory(lesson->error, "a paragraph");
    }
    va_end(arguments);
    free(text);
}

void sb_lesson_code(struct sb_lesson *lesson, const char *text)
{
    FILE *const stream = lesson->html.stream;

    if (lesson->status)
        return;
    fputs("<pre><code>", stream);
    sb_markup_text(stream, text);
    fputs("</code></pre>\n", stream);
}

static void write_figure(struct sb_lesson *lesson, const struct sb_lesson_figure *figure, bool optional)
{
    const struct sb_report report = figure->gate ? sb_gate_report(figure->gate) : *figure->report;
    struct sb_scene scene = { .gate = figure->gate, .side = WRITE_SIDE, .common = true };
    struct sb_html *const html = &lesson->html;

    if (report.evidence.by == SB_BY_SAMPLE)
        scene.pair.sampled = &report;
    else
        scene.pair.exact = &report;
    const struct sb_figure_type *const found = sb_figure_find(figure->name, &scene);

    if (!found) {
        lesson->status = optional ? SB_OK : sb_error_broken(lesson->error, figure->name);
        return;
    }
    html->side = WRITE_SIDE;
    fputs("<div data-scheme=\"", html->stream);
    sb_markup_text(html->stream, report.name);
    fprintf(html->stream, "\" data-n=\"%zu\">\n", report.evidence.n);
    sb_page_paragraph(&html->page, SB_INK_STRONG, report.name, "n = %zu", report.evidence.n);
    sb_html_figure(found, &scene, html);
    fputs("</div>\n", html->stream);
}

/* Writes figures side by side, and the legend of the matrices, if there is one. Figures that are `optional`
 * are left out if they have nothing to draw. */
static void write_figures(struct sb_lesson *lesson, const struct sb_lesson_figure figures[], size_t count,
                          bool optional)
{
    bool matrix = false;

    fputs("<div class=\"figures\">\n", lesson->html.stream);
    for (size_t i = 0; i < count && lesson->status == SB_OK; i++) {
        write_figure(lesson, &figures[i], optional);
        matrix = matrix || strcmp(figures[i].name, "matrix") == 0;
    }
    fputs("</div>\n", lesson->html.stream);
    if (!matrix)
        return;
    fputs("<p class=\"steps\">The colours mean the same in every matrix of this course:",
          lesson->html.stream);
    sb_figure_matrix_key(lesson->html.stream);
    fputs("</p>\n", lesson->html.stream);
}

void sb_lesson_figures(struct sb_lesson *lesson, const struct sb_lesson_figure figures[], size_t count)
{
    if (lesson->status == SB_OK)
        write_figures(lesson, figures, count, false);
}

/* Writes the figures of one n. */
static void write_slide(struct sb_lesson *lesson, const struct sb_lesson_slide *slide, size_t n)
{
    struct sb_lesson_figure figures[SB_LESSON_SCHEMES_MOST * SB_LESSON_KINDS_MOST];
    const struct sb_report *law[SB_LESSON_SCHEMES_MOST];
    size_t count = 0;

    for (size_t s = 0; s < SB_LESSON_SCHEMES_MOST && slide->scheme[s]; s++) {
        law[s] = slide->seeds ? sb_lesson_seeds(lesson, slide->scheme[s], n, slide->seeds)
                              : sb_lesson_law(lesson, slide->scheme[s], n);
        if (!law[s])
            return;
    }
    for (size_t k = 0; k < SB_LESSON_KINDS_MOST && slide->figure[k]; k++)
        for (size_t s = 0; s < SB_LESSON_SCHEMES_MOST && slide->scheme[s]; s++)
            figures[count++] = (struct sb_lesson_figure) { .name = slide->figure[k], .report = law[s] };
    write_figures(lesson, figures, count, true);
}

void sb_lesson_slide(struct sb_lesson *lesson, const struct sb_lesson_slide *slide)
{
    FILE *const stream = lesson->html.stream;

    if (lesson->status)
        return;
    fputs("<div class=\"slide\">\n", stream);
    for (size_t n = slide->least; n <= slide->most && lesson->status == SB_OK; n++) {
        fprintf(stream, "<details data-n=\"%zu\"%s><summary>%zu cards</summary>\n", n,
                n == slide->shown ? " open=\"open\"" : "", n);
        write_slide(lesson, slide, n);
        fputs("</details>\n", stream);
    }
    fputs("</div>\n", stream);
}

void sb_lesson_table_open(const char *columns, const char *const titles[], struct sb_table *table)
{
    sb_table_open(columns, table);
    for (size_t i = 0; columns[i]; i++)
        sb_table_add(table, SB_INK_STRONG, "%s", titles[i]);
}

void sb_lesson_table(struct sb_lesson *lesson, struct sb_table *table)
{
    if (lesson->status == SB_OK)
        sb_table_print(table, &lesson->html.page);
    sb_table_close(table);
}
