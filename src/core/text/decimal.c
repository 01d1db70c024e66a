/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text with numbers, written and read with a decimal point, in any locale. */
#include "core/text/decimal.h"

#include <stdio.h>
#include <stdlib.h>

int sb_decimal_format(char *text, size_t room, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    const int length = sb_decimal_format_list(text, room, format, arguments);
    va_end(arguments);
    return length;
}

int sb_decimal_format_list(char *text, size_t room, const char *format, va_list arguments)
{
    const locale_t before = sb_decimal_begin();
    const int length = vsnprintf(text, room, format, arguments);

    sb_decimal_end(before);
    return length;
}

bool sb_decimal_whole(const char *text, double *number)
{
    const locale_t before = sb_decimal_begin();
    char *end = NULL;

    *number = strtod(text, &end);
    sb_decimal_end(before);
    return end != text && *end == '\0';
}

double sb_decimal_read(const char *text)
{
    const locale_t before = sb_decimal_begin();
    const double number = strtod(text, NULL);

    sb_decimal_end(before);
    return number;
}
