/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Permutations as bars around the fair share, on a linear scale of ratios to the fair share. A bar to the right means
 * too frequent, and a bar to the left too rare. A whisker is the sample's confidence interval. A bar is coloured if
 * the interval excludes the fair share, or if the exact probability differs from the fair share. */
#include "core/text.h"
#include "study/figure/figure.h"

static void bars_counts(const struct sb_evidence *evidence, struct sb_html *html)
{
    struct sb_table table;

    sb_table_begin(&table, "lr", "permutation|count");
    table.class = "bars-data";
    for (size_t rank = 0; rank < evidence->cells; rank++) {
        sb_table_add(&table, SB_INK_PLAIN, "%s", sb_exact_notation(evidence, rank).text);
        sb_table_row(&table, "%s", sb_number_grouped(sb_numbers_u64(&evidence->counts, rank)).text);
    }
    sb_table_end(&table, &html->page);
}

static void figure_bars_data(const struct sb_scene *scene, struct sb_html *html)
{
    if (scene->gate)
        bars_counts(&scene->pair.sampled->evidence, html);
    else
        sb_document_permutations(&scene->pair, &html->page);
}

enum {
    BARS_ROW = 20,
    BARS_PLOT = 230,
    BARS_ROW_BRIEF = 16,
    BARS_PLOT_BRIEF = 80,
    BARS_RATIO = 66, /* width of the ratios to the right of the bars */
    BARS_RATIO_BRIEF = 48,
    BARS_AXIS = 44,   /* height of the axis below the bars, and of its title */
    BARS_HEAD = 20,   /* height of the titles of the columns */
    BARS_WIDTH = 356, /* the figure is not wider than a phone, as long as the plot has its least width */
    BARS_PLOT_LEAST = 110,
    BARS_HATCH = 7, /* distance of the lines across a bar that is not certain by itself */
    BARS_AXIS_BRIEF = 6,
    /* the most bars in a figure that stands beside others; if there are more rows, half of the bars show the
     * first rows and half the last rows */
    BARS_FEW = 12,
    BARS_LETTER = 9, /* the most width of a letter of the notations on the left */
};

/* The bars of a scene, and their layout. */
struct bars {
    const struct sb_scene *scene;
    struct sb_pair pair;
    const struct sb_report *best;
    size_t count;           /* number of bars; 0: there is nothing to draw */
    double left, plot, row; /* the left end and the width of the plot, and the height of a row */
    double right;           /* the right end of the figure */
    double top;             /* y coordinate of the first row */
    double low, high;       /* the ratios at the two ends of the axis */
};

static size_t bars_count(const struct sb_scene *scene, const struct sb_report *best)
{
    const struct sb_evidence *const evidence = &best->evidence;

    if (evidence->cells == 0 || (evidence->by != SB_BY_EXACT && evidence->total == 0))
        return 0;
    const size_t count = best->rows_count ? best->rows_count : evidence->cells <= SB_ROWS_ALL ? evidence->cells : 0;

    return scene->brief && count < evidence->cells && count > BARS_FEW ? BARS_FEW : count;
}

static struct sb_row bars_row(const struct bars *bars, size_t index)
{
    const struct sb_report *const report = bars->best;

    if (report->rows_count)
        return report->rows[index < bars->count / 2 ? index : report->rows_count - bars->count + index];
    return sb_report_row(report, index);
}

static void bars_interval(const struct bars *bars, size_t rank, double *low, double *high)
{
    const struct sb_report *const sampled = bars->pair.sampled;
    const struct sb_row row = sampled ? sb_report_row(sampled, rank) : (struct sb_row) { .low = NAN, .high = NAN };

    *low = row.low * (double)bars->best->evidence.cells;
    *high = row.high * (double)bars->best->evidence.cells;
}

static double bars_left(const struct bars *bars)
{
    size_t longest = 3;

    for (size_t i = 0; i < bars->count; i++) {
        const size_t length = sb_utf8_width(sb_exact_notation(&bars->best->evidence, bars_row(bars, i).rank).text);

        longest = length > longest ? length : longest;
    }
    return (double)(longest * BARS_LETTER + BARS_LETTER);
}

/* Returns the deviation at the end of the axis. */
static double bars_axis_end(const struct bars *bars)
{
    double largest = 0, low, high;

    for (size_t i = 0; i < bars->count; i++) {
        const struct sb_row row = bars_row(bars, i);

        bars_interval(bars, row.rank, &low, &high);
        largest = fmax(largest, fabs(row.ratio - 1));
        /* limits the effect of wide intervals on the scale; without this limit, the bars could become too short */
        if (isfinite(low))
            largest = fmax(largest, fmin(fmax(fabs(low - 1), fabs(high - 1)), 4 * largest + 0.1));
    }
    return sb_bar_scale(largest);
}

