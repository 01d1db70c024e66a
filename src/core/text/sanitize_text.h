/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes text from another program safe for a reader, for a terminal and for the log of a CI system. */
#ifndef SB_CORE_TEXT_SANITIZE_TEXT_H
#define SB_CORE_TEXT_SANITIZE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum { SB_TITLE_MOST = 200 }; /* the most bytes of a title to show */

/* Returns a safe copy on one line, with the replacements of sb_log_text_next(). If `unicode` is false, the copy is
 * plain ASCII. The caller frees the copy. NULL if memory runs out. */
char *sb_sanitize_page_text(const char *text, bool unicode);

/* Does the same in Unicode. If the copy has more than `most` bytes, it is truncated, and ends in "...". The copy has at
 * most most + 3 bytes. */
char *sb_sanitize_text(const char *text, size_t most);

#endif
