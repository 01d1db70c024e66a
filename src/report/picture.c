/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of numbers as a figure of an HTML page: a bar from 0 for each row, or a curve for each column over the first
 * one. The table follows the figure, as its data. */
#include "core/text.h"
#include "report/page.h"

enum {
    PICTURE_WIDTH = 356, /* not wider than a phone, because smaller letters would be too small */
    PICTURE_ROW = 20,
    PICTURE_LETTER = 7,      /* width of a letter of a label */
    PICTURE_LABEL_MOST = 26, /* letters of a label; a longer one is cut */
    PICTURE_NUMBER = 66,     /* width of the numbers to the right of the bars */
    PICTURE_DIGITS = 8,      /* a number with more characters is rounded */
    PICTURE_LEFT = 60,       /* width of the numbers beside a plot */
    PICTURE_RIGHT = 332,
    PICTURE_HEIGHT = 180, /* of a plot */
    PICTURE_TICKS = 6,    /* the most numbers at an axis */
};

struct picture {
    const struct sb_table *table;
    size_t columns, rows;      /* including the row of titles */
    double most;               /* the largest number, except those of the first column */
    bool logarithmic;          /* whether x is the logarithm of the first column */
    double top;                /* y coordinate of the top of the plot */
    double first, last, scale; /* range of x, and the value at the top */
    struct sb_svg svg;
};

static const char *picture_text(const struct picture *p, size_t row, size_t column)
{
    return p->table->cell[row * p->columns + column].text;
}

static double picture_number(const struct picture *p, size_t row, size_t column)
{
    return sb_decimal_read(picture_text(p, row, column));
}

void sb_svg_figure(struct sb_svg *svg, const char *name, const double box[4], const char *title, const char *text)
{
    const unsigned id = ++svg->id;

    fprintf(svg->stream, "<svg class=\"figure %s\"", name);
    sb_markup_attribute(svg->stream, "x", box[0]);
    sb_markup_attribute(svg->stream, "y", box[1]);
    sb_markup_attribute(svg->stream, "width", box[2]);
    sb_markup_attribute(svg->stream, "height", box[3]);
    fputs(" viewBox=\"0 0", svg->stream);
    sb_markup_number(svg->stream, box[2]);
    sb_markup_number(svg->stream, box[3]);
    fprintf(svg->stream, "\" role=\"group\" aria-labelledby=\"t%u\" aria-describedby=\"d%u\">\n<title id=\"t%u\">", id,
            id, id);
    sb_markup_text(svg->stream, title);
    fprintf(svg->stream, "</title>\n<desc id=\"d%u\">", id);
    sb_typeset(text, strlen(text), svg->stream);
    fputs("</desc>\n", svg->stream);
}

static void picture_open(struct picture *p, const char *name, double height, const char *text)
{
    sb_svg_figure(&p->svg, name, (const double[]) { 0, 0, PICTURE_WIDTH, height }, p->table->picture->title, text);
}

/* Begins a part of the picture that shows its numbers on demand. */
static void picture_cell(struct picture *p, size_t row, double x, double y, double width, double height)
{
    fputs("<g class=\"cell\"><title>", p->svg.stream);
    sb_markup_text(p->svg.stream, picture_text(p, row, 0));
    if (p->columns > 2)
        fprintf(p->svg.stream, " %s", picture_text(p, 0, 0));
    for (size_t c = 1; c < p->columns; c++)
        fprintf(p->svg.stream, "%s %s %s", c > 1 ? "," : ":", picture_text(p, 0, c), picture_text(p, row, c));
    fputs("</title>", p->svg.stream);
    sb_svg_rect(&p->svg, "row", x, y, width, height);
}

static void bars_draw(struct picture *p)
{
    size_t letters = 3;

    for (size_t row = 0; row < p->rows; row++)
        letters =
            (size_t)fmax((double)letters, fmin((double)sb_utf8_width(picture_text(p, row, 0)), PICTURE_LABEL_MOST));
    const double left = PICTURE_LETTER * (double)letters + 11, bottom = PICTURE_ROW * (double)p->rows;

    picture_open(p, "lengths", bottom + 6, "A bar for each row of the table below, from 0.");
    sb_svg_text(&p->svg, "start faint", 0, 13, "%s", picture_text(p, 0, 0));
    sb_svg_text(&p->svg, "end faint", PICTURE_WIDTH - 2, 13, "%s", picture_text(p, 0, 1));
    fputs("<g class=\"cells\" data-columns=\"1\">\n", p->svg.stream);
    for (size_t row = 1; row < p->rows; row++) {
        const char *const label = picture_text(p, row, 0), *const text = picture_text(p, row, 1), *end = label;
        const double top = PICTURE_ROW * (double)row, x = picture_number(p, row, 1);

        for (size_t i = 0; *end && i < PICTURE_LABEL_MOST; i++)
            sb_utf8_next(&end);
        picture_cell(p, row, 0, top, PICTURE_WIDTH, PICTURE_ROW);
        sb_svg_text(&p->svg, "end", left - 6, top + 14, "%.*s%s", (int)(end - label), label, *end ? "\u2026" : "");
        sb_svg_rect(&p->svg, "u3", left, top + 3, x / p->most * (PICTURE_WIDTH - PICTURE_NUMBER - left),
                    PICTURE_ROW - 6);
        sb_svg_text(&p->svg, "end", PICTURE_WIDTH - 2, top + 14, "%s",
                    strlen(text) > PICTURE_DIGITS ? sb_number_short(x, 4).text : text);
        fputs("</g>\n", p->svg.stream);
    }
    fputs("</g>\n", p->svg.stream);
    sb_svg_line(&p->svg, "fair", left, PICTURE_ROW, left, bottom);
}