static struct bars bars_of(const struct sb_scene *scene)
{
    struct bars bars = { .scene = scene, .pair = sb_pair_counted(&scene->pair) };
    const bool brief = scene->brief;

    bars.best = sb_pair_best(&bars.pair);
    bars.count = bars_count(scene, bars.best);
    bars.left = bars_left(&bars);
    bars.plot = brief ? BARS_PLOT_BRIEF : fmin(fmax(BARS_WIDTH - BARS_RATIO - bars.left, BARS_PLOT_LEAST), BARS_PLOT);
    bars.row = brief ? BARS_ROW_BRIEF : BARS_ROW;
    bars.right = bars.left + bars.plot + (brief ? BARS_RATIO_BRIEF : BARS_RATIO);
    bars.top = brief ? 0 : BARS_HEAD;
    const double end = brief ? 0.5 : fmax(bars_axis_end(&bars), scene->axis);

    bars.low = 1 - fmin(end, 1);
    bars.high = 1 + end;
    return bars;
}

static bool bars_has(const struct sb_scene *scene)
{
    const struct sb_pair pair = sb_pair_counted(&scene->pair);

    /* bars show deviations from a law that is uniform */
    return !(scene->gate && scene->gate->fair) && bars_count(scene, sb_pair_best(&pair)) > 0;
}

static double bars_axis_needed(const struct sb_scene *scene)
{
    return bars_of(scene).high - 1;
}

static void bars_measure(const struct sb_scene *scene, double *width, double *height)
{
    const struct bars bars = bars_of(scene);

    *width = bars.right;
    *height = bars.top + (double)bars.count * bars.row + (scene->brief ? BARS_AXIS_BRIEF : BARS_AXIS);
}

static double bars_x(const struct bars *bars, double ratio)
{
    const double part = (ratio - bars->low) / (bars->high - bars->low);

    return bars->left + bars->plot * fmin(fmax(part, 0), 1);
}

static void bars_axis(const struct bars *bars, struct sb_svg *svg)
{
    const bool deals = bars->best->evidence.deal < bars->best->evidence.n;
    const double fair = bars_x(bars, 1), end = bars->left + bars->plot;
    const double bottom = bars->top + (double)bars->count * bars->row;

    sb_svg_line(svg, "rule", bars->left, bottom, end, bottom);
    sb_svg_line(svg, "fair", fair, bars->top, fair, bottom + 4);
    if (bars->scene->brief)
        return;
    sb_figure_axis(&(struct sb_deviation_axis) { bars->left, end, fair, 1 - bars->low, bars->high - 1 }, bottom + 17,
                   svg);
    sb_svg_text(svg, "start faint", 0, 13, "%s", deals ? "deal" : "order");
    sb_svg_text(svg, "end faint", bars->right - 4, 13, "times the fair share");
}

static void bars_title(const struct bars *bars, const struct sb_row *row, const char *notation, struct sb_svg *svg)
{
    const struct sb_report *const sampled = bars->pair.sampled, *const exact = bars->pair.exact;
    double low, high;

    fputs("<title>", svg->stream);
    sb_markup_text(svg->stream, notation);
    fprintf(svg->stream, ": ratio to a fair share %s", sb_number_ratio(row->ratio).text);
    if (exact && !exact->evidence.reach && sb_exact_over(&exact->evidence, row->rank).text[0])
        fprintf(svg->stream, ", exactly %s", sb_exact_over(&exact->evidence, row->rank).text);
    if (sampled && sampled->evidence.total)
        fprintf(svg->stream, "; seen %s times of %s",
                sb_number_grouped(sb_numbers_u64(&sampled->evidence.counts, row->rank)).text,
                sb_number_grouped(sampled->evidence.total).text);
    bars_interval(bars, row->rank, &low, &high);
    if (isfinite(low))
        fprintf(svg->stream, ", interval %s",
                sb_number_range(sb_number_fixed_down(low, 4), sb_number_fixed_up(high, 4)).text);
    fputs("</title>", svg->stream);
}

static bool bars_beyond(const struct bars *bars, const struct sb_row *row)
{
    const double cells = (double)bars->best->evidence.cells;
    double low, high;

    bars_interval(bars, row->rank, &low, &high);
    if (bars->best == bars->pair.sampled && isfinite(low))
        return low > 1 || high < 1;
    return sb_share_beyond(bars->best, row->share, 1 / cells, 1, cells);
}

/* Draws a bar: grey if nothing shows that the shuffle is biased, and hatched if the shuffle is, but this deviation is
 * not certain by itself. */
