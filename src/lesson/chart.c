/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A curve through the results of a lesson, a share from 0 to 1 over a whole number:
 *
 *     title: ...           what the figure shows
 *     caption: ...         how to read the figure
 *     x: riffles           what the axes show
 *     y: total variation
 *     axis: log            optional: the axis of x is logarithmic
 *     share: percent       optional: shares are written as percentages
 *     mark: 0.5            the y of a line across the figure
 *     point: 1 0.999       x and y of each point, from left to right; at least two
 */
#include "lesson/lesson.h"

#include "core/text.h"
#include "report/page.h"
#include "study/figure/figure.h"

#include <math.h>
#include <string.h>

enum {
    CHART_LEFT = 48,
    CHART_WIDTH = 284, /* width of the plot; the figure fits a phone of 390 pixels */
    CHART_RIGHT = 24,
    CHART_TOP = 30, /* space for the title of the upward axis */
    CHART_HEIGHT = 190,
    CHART_BOTTOM = 44, /* space for numbers and the title of the axis to the right */
    CHART_PARTS = 4,   /* parts of the upward axis */
    CHART_TICKS = 12,  /* the most points for which each has its number on a linear axis */
    CHART_POINTS_MOST = 16,
};

struct chart_curve {
    const char *title, *caption, *x_title, *y_title;
    bool log_x, percent;
    double mark;
    size_t count;
    struct {
        double x, y;
    } point[CHART_POINTS_MOST]; /* [count] */
};

static double chart_scale(const struct chart_curve *curve, double x)
{
    return curve->log_x ? log10(x) : x;
}

static double chart_x(const struct chart_curve *curve, double x)
{
    const double first = chart_scale(curve, curve->point[0].x);
    const double last = chart_scale(curve, curve->point[curve->count - 1].x);

    return CHART_LEFT + CHART_WIDTH * (chart_scale(curve, x) - first) / (last - first);
}

static double chart_y(double y)
{
    return CHART_TOP + CHART_HEIGHT * (1 - y);
}

static struct sb_number chart_number(const struct chart_curve *curve, double y, int decimals)
{
    return curve->percent ? sb_number_percent(y, decimals > 0 ? decimals - 1 : 0) : sb_number_fixed(y, decimals);
}

static void chart_tick(const struct chart_curve *curve, double x, struct sb_svg *svg)
{
    const double at = chart_x(curve, x), bottom = chart_y(0);

    sb_svg_line(svg, "grid", at, CHART_TOP, at, bottom);
    sb_svg_text(svg, "middle", at, bottom + 18, "%s", sb_number_grouped((uint64_t)llround(x)).text);
}

/* Draws the axes with their titles, and the line at the share that matters. */
static void chart_frame(const struct chart_curve *curve, struct sb_svg *svg)
{
    const double right = CHART_LEFT + CHART_WIDTH;

    for (int part = 0; part <= CHART_PARTS; part++) {
        const double y = (double)part / CHART_PARTS;

        sb_svg_line(svg, "grid", CHART_LEFT, chart_y(y), right, chart_y(y));
        sb_svg_text(svg, "end", CHART_LEFT - 6, chart_y(y) + 4, "%s",
                    chart_number(curve, y, curve->percent ? 0 : 2).text);
    }
    if (curve->log_x)
        for (double x = pow(10, ceil(log10(curve->point[0].x))); x <= curve->point[curve->count - 1].x; x *= 10)
            chart_tick(curve, x, svg);
    else
        for (size_t i = 0; i < curve->count; i += curve->count / CHART_TICKS + 1)
            chart_tick(curve, curve->point[i].x, svg);
    sb_svg_rect(svg, "frame", CHART_LEFT, CHART_TOP, CHART_WIDTH, CHART_HEIGHT);
    sb_svg_line(svg, "mark", CHART_LEFT, chart_y(curve->mark), right, chart_y(curve->mark));
    sb_svg_text(svg, "start faint", 0, 14, "%s", curve->y_title);
    sb_svg_text(svg, "middle faint", CHART_LEFT + CHART_WIDTH / 2.0, chart_y(0) + 36, "%s", curve->x_title);
}

