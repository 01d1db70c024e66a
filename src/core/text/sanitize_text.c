/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes text from another program safe to show, and truncates the text. O(length). */
#include "core/text/sanitize_text.h"

#include "core/text/log_text.h"
#include "core/text/utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

char *sb_sanitize_text(const char *text, size_t most)
{
    char *const folded = sb_utf8_fold(text, true);
    size_t length = folded ? strlen(folded) : 0;
    const bool cut = length > most;

    if (cut)
        for (length = most; (folded[length] & 0xC0) == 0x80;)
            length--; /* goes back to the start of a character */
    char *const harmless = folded ? malloc(2 * length + sizeof "...") : NULL;
    if (harmless) {
        folded[length] = '\0';
        sb_sanitize_log_text(folded, harmless, 2 * length + 1);
        strcat(harmless, cut ? "..." : "");
    }
    free(folded);
    return harmless;
}
