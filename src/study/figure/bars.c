/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Permutations as bars around the fair share, on a linear scale of ratios to the fair share. A bar to the right means
 * too frequent, and a bar to the left too rare. A whisker is the sample's confidence interval. A bar is coloured if
 * the interval excludes the fair share, or if the exact probability differs from the fair share. */
#include "core/text.h"
#include "study/figure/figure.h"

#include <math.h>

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
    /* width of the number at an end of the axis plus half the width of the word in the middle */
    BARS_NUMBER = 60,
};

static struct sb_pair bars_pair(const struct sb_scene *scene)
{
    return sb_pair_counted(&scene->pair);
}

static size_t bars_count(const struct sb_scene *scene)
{
    const struct sb_pair pair = bars_pair(scene);
    const struct sb_report *const best = sb_pair_best(&pair);
    const struct sb_evidence *const evidence = &best->evidence;

    if (evidence->cells == 0 || (evidence->by != SB_BY_EXACT && evidence->total == 0))
        return 0;
    const size_t count = best->rows_count ? best->rows_count : evidence->cells <= SB_ROWS_ALL ? evidence->cells : 0;

    return scene->brief && count < evidence->cells && count > BARS_FEW ? BARS_FEW : count;
}

static bool bars_has(const struct sb_scene *scene)
{
    return bars_count(scene) > 0;
}

static struct sb_row bars_row(const struct sb_scene *scene, const struct sb_report *report, size_t index)
{
    const struct sb_evidence *const evidence = &report->evidence;
    const size_t count = bars_count(scene);

    if (report->rows_count)
        return report->rows[index < count / 2 ? index : report->rows_count - count + index];
    const double share = sb_evidence_share(evidence, index);

    return (struct sb_row) { index, share, share * (double)evidence->cells, NAN, NAN };
}

static double bars_label(const struct sb_scene *scene)
{
    const struct sb_pair pair = bars_pair(scene);
    const struct sb_report *const best = sb_pair_best(&pair);
    size_t longest = 3;

    for (size_t i = 0; i < bars_count(scene); i++) {
        const size_t length = sb_utf8_width(sb_exact_notation(&best->evidence, bars_row(scene, best, i).rank).text);

        longest = length > longest ? length : longest;
    }
    return (double)(longest * BARS_LETTER + BARS_LETTER);
}

static double bars_plot(const struct sb_scene *scene)
{
    if (scene->brief)
        return BARS_PLOT_BRIEF;
    return fmin(fmax(BARS_WIDTH - BARS_RATIO - bars_label(scene), BARS_PLOT_LEAST), BARS_PLOT);
}

static void bars_measure(const struct sb_scene *scene, double *width, double *height)
{
    const size_t row = scene->brief ? BARS_ROW_BRIEF : BARS_ROW;

    *width = bars_label(scene) + bars_plot(scene) + (scene->brief ? BARS_RATIO_BRIEF : BARS_RATIO);
    *height = (double)(bars_count(scene) * row + (scene->brief ? BARS_AXIS_BRIEF : BARS_HEAD + BARS_AXIS));
}

/* The scale that gives the x coordinate of a ratio. */
struct bars_scale {
    double left, plot, row; /* the left end and the width of the plot, and the height of a row */
    double right;           /* the right end of the plot */
    double top;             /* y coordinate of the first row */
    double low, high;       /* the ratios at the two ends of the axis */
};

static double bars_x(const struct bars_scale *scale, double ratio)
{
    const double part = (ratio - scale->low) / (scale->high - scale->low);

    return scale->left + scale->plot * fmin(fmax(part, 0), 1);
}

static void bars_interval(const struct sb_pair *pair, size_t rank, double *low, double *high)
{
    const struct sb_row *const row = pair->sampled ? sb_report_row(pair->sampled, rank) : NULL;
    const double cells = pair->sampled ? (double)pair->sampled->evidence.cells : 0;

    *low = row ? row->low * cells : NAN;
    *high = row ? row->high * cells : NAN;
}

static struct bars_scale bars_fit(const struct sb_scene *scene, const struct sb_pair *pair)
{
    const double left = bars_label(scene);
    double largest = 0, low, high;

    if (scene->brief)
        return (struct bars_scale) {
            .left = left,
            .plot = BARS_PLOT_BRIEF,
            .row = BARS_ROW_BRIEF,
            .right = left + BARS_PLOT_BRIEF + BARS_RATIO_BRIEF,
            .low = 0.5,
            .high = 1.5,
        };
    for (size_t i = 0; i < bars_count(scene); i++) {
        const struct sb_row row = bars_row(scene, sb_pair_best(pair), i);

        bars_interval(pair, row.rank, &low, &high);
        largest = fmax(largest, fabs(row.ratio - 1));
        /* limits the effect of wide intervals on the scale; without this limit, the bars could become too short */
        if (isfinite(low))
            largest = fmax(largest, fmin(fmax(fabs(low - 1), fabs(high - 1)), 4 * largest + 0.1));
    }
    const double scale = sb_bar_scale(largest);

