/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes elements of SVG 1.1 to a stream. The caller checks the stream for errors. */
#include "core/text.h"
#include "report/page.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* `names` are those of the numbers, each followed by a zero byte. */
static void svg_begin(struct sb_svg *svg, const char *element, const char *class, const char *names,
                      const double number[])
{
    fprintf(svg->stream, "<%s class=\"%s\"", element, class);
    for (; *names; names += strlen(names) + 1)
        sb_markup_attribute(svg->stream, names, *number++);
}

void sb_svg_line(struct sb_svg *svg, const char *class, double x1, double y1, double x2, double y2)
{
    svg_begin(svg, "line", class, "x1\0y1\0x2\0y2\0", (const double[]) { x1, y1, x2, y2 });
    fputs("/>\n", svg->stream);
}

void sb_svg_circle(struct sb_svg *svg, const char *class, double x, double y, double radius)
{
    svg_begin(svg, "circle", class, "cx\0cy\0r\0", (const double[]) { x, y, radius });
    fputs("/>\n", svg->stream);
}

void sb_svg_hatch(struct sb_svg *svg, double x, double y, double width, double height, double step)
{
    for (double at = step; at < width + height; at += step) {
        /* from the point `at` to the right of the upper left corner down to the left, within the rectangle */
        const double top = fmax(at - width, 0), bottom = fmin(at, height);

        fputc('M', svg->stream);
        sb_markup_number(svg->stream, x + at - top);
        sb_markup_number(svg->stream, y + top);
        fputc('l', svg->stream);
        sb_markup_number(svg->stream, top - bottom);
        sb_markup_number(svg->stream, bottom - top);
    }
}

void sb_svg_rect(struct sb_svg *svg, const char *class, double x, double y, double width, double height)
{
    svg_begin(svg, "rect", class, "x\0y\0width\0height\0", (const double[]) { x, y, width, height });
    fputs("></rect>\n", svg->stream);
}

void sb_svg_text(struct sb_svg *svg, const char *class, double x, double y, const char *format, ...)
{
    char text[512];
    va_list arguments;

    va_start(arguments, format);
    sb_decimal_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    svg_begin(svg, "text", class, "x\0y\0", (const double[]) { x, y });
    fputs(">", svg->stream);
    sb_typeset(text, strlen(text), svg->stream);
    fputs("</text>\n", svg->stream);
}

/* Draws a terminal's window. Each line of text is a row, and each run of characters of one colour is a <text> element.
 * Every element states its start and its length, so that columns stay aligned in any monospaced font. Colours are SGR
 * sequences (ECMA-48). */

enum {
    TERMINAL_MARGIN = 18,
    TERMINAL_BAR = 30,  /* height of the window's title bar */
    TERMINAL_LINE = 18, /* height of a row */
    TERMINAL_RUN_MOST = 1024,
};

static const double terminal_column = 7.8; /* width of a character in px, at a font size of 13 px */

static void terminal_run(const char *run, const char *class, size_t column, double y, FILE *stream)
{
    if (strspn(run, " ") == strlen(run))
        return;
    fprintf(stream, "<text");
    sb_markup_attribute(stream, "x", TERMINAL_MARGIN + terminal_column * (double)column);
    sb_markup_attribute(stream, "y", y);
    sb_markup_attribute(stream, "textLength", terminal_column * (double)sb_utf8_width(run));
    fprintf(stream, " class=\"%s\">", class);
    sb_markup_text(stream, run);
    fputs("</text>\n", stream);
}

/* Writes the rows of the text to the stream, unless it is NULL. Returns their number, and sets *columns to the largest
 * width. */
static size_t terminal_rows(const char *text, FILE *stream, size_t *columns)
{
    const char *class = "";
    size_t row = 0, column = 0;

    for (*columns = 0; *text;) {
        const size_t length = strcspn(text, "\033\n");
        char run[TERMINAL_RUN_MOST];

        if (length) {
            const size_t taken = length < sizeof run ? length : sizeof run - 1;

            snprintf(run, sizeof run, "%.*s", (int)taken, text);
            if (stream)
                terminal_run(run, class, column, TERMINAL_BAR + TERMINAL_LINE * (double)(row + 1) - 4, stream);
            column += sb_utf8_width(run);
            *columns = column > *columns ? column : *columns;
            text += taken;
        } else if (*text == '\n') {
            text++;
            row++;
            column = 0;
        } else {
            const size_t code = strcspn(text, "m");

            class = sb_page_terminal_class(text + 2, code - 2);
            text += code + (text[code] == 'm');
        }
    }
    return row;
}

void sb_svg_terminal(const char *text, FILE *stream)
{
    static const char *const button[] = { "#ff5f57", "#febc2e", "#28c840" };
    size_t columns;
    const size_t rows = terminal_rows(text, NULL, &columns);

    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\"", stream);
    sb_markup_attribute(stream, "width", 2 * TERMINAL_MARGIN + terminal_column * (double)columns);
    sb_markup_attribute(stream, "height", TERMINAL_BAR + TERMINAL_MARGIN + TERMINAL_LINE * (double)rows);
    fputs(">\n<style>text { font: 13px ui-monospace, Menlo, Consolas, \"DejaVu Sans Mono\", monospace; fill: "
          "#d4d7dc; white-space: pre; }\n.strong { font-weight: 600; fill: #fff; } .faint { fill: #8b929c; } "
          ".over { fill: #e5b454; } .under { fill: #56b6c2; }\n.good { font-weight: 600; fill: #6cc070; } "
          ".bad { font-weight: 600; fill: #f2777a; } .doubt { font-weight: 600; fill: #e5b454; }</style>\n"
          "<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1d2025\"/>\n",
          stream);
    for (int i = 0; i < 3; i++)
        fprintf(stream, "<circle cx=\"%d\" cy=\"16\" r=\"6\" fill=\"%s\"/>\n", TERMINAL_MARGIN + 2 + 20 * i, button[i]);
    terminal_rows(text, stream, &columns);
    fputs("</svg>\n", stream);
}
