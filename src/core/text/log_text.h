/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes text from outside safe for a terminal and for the log of a CI system. */
#ifndef SB_CORE_TEXT_LOG_TEXT_H
#define SB_CORE_TEXT_LOG_TEXT_H

#include <stddef.h>

/* Writes the text as one line, with the replacements of sb_utf8_fold(), and without the commands that CI
 * systems look for in a log. Truncates the line to `room` bytes. `line` and `text` must be different arrays.
 * O(length); allocates no memory. */
void sb_sanitize_log_text(const char *text, char line[], size_t room);

#endif
