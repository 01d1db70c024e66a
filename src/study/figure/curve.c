/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The evidence of the gate as a function of the number of permutations, on logarithmic axes. The upper plot shows the
 * evidence against a fair shuffle (the e-process) and the line 1/alpha. The probability that a fair shuffle ever
 * reaches this line is at most alpha. The lower plot shows the bounds on total variation, and the line that the upper
 * bound must reach for a pass. */
#include "study/figure/figure.h"
#include "study/gate/gate_page.h"

enum {
    CURVE_LEFT = 52,
    CURVE_WIDTH = 278, /* width of the plots */
    CURVE_HEIGHT = 130,
    CURVE_HEAD = 46,  /* space above the first plot */
    CURVE_GAP = 82,   /* space between the two plots */
    CURVE_RIGHT = 24, /* half of "10,000" */
    CURVE_BOTTOM = 40,
    CURVE_SINGLE = 12, /* width of the line that stands for a single look */
    CURVE_DIGITS = 9,  /* significant digits in the table */
};

/* A plot, which turns decimal logarithms into coordinates. */
struct curve_plot {
    double top;         /* y coordinate of the top of the plot */
    double first, last; /* range of log10 of the number of permutations */
    double low, high;   /* range of log10 of the plotted values */
};

static bool curve_has(const struct sb_scene *scene)
{
    return scene->gate && scene->gate->points_count > 0;
}

/* Whether there is a bound to reach. */
static bool curve_bounds(const struct sb_gate *gate)
{
    return !isnan(gate->terms.exclude);
}

static void curve_measure(const struct sb_scene *scene, double *width, double *height)
{
    *width = CURVE_LEFT + CURVE_WIDTH + CURVE_RIGHT;
    *height = CURVE_HEAD + CURVE_HEIGHT + CURVE_BOTTOM;
    if (curve_bounds(scene->gate))
        *height += CURVE_GAP + CURVE_HEIGHT;
}

static double curve_x(const struct curve_plot *plot, double log10_total)
{
    return CURVE_LEFT + CURVE_WIDTH * (log10_total - plot->first) / (plot->last - plot->first);
}

static double curve_y(const struct curve_plot *plot, double log10_value)
{
    const double part = (log10_value - plot->low) / (plot->high - plot->low);

    return plot->top + CURVE_HEIGHT * (1 - fmin(fmax(part, 0), 1));
}

/* Returns the decimal logarithm of a value at one point. `which` is 0 for the evidence, 1 for the lower bound
 * and 2 for the upper bound. */
static double curve_value(const struct sb_gate_point *point, int which)
{
    if (which == 0)
        return point->ln_e / log(10);
    return log10(fmax(which == 1 ? point->tv_low : point->tv_high, 1e-300));
}

static void curve_path(const struct sb_gate *gate, const struct curve_plot *plot, int which, const char *class,
                       struct sb_svg *svg)
{
    const double half = gate->points_count > 1 ? 0 : CURVE_SINGLE / 2.0;

    fprintf(svg->stream, "<polyline class=\"%s\" points=\"", class);
    for (size_t i = 0; i < gate->points_count; i++) {
        const double x = curve_x(plot, log10((double)gate->point[i].total));
        const double y = curve_y(plot, curve_value(&gate->point[i], which));

        sb_print(svg->stream, "%s%.4g,%.4g", i ? " " : "", x - half, y);
        if (half > 0)
            sb_print(svg->stream, " %.4g,%.4g", x + half, y);
    }
    fputs("\"/>\n", svg->stream);
}

static void curve_frame(const struct curve_plot *plot, struct sb_svg *svg)
{
    const double bottom = plot->top + CURVE_HEIGHT;
    const int step = (int)ceil((plot->high - plot->low) / 6), across = (int)ceil((plot->last - plot->first) / 6);

    for (int k = (int)ceil(plot->low); k <= plot->high; k += step > 0 ? step : 1) {
        sb_svg_line(svg, "grid", CURVE_LEFT, curve_y(plot, k), CURVE_LEFT + CURVE_WIDTH, curve_y(plot, k));
        sb_svg_text(svg, "end", CURVE_LEFT - 6, curve_y(plot, k) + 4, "%s", sb_number_power(k).text);
    }
    for (int k = (int)ceil(plot->first); k <= plot->last; k += across > 0 ? across : 1) {
        sb_svg_line(svg, "grid", curve_x(plot, k), plot->top, curve_x(plot, k), bottom);
        sb_svg_text(svg, "middle", curve_x(plot, k), bottom + 16, "%s", sb_number_power(k).text);
    }
    sb_svg_rect(svg, "frame", CURVE_LEFT, plot->top, CURVE_WIDTH, CURVE_HEIGHT);
    sb_svg_text(svg, "middle faint", CURVE_LEFT + CURVE_WIDTH / 2.0, bottom + 34, "permutations, logarithmic");
}

static void curve_mark(const struct curve_plot *plot, double log10_value, const char *what, struct sb_svg *svg)
{
    const double y = curve_y(plot, log10_value);

    sb_svg_line(svg, "mark", CURVE_LEFT, y, CURVE_LEFT + CURVE_WIDTH, y);
    sb_svg_text(svg, "start", CURVE_LEFT + 6, y < plot->top + 20 ? y + 14 : y - 5, "%s", what);
}

static void curve_end(const struct sb_gate *gate, const struct curve_plot *plot, double log10_value, const char *what,
                      struct sb_svg *svg)
{
    const double x = curve_x(plot, log10((double)gate->point[gate->points_count - 1].total));
    const double y = curve_y(plot, log10_value);

