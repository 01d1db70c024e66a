/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that HTML and SVG share. XML 1.0, section 2.2, lists the characters that a document may
 * contain. */
#include "report/markup.h"

#include "core/text.h"
#include "report/print.h"

#include <math.h>
#include <stdbool.h>

void sb_markup_text(FILE *stream, const char *text)
{
    sb_markup_part(stream, text, SIZE_MAX);
}

void sb_markup_part(FILE *stream, const char *text, size_t length)
{
    const char *const start = text;

    for (uint32_t point, last = 0, before = 0;
         (size_t)(text - start) < length && (point = sb_utf8_next(&text)) != 0; before = last, last = point) {
        char bytes[4];

        if (sb_log_text_begins(before, last, point))
            fprintf(stream, "&#%u;", point);
        else if (point == '&')
            fputs("&amp;", stream);
        else if (point == '<')
            fputs("&lt;", stream);
        else if (point == '>')
            fputs("&gt;", stream);
        else if (point == '"')
            fputs("&quot;", stream);
        else
            fwrite(bytes, 1,
                   sb_utf8_put(sb_utf8_unsafe(point) || point == '\r' ? SB_UTF8_REPLACEMENT : point, bytes),
                   stream);
    }
}

void sb_markup_number(FILE *stream, double x)
{
    /* adding 0.0 turns -0.0 into 0.0, so no minus sign is written */
    sb_print(stream, " %.12g", round(100 * x) / 100 + 0.0);
}

void sb_markup_attribute(FILE *stream, const char *name, double x)
{
    sb_print(stream, " %s=\"%.12g\"", name, round(100 * x) / 100 + 0.0);
}
