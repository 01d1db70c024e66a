/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file replaces src/core/portable.c in the module, which would be larger with libc's tables of widths: a
 * code point takes one column. */
#include "core/text.h"

size_t sb_utf8_width(const char *text)
{
    size_t width = 0;

    while (sb_utf8_next(&text))
        width++;
    return width;
}
