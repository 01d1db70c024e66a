/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Relays a command's standard error as safe lines, with a limit on the length of a line. The first lines are
 * relayed at once. Of the others, only the last is relayed, at the end, because it is often the one that says
 * what went wrong. A line ends in a line feed or in a carriage return; progress bars print carriage returns.
 * Empty lines are dropped. Cost: O(length) time, and memory for two lines.
 */
#include "subject/process/stderr_relay.h"

#include "core/text/sanitize_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Relays a line, made safe to show. If memory runs out, the run continues without this line. */
static void overheard_tell(const struct sb_overhearing *overhearing, const char *text)
{
    char *const line = overhearing->tell ? sb_sanitize_text(text, SB_OVERHEARD_LINE) : NULL;

    if (line)
        overhearing->tell(overhearing->state, line);
    free(line);
}

/* Relays a complete line if it is one of the first, and keeps it otherwise. */
static void overheard_line(struct sb_overhearing *overhearing)
{
    if (overhearing->length == 0)
        return;
    overhearing->line[overhearing->length] = '\0';
    overhearing->length = 0;
    if (++overhearing->lines <= SB_OVERHEARD_LINES)
        overheard_tell(overhearing, overhearing->line);
    else
        memcpy(overhearing->last, overhearing->line, sizeof overhearing->last);
}

void sb_overheard_end(struct sb_overhearing *overhearing)
{
    char text[80];

    overheard_line(overhearing);
    if (overhearing->lines > SB_OVERHEARD_LINES + 1) {
        const uint64_t more = overhearing->lines - SB_OVERHEARD_LINES - 1;

        snprintf(text, sizeof text, "(%llu more line%s, and the last:)", (unsigned long long)more,
                 more == 1 ? "" : "s");
        overheard_tell(overhearing, text);
    }
    if (overhearing->lines > SB_OVERHEARD_LINES)
        overheard_tell(overhearing, overhearing->last);
    overhearing->lines = 0;
}

void sb_overheard_take(struct sb_overhearing *overhearing, const char text[], size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n' || text[i] == '\r')
            overheard_line(overhearing);
        else if (overhearing->length <= SB_OVERHEARD_LINE)
            overhearing->line[overhearing->length++] =
                /* replaces a byte of 0, which would end the line, by another control character; the sanitiser
                 * replaces both in the same way */
                text[i] ? text[i] : '\1';
    }
}
