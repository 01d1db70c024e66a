/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Relays a command's standard error as safe lines, with a limit on the length of a line. The first lines are
 * relayed at once. Of the others, only the last is relayed, at the end, because it is often the one that says
 * what went wrong. A line ends in a line feed or in a carriage return; progress bars print carriage returns.
 * Empty lines are dropped. Cost: O(length) time, and memory for two lines.
 */
#include "subject/process/stderr_relay.h"

#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Relays a line, made safe to show. If memory runs out, the run continues without this line. */
static void relay_tell(const struct sb_stderr_relay *relay, const char *text)
{
    char *const line = relay->tell ? sb_sanitize_text(text, SB_STDERR_RELAY_LINE) : NULL;

    if (line)
        relay->tell(relay->state, line);
    free(line);
}

/* Relays a complete line if it is one of the first, and keeps it otherwise. */
static void relay_line(struct sb_stderr_relay *relay)
{
    if (relay->length == 0)
        return;
    relay->line[relay->length] = '\0';
    relay->length = 0;
    if (++relay->lines <= SB_STDERR_RELAY_LINES)
        relay_tell(relay, relay->line);
    else
        memcpy(relay->last, relay->line, sizeof relay->last);
}

void sb_stderr_relay_end(struct sb_stderr_relay *relay)
{
    char text[80];

    relay_line(relay);
    if (relay->lines > SB_STDERR_RELAY_LINES + 1) {
        const uint64_t more = relay->lines - SB_STDERR_RELAY_LINES - 1;

        snprintf(text, sizeof text, "(%llu more line%s, and the last:)", (unsigned long long)more,
                 more == 1 ? "" : "s");
        relay_tell(relay, text);
    }
    if (relay->lines > SB_STDERR_RELAY_LINES)
        relay_tell(relay, relay->last);
    relay->lines = 0;
}

void sb_stderr_relay_take(struct sb_stderr_relay *relay, const char text[], size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n' || text[i] == '\r')
            relay_line(relay);
        else if (relay->length <= SB_STDERR_RELAY_LINE)
            relay->line[relay->length++] =
                /* replaces a byte of 0, which would end the line, by another control character; the sanitiser
                 * replaces both in the same way */
                text[i] ? text[i] : '\1';
    }
}