/* ---- curves ---- */

static double plot_value(const struct picture *p, size_t row)
{
    const double x = picture_number(p, row, 0);

    return p->logarithmic ? log10(x) : x;
}

static double plot_x(const struct picture *p, double value)
{
    return PICTURE_LEFT + (PICTURE_RIGHT - PICTURE_LEFT) * (value - p->first) / fmax(p->last - p->first, 1e-9);
}

static double plot_y(const struct picture *p, double value)
{
    return p->top + PICTURE_HEIGHT * (1 - value / p->scale);
}

static void plot_frame(struct picture *p)
{
    const double bottom = p->top + PICTURE_HEIGHT;
    double step = 1; /* then 2, 5, 10 ... */

    for (size_t i = 0; (p->last - p->first) / step > PICTURE_TICKS; i++)
        step *= i % 3 == 1 ? 2.5 : 2;
    for (int k = 0; k <= 4; k++) {
        const double value = p->scale * k / 4, y = plot_y(p, value);

        sb_svg_line(&p->svg, "grid", PICTURE_LEFT, y, PICTURE_RIGHT, y);
        sb_svg_text(&p->svg, "end", PICTURE_LEFT - 6, y + 4, "%.3g", value);
    }
    for (double x = ceil(p->first / step) * step; x <= p->last + 1e-9; x += step) {
        sb_svg_line(&p->svg, "grid", plot_x(p, x), p->top, plot_x(p, x), bottom);
        sb_svg_text(&p->svg, "middle", plot_x(p, x), bottom + 16, "%s",
                    (p->logarithmic ? sb_number_power((int)x) : sb_number_fixed(x, 0)).text);
    }
    sb_svg_rect(&p->svg, "frame", PICTURE_LEFT, p->top, PICTURE_RIGHT - PICTURE_LEFT, PICTURE_HEIGHT);
    sb_svg_text(&p->svg, "middle faint", (PICTURE_LEFT + PICTURE_RIGHT) / 2.0, bottom + 34, "%s%s",
                picture_text(p, 0, 0), p->logarithmic ? ", logarithmic" : "");
}

/* Draws the curve of a column, and the line of the legend above the plot. */
static void plot_curve(struct picture *p, size_t column)
{
    const double y = PICTURE_ROW * (double)column - 8;
    char class[40];

    snprintf(class, sizeof class, "trace c%zu", column);
    sb_svg_line(&p->svg, class, PICTURE_LEFT, y, PICTURE_LEFT + 28, y);
    sb_svg_text(&p->svg, "start", PICTURE_LEFT + 36, y + 4, "%s", picture_text(p, 0, column));
    fprintf(p->svg.stream, "<polyline class=\"%s\" points=\"", class);
    for (size_t row = 1; row < p->rows; row++)
        sb_print(p->svg.stream, " %.5g,%.5g", plot_x(p, plot_value(p, row)), plot_y(p, picture_number(p, row, column)));
    fputs("\"/>\n", p->svg.stream);
}

static void curves_draw(struct picture *p)
{
    const double unit = pow(10, floor(log10(p->most)));

    p->logarithmic = strcmp(p->table->picture->kind, "log") == 0;
    p->scale = unit * sb_bar_scale(p->most / unit);
    p->top = PICTURE_ROW * (double)(p->columns - 1) + 6;
    p->first = plot_value(p, 1);
    p->last = plot_value(p, p->rows - 1);
    picture_open(p, "lines", p->top + PICTURE_HEIGHT + 44,
                 "A curve for each column of the table below, over the first.");
    plot_frame(p);
    fputs("<g class=\"cells\" data-columns=\"1\">\n", p->svg.stream);
    for (size_t row = 1; row < p->rows; row++) { /* a strip for each row */
        const double x = plot_x(p, plot_value(p, row)),
                     next = row + 1 < p->rows ? plot_x(p, plot_value(p, row + 1)) : x;
        const double before = row > 1 ? plot_x(p, plot_value(p, row - 1)) : x;

        picture_cell(p, row, (before + x) / 2, p->top, (next - before) / 2, PICTURE_HEIGHT);
        fputs("</g>\n", p->svg.stream);
    }
    fputs("</g>\n", p->svg.stream);
    for (size_t c = 1; c < p->columns; c++)
        plot_curve(p, c);
}

void sb_picture_begin(const struct sb_table *table, struct sb_page *page)
{
    struct picture p = { .table = table, .columns = strlen(table->columns), .svg = { page->stream, page->figures, 0 } };

    p.rows = table->count / p.columns;
    for (size_t i = p.columns; i < table->count; i++)
        p.most = i % p.columns ? fmax(p.most, sb_decimal_read(table->cell[i].text)) : p.most;
    p.most = p.most > 0 ? p.most : 1;
    fputs("<figure>\n", page->stream);
    if (strcmp(table->picture->kind, "bars") == 0)
        bars_draw(&p);
    else
        curves_draw(&p);
    page->figures = p.svg.id;
    fputs("</svg>\n<figcaption>", page->stream);
    sb_prose(table->picture->title, &page->explained, page->stream);
    fputs(".</figcaption>\n<details><summary>Data of this figure</summary>\n", page->stream);
}