    return (struct bars_scale) {
        .left = left,
        .plot = bars_plot(scene),
        .row = BARS_ROW,
        .right = left + bars_plot(scene) + BARS_RATIO,
        .top = BARS_HEAD,
        .low = 1 - fmin(scale, 1),
        .high = 1 + scale,
    };
}

static void bars_axis(const struct sb_scene *scene, const struct bars_scale *scale, double bottom, struct sb_svg *svg)
{
    const struct sb_pair pair = bars_pair(scene);
    const bool deals = sb_pair_best(&pair)->evidence.deal < sb_pair_best(&pair)->evidence.n;
    const double fair = bars_x(scale, 1);

    sb_svg_line(svg, "rule", scale->left, bottom, scale->left + scale->plot, bottom);
    sb_svg_line(svg, "fair", fair, scale->top, fair, bottom + 4);
    if (scene->brief)
        return;
    if (fair - scale->left > BARS_NUMBER)
        sb_svg_text(svg, "start faint", scale->left, bottom + 17, "\u2212%.6g%%", 100 * (1 - scale->low));
    sb_svg_text(svg, "middle", fair, bottom + 17, "fair");
    if (scale->high < 10)
        sb_svg_text(svg, "end faint", scale->left + scale->plot, bottom + 17, "+%.6g%%", 100 * (scale->high - 1));
    else
        sb_svg_text(svg, "end faint", scale->left + scale->plot, bottom + 17, "+%s%%",
                    sb_number_grouped((uint64_t)fmin(100 * (scale->high - 1) + 0.5, 9e18)).text);
    sb_svg_text(svg, "middle faint", scale->left + scale->plot / 2, bottom + 35, "deviation from the fair share");
    sb_svg_text(svg, "start faint", 0, 13, "%s", deals ? "deal" : "order");
    sb_svg_text(svg, "end faint", scale->right - 4, 13, "times the fair share");
}

static void bars_title(const struct sb_pair *pair, const struct sb_row *row, const char *notation, struct sb_svg *svg)
{
    const struct sb_report *const sampled = pair->sampled;
    const struct sb_fraction fraction = pair->exact && !pair->exact->evidence.reach
                                            ? sb_exact_over(&pair->exact->evidence, row->rank)
                                            : (struct sb_fraction) { "" };

    fputs("<title>", svg->stream);
    sb_markup_text(svg->stream, notation);
    fprintf(svg->stream, ": ratio to a fair share %s", sb_number_ratio(row->ratio).text);
    if (fraction.text[0])
        fprintf(svg->stream, ", exactly %s", fraction.text);
    if (sampled && sampled->evidence.total) {
        double low, high;

        bars_interval(pair, row->rank, &low, &high);
        fprintf(svg->stream, "; seen %s times of %s",
                sb_number_grouped(sb_numbers_u64(&sampled->evidence.counts, row->rank)).text,
                sb_number_grouped(sampled->evidence.total).text);
        if (isfinite(low))
            fprintf(svg->stream, ", interval %s",
                    sb_number_range(sb_number_fixed_down(low, 4), sb_number_fixed_up(high, 4)).text);
    }
    fputs("</title>", svg->stream);
}

static bool bars_beyond(const struct sb_pair *pair, const struct sb_row *row)
{
    const struct sb_report *const best = sb_pair_best(pair);
    double low, high;

    bars_interval(pair, row->rank, &low, &high);
    if (pair->sampled && best == pair->sampled && isfinite(low))
        return low > 1 || high < 1;
    return sb_share_beyond(best, row->share, 1 / (double)best->evidence.cells, 1, (double)best->evidence.cells);
}

/* How certain a deviation is. */
enum bars_state {
    BARS_WITHIN,   /* nothing shows that the shuffle is biased */
    BARS_OBSERVED, /* the shuffle is biased, but this deviation is not certain by itself */
    BARS_BEYOND,   /* this deviation is certain by itself */
};

static enum bars_state bars_state(const struct sb_scene *scene, const struct sb_pair *pair, const struct sb_row *row)
{
    if (bars_beyond(pair, row))
        return BARS_BEYOND;
    return sb_scene_observed(scene, sb_pair_best(pair)) ? BARS_OBSERVED : BARS_WITHIN;
}

