/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CI systems look for commands in printed text and execute these commands: GitHub `::error::` at the start of
 * a line and `##[error]` anywhere, Azure `##vso[...]`, TeamCity `##teamcity[...]`. This file inserts a blank
 * between the two colons or hashes, which disables the command. Two colons that follow a letter, as in Perl's
 * List::Util, stay unchanged.
 */
#include "core/text/log_text.h"

#include "core/text/utf8.h"

#include <string.h>

/* Returns whether a byte belongs to a name in a program; isalnum() would depend on the locale. */
static bool log_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           byte == '_';
}

/* Returns whether line[used - 1] and this code point are two colons or two hashes that may begin a
 * command. */
static bool log_begins(const char line[], size_t used, uint32_t point)
{
    if ((point != '#' && point != ':') || used == 0 || line[used - 1] != (char)point)
        return false;
    return point == '#' || !(used > 1 && log_letter(line[used - 2]));
}

void sb_sanitize_log_text(const char *text, char line[], size_t room)
{
    size_t used = 0;

    for (uint32_t point; (point = sb_utf8_next_safe(&text)) != 0;) {
        char bytes[4];

        if (point == '\t' || point == '\n' || point == '\r')
            point = ' ';
        const size_t length = sb_utf8_put(point, bytes);
        const bool begins = log_begins(line, used, point);

        if (used + begins + length + 1 > room)
            break;
        if (begins)
            line[used++] = ' ';
        memcpy(line + used, bytes, length);
        used += length;
    }
    line[used] = '\0';
}
