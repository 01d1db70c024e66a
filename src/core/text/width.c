/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The columns of a text in a terminal, by wcwidth(3) in a locale of its own, so that the result does not depend on the
 * program's locale: a Chinese character or an emoji takes two columns, a combining accent none.
 */
#define _XOPEN_SOURCE 700 /* declares wcwidth() */

#include "core/text/utf8.h"

#include <locale.h>
#include <string.h>
#include <wchar.h>

/* Most texts are ASCII, and need no locale. */
static bool width_plain(const char *text)
{
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c >= 128)
            return false;
    return true;
}

size_t sb_utf8_width(const char *text)
{
    if (width_plain(text))
        return strlen(text);
    const locale_t own = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    const locale_t before = own ? uselocale(own) : (locale_t)0;
    size_t width = 0;

    for (uint32_t point; (point = sb_utf8_next(&text));) {
        const int columns = own ? wcwidth((wchar_t)point) : 1;

        width += columns >= 0 ? (size_t)columns : 1;
    }
    if (own) {
        uselocale(before);
        freelocale(own);
    }
    return width;
}
