/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes text from another program safe to show, converts the text to ASCII, and truncates the text. O(length). */
#include "core/text/sanitize_text.h"

#include "core/text/log_text.h"
#include "core/text/utf8.h"

#include <stdlib.h>
#include <string.h>

/* Returns the ASCII replacement of a code point. */
static const char *sanitize_ascii(uint32_t point)
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

char *sb_sanitize_page_text(const char *text, bool unicode)
{
    char *const folded = malloc(3 * strlen(text) + 1); /* an invalid byte becomes the three bytes of U+FFFD */
    struct sb_log_text outside = { .rest = text };
    size_t used = 0;

    if (!folded)
        return NULL;
    for (uint32_t point; (point = sb_log_text_next(&outside)) != 0;) {
        if (point == '\t' || point == '\n' || point == '\r')
            point = ' ';
        if (point < 0x80 || unicode) {
            used += sb_utf8_put(point, folded + used);
        } else {
            const char *const ascii = sanitize_ascii(point);

            memcpy(folded + used, ascii, strlen(ascii));
            used += strlen(ascii);
        }
    }
    folded[used] = '\0';
    return folded;
}

char *sb_sanitize_text(const char *text, size_t most)
{
    char *const safe = sb_sanitize_page_text(text, true);

    if (!safe || strlen(safe) <= most)
        return safe;
    size_t length = most;

    while ((safe[length] & 0xC0) == 0x80)
        length--; /* goes back to the start of a character */
    char *const room = realloc(safe, length + sizeof "...");

    if (!room) {
        free(safe);
        return NULL;
    }
    strcpy(room + length, "...");
    return room;
}