static void bars_bar(const struct bars_scale *scale, double ratio, enum bars_state state, double top,
                     struct sb_svg *svg)
{
    const double fair = bars_x(scale, 1), end = bars_x(scale, ratio), height = scale->row - 6;
    const char *const class = state == BARS_WITHIN ? "within" : ratio > 1 ? "o3" : "u3";

    sb_print(svg->stream, "<path class=\"%s\" d=\"M%g %gH%gv%gH%gz\"/>\n", class, fair, top + 3, end, height, fair);
    if (fabs(end - fair) < 0.5)
        sb_svg_circle(svg, "dot", fair, top + scale->row / 2, 3.5);
    if (state == BARS_OBSERVED) {
        fputs("<path class=\"hatch\" d=\"", svg->stream);
        sb_svg_hatch(svg, fmin(fair, end), top + 3, fabs(end - fair), height, BARS_HATCH);
        fputs("\"/>\n", svg->stream);
    }
    if (ratio > scale->high + 1e-9 || ratio < scale->low - 1e-9)
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
static void bars_one(const struct sb_scene *scene, const struct sb_pair *pair, const struct bars_scale *scale,
                     size_t index, struct sb_svg *svg)
{
    const struct sb_report *const best = sb_pair_best(pair);
    const struct sb_row row = bars_row(scene, best, index);
    const struct sb_notation notation = sb_exact_notation(&best->evidence, row.rank);
    const char *const name = sb_document_deal(&notation);
    const double top = scale->top + (double)index * scale->row, middle = top + scale->row / 2;
    double low = NAN, high = NAN;

    if (!scene->brief) {
        fputs("<g class=\"cell\">", svg->stream);
        bars_title(pair, &row, name, svg);
        sb_svg_rect(svg, "row", 0, top, scale->right, scale->row);
        bars_interval(pair, row.rank, &low, &high);
    }
    sb_svg_text(svg, "end", scale->left - BARS_LETTER, middle + 4, "%s", name);
    bars_bar(scale, row.ratio, bars_state(scene, pair, &row), top, svg);
    if (isfinite(low))
        bars_whisker(bars_x(scale, low), bars_x(scale, high), middle, svg);
    sb_svg_text(svg, "end", scale->right - 4, middle + 4, "%s",
                scene->brief ? sb_number_fixed(row.ratio, 2).text : sb_number_ratio(row.ratio).text);
    fputs(scene->brief ? "" : "</g>\n", svg->stream);
}

static void bars_draw(const struct sb_scene *scene, struct sb_svg *svg)
{
    const struct sb_pair pair = bars_pair(scene);
    const struct bars_scale scale = bars_fit(scene, &pair);
    const size_t count = bars_count(scene);

    fputs(scene->brief ? "" : "<g class=\"cells\" data-columns=\"1\">\n", svg->stream);
    for (size_t i = 0; i < count; i++)
        bars_one(scene, &pair, &scale, i, svg);
    fputs(scene->brief ? "" : "</g>\n", svg->stream);
    bars_axis(scene, &scale, scale.top + (double)count * scale.row, svg);
}

static void bars_describe(const struct sb_scene *scene, struct sb_sentence *s)
{
    const struct sb_pair counted = bars_pair(scene), *const pair = &counted;
    const struct sb_report *const best = sb_pair_best(pair);
    const char *const what = best->evidence.deal < best->evidence.n ? "deal" : "permutation";
    const bool some = bars_count(scene) < best->evidence.cells;

    sb_sentence_add(s,
                    "A bar for %s %s%s goes from the line of the fair share to the right if it comes up too often, "
                    "and to the left if too rarely; a dot means neither.",
                    some ? "each of the most and the least frequent" : "each", what, some ? "s" : "");
    if (pair->sampled && pair->sampled->rows_count)
        sb_sentence_add(s, " Whiskers are the %s intervals of the sample, which hold for all together.",
                        sb_number_level(pair->sampled->alpha).text);
    if (best->evidence.by == SB_BY_SAMPLE)
        sb_sentence_add(s, " A bar %s if the fair share lies in its interval at %s, all taken together%s.",
                        sb_scene_observed(scene, best) ? "shows what was observed, and is hatched" : "is grey",
                        sb_number_level(best->alpha).text,
                        sb_scene_observed(scene, best) ? ": the whole shows the bias, this bar by itself does not"
                                                       : "");
}

const struct sb_figure_type sb_figure_bars = {
    .name = "bars",
    .of = SB_FIGURE_OF_REPORTS | SB_FIGURE_OF_GATES,
    .has = bars_has,
    .measure = bars_measure,
    .draw = bars_draw,
    .title = "how often each permutation comes up, beside its fair share",
    .describe = bars_describe,
    .data = figure_bars_data,
};
