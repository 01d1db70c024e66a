/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes numbers to a stream, with a decimal point in every locale. */
#include "report/print.h"

#include "core/text.h"

int sb_print(FILE *stream, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    const locale_t before = sb_decimal_begin();
    const int length = vfprintf(stream, format, arguments);
    sb_decimal_end(before);
    va_end(arguments);
    return length;
}
