/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A curve through the results of a lesson: a share from 0 to 1 over a number, on a linear or logarithmic
 * axis. */
#include "lesson/lesson.h"

#include "report/page.h"
#include "study/figure/figure.h"

#include <math.h>

enum {
    CHART_LEFT = 48,
    CHART_WIDTH = 284, /* width of the plot; the figure fits a phone of 390 pixels */
    CHART_RIGHT = 24,
    CHART_TOP = 30, /* space for the title of the upward axis */
    CHART_HEIGHT = 190,
    CHART_BOTTOM = 44, /* space for numbers and the title of the axis to the right */
    CHART_PARTS = 4,   /* parts of the upward axis */
    CHART_TICKS = 12,  /* the most points for which each has its number on a linear axis */
};

static double chart_scale(const struct sb_lesson_curve *curve, double x)
{
    return curve->log_x ? log10(x) : x;
}

static double chart_x(const struct sb_lesson_curve *curve, double x)
{
    const double first = chart_scale(curve, curve->point[0].x);
    const double last = chart_scale(curve, curve->point[curve->count - 1].x);

    return CHART_LEFT + CHART_WIDTH * (chart_scale(curve, x) - first) / (last - first);
}

static double chart_y(double y)
{
    return CHART_TOP + CHART_HEIGHT * (1 - y);
}

static struct sb_number chart_number(const struct sb_lesson_curve *curve, double y, int decimals)
{
    return curve->percent ? sb_number_percent(y, decimals > 0 ? decimals - 1 : 0)
                          : sb_number_fixed(y, decimals);
}

static void chart_tick(const struct sb_lesson_curve *curve, double x, struct sb_svg *svg)
{
    const double at = chart_x(curve, x), bottom = chart_y(0);

    sb_svg_line(svg, "grid", at, CHART_TOP, at, bottom);
    sb_svg_text(svg, "middle", at, bottom + 18, "%s", sb_number_grouped((uint64_t)llround(x)).text);
}

/* Draws the axes with their titles, and the line at the share that matters. */
static void chart_frame(const struct sb_lesson_curve *curve, struct sb_svg *svg)
{
    const double right = CHART_LEFT + CHART_WIDTH;

    for (int part = 0; part <= CHART_PARTS; part++) {
        const double y = (double)part / CHART_PARTS;

        sb_svg_line(svg, "grid", CHART_LEFT, chart_y(y), right, chart_y(y));
        sb_svg_text(svg, "end", CHART_LEFT - 6, chart_y(y) + 4, "%s",
                    chart_number(curve, y, curve->percent ? 0 : 2).text);
    }
    if (curve->log_x)
        for (double x = pow(10, ceil(log10(curve->point[0].x))); x <= curve->point[curve->count - 1].x;
             x *= 10)
            chart_tick(curve, x, svg);
    else
        for (size_t i = 0; i < curve->count; i += curve->count / CHART_TICKS + 1)
            chart_tick(curve, curve->point[i].x, svg);
    sb_svg_rect(svg, "frame", CHART_LEFT, CHART_TOP, CHART_WIDTH, CHART_HEIGHT);
    sb_svg_end(svg, "rect");
    sb_svg_line(svg, "mark", CHART_LEFT, chart_y(curve->mark), right, chart_y(curve->mark));
    sb_svg_text(svg, "start faint", 0, 14, "%s", curve->y_title);
    sb_svg_text(svg, "middle faint", CHART_LEFT + CHART_WIDTH / 2.0, chart_y(0) + 36, "%s", curve->x_title);
}

static void chart_draw(const struct sb_lesson_curve *curve, struct sb_svg *svg)
{
    FILE *const stream = svg->stream;

    chart_frame(curve, svg);
    fputs("<polyline class=\"trace\" points=\"", stream);
    for (size_t i = 0; i < curve->count; i++)
        sb_print(stream, "%s%.2f,%.2f", i ? " " : "", chart_x(curve, curve->point[i].x),
                 chart_y(curve->point[i].y));
    fprintf(stream, "\"/>\n<g class=\"cells\" data-columns=\"1\">\n");
    for (size_t i = 0; i < curve->count; i++)
        sb_print(
            stream,
            "<circle class=\"dot\" cx=\"%.2f\" cy=\"%.2f\" r=\"5\"><title>%s %s: %s %s</title></circle>\n",
            chart_x(curve, curve->point[i].x), chart_y(curve->point[i].y),
            sb_number_grouped((uint64_t)llround(curve->point[i].x)).text, curve->x_title, curve->y_title,
            chart_number(curve, curve->point[i].y, 3).text);
    fputs("</g>\n", stream);
}

static void chart_data(const struct sb_lesson_curve *curve, struct sb_html *html)
{
    sb_figure_data_open("chart", html);
    fprintf(html->stream, "<th scope=\"col\">%s</th><th scope=\"col\">%s</th></tr></thead>\n<tbody>\n",
            curve->x_title, curve->y_title);
    for (size_t i = 0; i < curve->count; i++)
        fprintf(html->stream, "<tr><th scope=\"row\">%s</th><td>%s</td></tr>\n",
                sb_number_grouped((uint64_t)llround(curve->point[i].x)).text,
                chart_number(curve, curve->point[i].y, 3).text);
    sb_figure_data_close(html);
}

void sb_lesson_curve(struct sb_lesson *lesson, const struct sb_lesson_curve *curve)
{
    struct sb_html *const html = &lesson->html;
    FILE *const stream = html->stream;

    if (lesson->status || curve->count < 2)
        return;
    const unsigned id = ++html->svg.id;
    const int width = CHART_LEFT + CHART_WIDTH + CHART_RIGHT,
              height = CHART_TOP + CHART_HEIGHT + CHART_BOTTOM;

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
    fputs("</figcaption>\n<details><summary>Data of this figure</summary>\n", stream);
    chart_data(curve, html);
    fputs("</details>\n</figure>\n", stream);
}
