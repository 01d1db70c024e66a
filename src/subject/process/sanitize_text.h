/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes text from another program safe for a terminal and for the log of a CI system. */
#ifndef SB_SUBJECT_PROCESS_SANITIZE_TEXT_H
#define SB_SUBJECT_PROCESS_SANITIZE_TEXT_H

#include <stddef.h>

/*
 * A safe copy: with the replacements of sb_utf8_fold(), and without workflow commands. A text of more than
 * `most` bytes is truncated and ends in "...". At most 2 most + 3 bytes; the caller frees it. NULL if memory
 * runs out.
 */
char *sb_sanitize_text(const char *text, size_t most);

#endif
