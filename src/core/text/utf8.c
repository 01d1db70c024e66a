/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A strict UTF-8 decoder (no overlong forms, no surrogates, nothing above U+10FFFF), and the characters that a
 * terminal must not receive or that nobody sees. RFC 3629; Default_Ignorable_Code_Point in Unicode 15, UAX #44.
 */
#include "core/text/utf8.h"

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
        return SB_UTF8_REPLACEMENT;
    point &= 0x3FU >> more;
    for (size_t i = 1; i <= more; i++) {
        if ((byte[i] & 0xC0) != 0x80)
            return SB_UTF8_REPLACEMENT;
        point = point << 6 | (byte[i] & 0x3F);
    }
    if (point < least[more] || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000))
        return SB_UTF8_REPLACEMENT;
    *text += more;
    return point;
}

bool sb_utf8_unsafe(uint32_t point)
{
    static const struct {
        uint32_t first, last;
    } range[] = {
        { 0x01, 0x08 },       { 0x0B, 0x0C },     { 0x0E, 0x1F },       { 0x7F, 0x9F },
        { 0xAD, 0xAD },       { 0x34F, 0x34F },   { 0x61C, 0x61C },     { 0x115F, 0x1160 },
        { 0x17B4, 0x17B5 },   { 0x180E, 0x180E }, { 0x200B, 0x200F },   { 0x2028, 0x202E },
        { 0x2060, 0x206F },   { 0x3164, 0x3164 }, { 0xFEFF, 0xFEFF },   { 0xFFA0, 0xFFA0 },
        { 0xFFF0, 0xFFFB },   { 0xFFFE, 0xFFFF }, { 0x1BCA0, 0x1BCA3 }, { 0x1D173, 0x1D17A },
        { 0xE0000, 0xE0FFF },
    };

    for (size_t i = 0; i < sizeof range / sizeof range[0] && point >= range[i].first; i++)
        if (point <= range[i].last)
            return true;
    return false;
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
