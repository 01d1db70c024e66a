/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes text from another program safe for a terminal and for the log of a CI system. */
#ifndef SB_CORE_TEXT_SANITIZE_TEXT_H
#define SB_CORE_TEXT_SANITIZE_TEXT_H

#include <stddef.h>

enum { SB_TITLE_MOST = 200 }; /* the most bytes of a title to show */

/*
 * Returns a safe copy, which has the replacements of sb_utf8_fold() and no commands of CI systems. A text of
 * more than `most` bytes is truncated, and the copy ends in "...". The copy has at most 2 most + 3 bytes. The
 * caller frees the copy. NULL if memory runs out.
 */
char *sb_sanitize_text(const char *text, size_t most);

#endif