static void chart_draw(const struct chart_curve *curve, struct sb_svg *svg)
{
    FILE *const stream = svg->stream;

    chart_frame(curve, svg);
    fputs("<polyline class=\"trace\" points=\"", stream);
    for (size_t i = 0; i < curve->count; i++)
        sb_print(stream, "%s%.2f,%.2f", i ? " " : "", chart_x(curve, curve->point[i].x), chart_y(curve->point[i].y));
    fprintf(stream, "\"/>\n<g class=\"cells\" data-columns=\"1\">\n");
    for (size_t i = 0; i < curve->count; i++)
        sb_print(stream, "<circle class=\"dot\" cx=\"%.2f\" cy=\"%.2f\" r=\"5\"><title>%s %s: %s %s</title></circle>\n",
                 chart_x(curve, curve->point[i].x), chart_y(curve->point[i].y),
                 sb_number_grouped((uint64_t)llround(curve->point[i].x)).text, curve->x_title, curve->y_title,
                 chart_number(curve, curve->point[i].y, 3).text);
    fputs("</g>\n", stream);
}

static void chart_data(const struct chart_curve *curve, struct sb_html *html)
{
    struct sb_table table;

    sb_table_begin(&table, "lr", "%s|%s", curve->x_title, curve->y_title);
    table.class = "chart-data";
    for (size_t i = 0; i < curve->count; i++)
        sb_table_row(&table, "%s|%s", sb_number_grouped((uint64_t)llround(curve->point[i].x)).text,
                     chart_number(curve, curve->point[i].y, 3).text);
    sb_table_end(&table, &html->page);
}

static void chart_figure(struct sb_lesson *lesson, const struct chart_curve *curve)
{
    struct sb_html *const html = &lesson->html;
    FILE *const stream = html->stream;
    const unsigned id = ++html->svg.id;
    const int width = CHART_LEFT + CHART_WIDTH + CHART_RIGHT, height = CHART_TOP + CHART_HEIGHT + CHART_BOTTOM;

    fprintf(stream,
            "<figure class=\"of-chart\">\n<svg class=\"figure chart\" width=\"%d\" height=\"%d\" viewBox=\"0 "
            "0 %d "
            "%d\" role=\"group\" aria-labelledby=\"t%u\" aria-describedby=\"d%u\">\n<title id=\"t%u\">",
            width, height, width, height, id, id, id);
    sb_markup_text(stream, curve->title);
    fprintf(stream, "</title>\n<desc id=\"d%u\">", id);
    sb_markup_text(stream, curve->caption);
    fputs("</desc>\n", stream);
    chart_draw(curve, &html->svg);
    fputs("</svg>\n<figcaption>", stream);
    sb_markup_text(stream, curve->caption);
    fprintf(stream, "</figcaption>\n<details><summary>%s</summary>\n", sb_lesson_part(lesson, "data"));
    chart_data(curve, html);
    fputs("</details>\n</figure>\n", stream);
}

/* Reads the points; returns false if there are too few or too many. */
static bool chart_points(const char *block, struct chart_curve *curve)
{
    const char *point = NULL;

    while ((point = sb_lesson_field(block, point, "point"))) {
        if (curve->count == CHART_POINTS_MOST)
            return false;
        curve->point[curve->count].x = sb_decimal_read(point);
        curve->point[curve->count++].y = sb_decimal_read(point + strcspn(point, " "));
    }
    return curve->count >= 2;
}

void sb_lesson_chart(struct sb_lesson *lesson, const char *block)
{
    const char *const mark = sb_lesson_field(block, NULL, "mark");
    struct chart_curve curve = {
        .title = sb_lesson_field(block, NULL, "title"),
        .caption = sb_lesson_field(block, NULL, "caption"),
        .x_title = sb_lesson_field(block, NULL, "x"),
        .y_title = sb_lesson_field(block, NULL, "y"),
        .log_x = sb_lesson_field(block, NULL, "axis"),
        .percent = sb_lesson_field(block, NULL, "share"),
        .mark = mark ? sb_decimal_read(mark) : 0,
    };

    if (curve.title && curve.caption && curve.x_title && curve.y_title && chart_points(block, &curve))
        chart_figure(lesson, &curve);
    else
        sb_lesson_fault(lesson, block);
}