static void bars_bar(const struct bars *bars, const struct sb_row *row, double top, struct sb_svg *svg)
{
    const double ratio = row->ratio, fair = bars_x(bars, 1), end = bars_x(bars, ratio), height = bars->row - 6;
    const bool beyond = bars_beyond(bars, row), observed = !beyond && sb_scene_observed(bars->scene, bars->best);
    const char *const class = !beyond && !observed ? "within" : ratio > 1 ? "o3" : "u3";

    sb_print(svg->stream, "<path class=\"%s\" d=\"M%g %gH%gv%gH%gz\"/>\n", class, fair, top + 3, end, height, fair);
    if (fabs(end - fair) < 0.5)
        sb_svg_circle(svg, "dot", fair, top + bars->row / 2, 3.5);
    if (observed) {
        fputs("<path class=\"hatch\" d=\"", svg->stream);
        sb_svg_hatch(svg, fmin(fair, end), top + 3, fabs(end - fair), height, BARS_HATCH);
        fputs("\"/>\n", svg->stream);
    }
    if (ratio > bars->high + 1e-9 || ratio < bars->low - 1e-9)
        sb_print(svg->stream, "<path class=\"%s\" d=\"M%g %gl%g %gl%g %gz\"/>\n", class, end, top + 3,
                 ratio > 1 ? 6.0 : -6.0, height / 2, ratio > 1 ? -6.0 : 6.0, height / 2);
}

static void bars_whisker(double from, double to, double y, struct sb_svg *svg)
{
    sb_svg_line(svg, "whisker", from, y, to, y);
    sb_svg_line(svg, "whisker", from, y - 4, from, y + 4);
    sb_svg_line(svg, "whisker", to, y - 4, to, y + 4);
}

/* Draws a row. A small figure, one of many side by side, has neither whiskers nor titles. */
static void bars_one(const struct bars *bars, size_t index, struct sb_svg *svg)
{
    const bool brief = bars->scene->brief;
    const struct sb_row row = bars_row(bars, index);
    const struct sb_notation notation = sb_exact_notation(&bars->best->evidence, row.rank);
    const char *const name = sb_document_deal(&notation);
    const double top = bars->top + (double)index * bars->row, middle = top + bars->row / 2;
    double low = NAN, high = NAN;

    if (!brief) {
        fputs("<g class=\"cell\">", svg->stream);
        bars_title(bars, &row, name, svg);
        sb_svg_rect(svg, "row", 0, top, bars->right, bars->row);
        bars_interval(bars, row.rank, &low, &high);
    }
    sb_svg_text(svg, "end", bars->left - BARS_LETTER, middle + 4, "%s", name);
    bars_bar(bars, &row, top, svg);
    if (isfinite(low))
        bars_whisker(bars_x(bars, low), bars_x(bars, high), middle, svg);
    sb_svg_text(svg, "end", bars->right - 4, middle + 4, "%s",
                brief ? sb_number_fixed(row.ratio, 2).text : sb_number_ratio(row.ratio).text);
    fputs(brief ? "" : "</g>\n", svg->stream);
}

static void bars_draw(const struct sb_scene *scene, struct sb_svg *svg)
{
    const struct bars bars = bars_of(scene);

    fputs(scene->brief ? "" : "<g class=\"cells\" data-columns=\"1\">\n", svg->stream);
    for (size_t i = 0; i < bars.count; i++)
        bars_one(&bars, i, svg);
    fputs(scene->brief ? "" : "</g>\n", svg->stream);
    bars_axis(&bars, svg);
}

static void bars_describe(const struct sb_scene *scene, struct sb_sentence *s)
{
    const struct sb_pair pair = sb_pair_counted(&scene->pair);
    const struct sb_report *const best = sb_pair_best(&pair);
    const struct sb_evidence *const e = &best->evidence;

    sb_sentence_fill(s, "figures", "bars",
                     json_pack("{s:b, s:b, s:b, s:b, s:b, s:s}", "some", bars_count(scene, best) < e->cells, "deals",
                               e->deal < e->n, "whiskers", pair.sampled && pair.sampled->rows_count, "sample",
                               e->by == SB_BY_SAMPLE, "observed", sb_scene_observed(scene, best), "level",
                               sb_number_level(pair.sampled ? pair.sampled->alpha : best->alpha).text));
}

const struct sb_figure_type sb_figure_bars = {
    .name = "bars",
    .of = SB_FIGURE_OF_REPORTS | SB_FIGURE_OF_GATES,
    .has = bars_has,
    .measure = bars_measure,
    .axis = bars_axis_needed,
    .draw = bars_draw,
    .title = "how often each permutation comes up, beside its fair share",
    .describe = bars_describe,
    .data = figure_bars_data,
};
