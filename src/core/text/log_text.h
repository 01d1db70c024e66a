/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text from outside, made fit for a terminal and for the log of a CI system. */
#ifndef SB_CORE_TEXT_LOG_TEXT_H
#define SB_CORE_TEXT_LOG_TEXT_H

#include <stddef.h>

/*
 * Writes the text as one line: what sb_utf8_fold() replaces is replaced, and no workflow command is left. It
 * is cut where the line is full. `line` must not be `text`. O(length), no memory.
 */
void sb_sanitize_log_text(const char *text, char line[], size_t room);

#endif
