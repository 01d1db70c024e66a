/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes elements of SVG 1.1 to a stream. The caller checks the stream for errors. */
#include "report/svg_writer.h"

#include "core/text.h"
#include "report/markup.h"
#include "report/typeset.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

void sb_svg_line(struct sb_svg *svg, const char *class, double x1, double y1, double x2, double y2)
{
    fprintf(svg->stream, "<line class=\"%s\"", class);
    sb_markup_attribute(svg->stream, "x1", x1);
    sb_markup_attribute(svg->stream, "y1", y1);
    sb_markup_attribute(svg->stream, "x2", x2);
    sb_markup_attribute(svg->stream, "y2", y2);
    fputs("/>\n", svg->stream);
}

void sb_svg_circle(struct sb_svg *svg, const char *class, double x, double y, double radius)
{
    fprintf(svg->stream, "<circle class=\"%s\"", class);
    sb_markup_attribute(svg->stream, "cx", x);
    sb_markup_attribute(svg->stream, "cy", y);
    sb_markup_attribute(svg->stream, "r", radius);
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
    fprintf(svg->stream, "<rect class=\"%s\"", class);
    sb_markup_attribute(svg->stream, "x", x);
    sb_markup_attribute(svg->stream, "y", y);
    sb_markup_attribute(svg->stream, "width", width);
    sb_markup_attribute(svg->stream, "height", height);
    fputs(">", svg->stream);
}

void sb_svg_end(struct sb_svg *svg, const char *element)
{
    fprintf(svg->stream, "</%s>\n", element);
}

void sb_svg_text(struct sb_svg *svg, const char *class, double x, double y, const char *format, ...)
{
    char text[512];
    va_list arguments;

    va_start(arguments, format);
    sb_decimal_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(svg->stream, "<text class=\"%s\"", class);
    sb_markup_attribute(svg->stream, "x", x);
    sb_markup_attribute(svg->stream, "y", y);
    fputs(">", svg->stream);
    sb_typeset(text, strlen(text), svg->stream);
    fputs("</text>\n", svg->stream);
}