    sb_svg_circle(svg, "observed", x, y, 4);
    sb_svg_text(svg, "end head", x - 10, y < plot->top + 12 ? y + 13 : y + 4, "%s", what);
}

static void curve_evidence(const struct sb_gate *gate, struct curve_plot *plot, struct sb_svg *svg)
{
    const double wall = -log10(gate->terms.alpha);
    char what[64];

    plot->top = CURVE_HEAD;
    plot->low = -2;
    plot->high = wall * 1.15;
    for (size_t i = 0; i < gate->points_count; i++) {
        const double value = curve_value(&gate->point[i], 0);

        plot->low = fmin(plot->low, fmax(value, -20));
        if (isfinite(value))
            plot->high = fmax(plot->high, fmin(value, 3 * wall));
    }
    sb_svg_text(svg, "start head", 0, plot->top - 26, "Evidence against a fair shuffle, E");
    sb_svg_text(svg, "start faint", 0, plot->top - 10, "FAIL from the line on");
    curve_frame(plot, svg);
    snprintf(what, sizeof what, "1/alpha = %.40s", sb_number_exp(-log(gate->terms.alpha)).text);
    curve_mark(plot, wall, what, svg);
    curve_path(gate, plot, 0, "trace", svg);
    if (gate->verdict == SB_VERDICT_FAIL)
        curve_end(gate, plot, curve_value(&gate->point[gate->points_count - 1], 0), "FAIL", svg);
}

static void curve_variation(const struct sb_gate *gate, struct curve_plot *plot, struct sb_svg *svg)
{
    char what[64];

    plot->top = CURVE_HEAD + CURVE_HEIGHT + CURVE_GAP;
    plot->high = 0;
    plot->low = log10(gate->terms.exclude) - 0.5;
    for (size_t i = 0; i < gate->points_count; i++)
        if (gate->point[i].tv_high > 0)
            plot->low = fmin(plot->low, fmax(log10(gate->point[i].tv_high) - 0.3, -6));
    const double seen = gate->verdict == SB_VERDICT_FAIL && gate->telling ? gate->telling->tv_seen : 0;

    if (seen > 0)
        plot->low = fmin(plot->low, log10(seen) - 0.3);
    sb_svg_text(svg, "start head", 0, plot->top - 12, "Total variation from fair, %s",
                gate->tv_low > 0 ? "at most and at least" : "at most");
    curve_frame(plot, svg);
    snprintf(what, sizeof what, "asked for: below %.30s", sb_number_given(gate->terms.exclude).text);
    curve_mark(plot, log10(gate->terms.exclude), what, svg);
    curve_path(gate, plot, 2, "trace", svg);
    if (gate->tv_low > 0)
        curve_path(gate, plot, 1, "trace low", svg);
    if (seen > 0) {
        snprintf(what, sizeof what, "observed: %.40s", sb_number_short(seen, 2).text);
        curve_end(gate, plot, log10(seen), what, svg);
    }
}

static void curve_draw(const struct sb_scene *scene, struct sb_svg *svg)
{
    const struct sb_gate *const gate = scene->gate;
    struct curve_plot plot = {
        .first = log10((double)gate->point[0].total),
        .last = log10((double)gate->point[gate->points_count - 1].total),
    };

    if (plot.last - plot.first < 0.1) {
        plot.first -= 0.5;
        plot.last += 0.5;
    }
    curve_evidence(scene->gate, &plot, svg);
    if (curve_bounds(gate))
        curve_variation(scene->gate, &plot, svg);
}

static void curve_describe(const struct sb_scene *scene, struct sb_sentence *s)
{
    const struct sb_gate *const gate = scene->gate;

    sb_sentence_add(s,
                    "%s over the number of permutations, %s in the end, on logarithmic axes. The evidence E "
                    "ends at %s; a fair shuffle's ever reaches %s with probability %s at most. ",
                    curve_bounds(gate) ? "Two curves" : "A curve", sb_number_grouped(gate->total).text,
                    sb_number_exp(gate->ln_e).text, sb_number_goal(gate->terms.alpha).text,
                    sb_number_general_up(gate->terms.alpha, 3).text);
    if (curve_bounds(gate))
        sb_sentence_add(s, "Total variation is %s in the end; a pass asks for less than %s.",
                        sb_gate_bounds(gate, gate->tv_low, gate->tv_high).text,
                        sb_number_given(gate->terms.exclude).text);
}

static void curve_data(const struct sb_scene *scene, struct sb_html *html)
{
    const struct sb_gate *const gate = scene->gate;
    struct sb_table table;

    sb_table_begin(&table, "rrrr", "permutations|ln E|TV at least|TV at most");
    table.class = "curve-data";
    for (size_t i = 0; i < gate->points_count; i++) {
        const struct sb_gate_point *const point = &gate->point[i];

        sb_table_row(&table, "%s|%s|%s|%s", sb_number_grouped(point->total).text,
                     point->ln_e == INFINITY ? "infinite" : sb_number_short(point->ln_e, CURVE_DIGITS).text,
                     sb_number_short(point->tv_low, CURVE_DIGITS).text,
                     sb_number_short(point->tv_high, CURVE_DIGITS).text);
    }
    sb_table_end(&table, &html->page);
}

const struct sb_figure_type sb_figure_curve = {
    .name = "curve",
    .of = SB_FIGURE_OF_GATES,
    .has = curve_has,
    .measure = curve_measure,
    .draw = curve_draw,
    .title = "the gate's evidence and bounds over the number of permutations",
    .describe = curve_describe,
    .data = curve_data,
};
