/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Relays a command's standard error as safe lines, with a limit on the length of a line and on the total
 * number of bytes. A line ends in a line feed or in a carriage return; progress bars print carriage returns.
 * Empty lines are dropped. Cost: O(length) time, and memory for one line.
 */
#include "subject/process/stderr_relay.h"

#include "core/text/sanitize_text.h"

#include <stdlib.h>
#include <string.h>

void sb_overheard_end(struct sb_overhearing *overhearing)
{
    const bool more = overhearing->told < SB_OVERHEARD_MOST;

    if (overhearing->length == 0)
        return;
    overhearing->line[overhearing->length] = '\0';
    overhearing->length = 0;
    if (!overhearing->tell || !more)
        return;
    char *const line = sb_sanitize_text(overhearing->line, SB_OVERHEARD_LINE);
    if (!line)
        return; /* memory ran out: the run continues without this message */
    overhearing->told += strlen(line) + 1;
    overhearing->tell(overhearing->state, line);
    if (overhearing->told >= SB_OVERHEARD_MOST)
        overhearing->tell(overhearing->state, "(the rest is left out)");
    free(line);
}

void sb_overheard_take(struct sb_overhearing *overhearing, const char text[], size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n' || text[i] == '\r')
            sb_overheard_end(overhearing);
        else if (overhearing->length <= SB_OVERHEARD_LINE)
            overhearing->line[overhearing->length++] =
                /* replaces a byte of 0, which would end the line, by another control character; the sanitiser
                 * replaces both in the same way */
                text[i] ? text[i] : '\1';
    }
}
