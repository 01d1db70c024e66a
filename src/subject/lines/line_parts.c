/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line's text, and the messages about it. */
#include "subject/lines/line_parts.h"

#include "core/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum sb_line_result sb_line_reject(struct sb_line *line, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    sb_decimal_format_list(line->wrong, sizeof line->wrong, format, arguments);
    va_end(arguments);
    return SB_LINE_REJECTED;
}

enum sb_line_result sb_line_reject_text(struct sb_line *line, const char *before, const char *text,
                                        size_t length, const char *after)
{
    char part[4 * SB_LINE_SHOWN] = "";
    char *shown;

    memcpy(part, text, length < sizeof part ? length : sizeof part - 1);
    shown = sb_sanitize_text(part, SB_LINE_SHOWN);
    sb_line_reject(line, "%s'%s'%s", before, shown ? shown : "...", after);
    free(shown);
    return SB_LINE_REJECTED;
}

void sb_line_keep(struct sb_line *line, const char *from, size_t length)
{
    line->cut += (size_t)(from - line->text);
    memmove(line->text, from, length);
    line->length = length;
    line->text[length] = '\0';
}
