/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/csv_text.h"

#include "core/text/utf8.h"

#include <stdbool.h>

void sb_csv_text(const char *text, FILE *stream)
{
    bool quoted = false;

    for (const char *c = text; *c; c++)
        quoted = quoted || *c == ',' || *c == '"' || *c == '\n' || *c == '\r';
    if (quoted)
        fputc('"', stream);
    for (uint32_t point; (point = sb_utf8_next(&text)) != 0;) {
        char bytes[4];

        if (point == '"')
            fputc('"', stream);
        fwrite(bytes, 1, sb_utf8_put(point, bytes), stream);
    }
    if (quoted)
        fputc('"', stream);
}
