/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The name of a command in results and messages: its words, as far as they fit. */
#include "core/text.h"
#include "subject/stream/bytes.h"

#include <stdio.h>
#include <string.h>

enum { COMMAND_NAME = 100 }; /* the most bytes of a command line to show */

char *sb_command_name(const char *const command[])
{
    char line[COMMAND_NAME + 2] = "";

    for (size_t i = 0; command[i]; i++) {
        const size_t used = strlen(line);

        snprintf(line + used, sizeof line - used, "%s%s", i ? " " : "", command[i]);
    }
    return sb_sanitize_text(line, COMMAND_NAME);
}
