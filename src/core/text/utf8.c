/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes any text safe to print: a strict UTF-8 decoder (no overlong forms, no surrogates, nothing above
 * U+10FFFF), and a function that replaces the characters that a terminal must not receive. O(length). RFC
 * 3629.
 */
#include "core/text/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { UTF8_REPLACEMENT = 0xFFFD };

uint32_t sb_utf8_next(const char **text)
{
    static const uint32_t least[] = {
        0, 0x80, 0x800, 0x10000
    }; /* the smallest code point of each length; a smaller code point is overlong */
    const unsigned char *byte = (const unsigned char *)*text;
    uint32_t point = byte[0];
    size_t more = 0;

    if (point == 0)
        return 0;
    (*text)++;
    if (point < 0x80)
        return point;
    if (point >= 0xC2 && point < 0xE0)
        more = 1;
    else if (point >= 0xE0 && point < 0xF0)
        more = 2;
    else if (point >= 0xF0 && point < 0xF5)
        more = 3;
    else
        return UTF8_REPLACEMENT;
    point &= 0x3FU >> more;
    for (size_t i = 1; i <= more; i++) {
        if ((byte[i] & 0xC0) != 0x80)
            return UTF8_REPLACEMENT;
        point = point << 6 | (byte[i] & 0x3F);
    }
    if (point < least[more] || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000))
        return UTF8_REPLACEMENT;
    *text += more;
    return point;
}

static bool utf8_unsafe(uint32_t point)
{
    return (point < 0x20 && point != '\t' && point != '\n' && point != '\r') ||
           (point >= 0x7F && point < 0xA0) || point == 0x61C || point == 0x200E || point == 0x200F ||
           (point >= 0x2028 && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069) || point == 0xFFFE ||
           point == 0xFFFF;
}

uint32_t sb_utf8_next_safe(const char **text)
{
    const uint32_t point = sb_utf8_next(text);

    return point && utf8_unsafe(point) ? UTF8_REPLACEMENT : point;
}

size_t sb_utf8_put(uint32_t point, char bytes[4])
{
    static const unsigned char lead[] = { 0, 0xC0, 0xE0, 0xF0 };
    const size_t more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;

    for (size_t i = more; i > 0; i--, point >>= 6)
        bytes[i] = (char)(0x80 | (point & 0x3F));
    bytes[0] = (char)(lead[more] | point);
    return more + 1;
}

/* Returns the ASCII replacement of a code point. */
static const char *utf8_ascii(uint32_t point)
{
    switch (point) {
    case 0x2013: /* en dash; the other dashes and the minus sign follow */
    case 0x2014:
    case 0x2212:
        return "-";
    case 0x2018:
    case 0x2019:
        return "'";
    case 0x2026:
        return "...";
    case 0xD7:
        return "x";
    default:
        return "?";
    }
}

char *sb_utf8_fold(const char *text, bool unicode)
{
    char *const folded = malloc(3 * strlen(text) + 1); /* an invalid byte becomes the three bytes of U+FFFD */
    size_t used = 0;

    if (!folded)
        return NULL;
    for (uint32_t point; (point = sb_utf8_next_safe(&text)) != 0;) {
        if (point == '\t' || point == '\n' || point == '\r')
            point = ' ';
        if (point < 0x80 || unicode) {
            used += sb_utf8_put(point, folded + used);
        } else {
            const char *const ascii = utf8_ascii(point);

            memcpy(folded + used, ascii, strlen(ascii));
            used += strlen(ascii);
        }
    }
    folded[used] = '\0';
    return folded;
}
