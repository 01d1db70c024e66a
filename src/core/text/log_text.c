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

/* Returns whether a character belongs to a name in a program; isalnum() would depend on the locale. */
static bool log_letter(uint32_t point)
{
    return (point >= 'a' && point <= 'z') || (point >= 'A' && point <= 'Z') ||
           (point >= '0' && point <= '9') || point == '_';
}

bool sb_log_text_begins(uint32_t before, uint32_t last, uint32_t point)
{
    return last == point && (point == '#' || (point == ':' && !log_letter(before)));
}

uint32_t sb_log_text_next(struct sb_log_text *text)
{
    const char *rest = text->rest;
    uint32_t point = sb_utf8_next(&rest);

    if (sb_utf8_unsafe(point))
        point = SB_UTF8_REPLACEMENT;
    if (sb_log_text_begins(text->before, text->last, point))
        point = ' '; /* the next call returns the character */
    else
        text->rest = rest;
    text->before = text->last;
    text->last = point;
    return point;
}

void sb_sanitize_log_text(const char *text, char line[], size_t room)
{
    struct sb_log_text outside = { .rest = text };
    size_t used = 0;

    for (uint32_t point; (point = sb_log_text_next(&outside)) != 0;) {
        char bytes[4];

        if (point == '\t' || point == '\n' || point == '\r')
            point = ' ';
        const size_t length = sb_utf8_put(point, bytes);

        if (used + length + 1 > room)
            break;
        memcpy(line + used, bytes, length);
        used += length;
    }
    line[used] = '\0';
}
