/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes any text safe to print. */
#ifndef SB_CORE_TEXT_UTF8_H
#define SB_CORE_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the code point at *text, and advances *text past this code point. At the end of the text, returns 0
 * without advancing. For a byte that is not part of well-formed UTF-8, returns U+FFFD and advances one
 * byte. */
uint32_t sb_utf8_next(const char **text);

/*
 * Does what sb_utf8_next() does, but also returns U+FFFD for these code points: control characters except
 * tab, LF and CR; characters that change the writing direction (Unicode's Bidi_Control); U+2028 and U+2029,
 * which end lines; and U+FFFE and U+FFFF, which XML forbids.
 */
uint32_t sb_utf8_next_safe(const char **text);

/* Writes a valid code point as up to 4 bytes. Returns the number of bytes. */
size_t sb_utf8_put(uint32_t point, char bytes[4]);

/* Returns the number of columns that the text takes in a terminal: two for a wide character, none for a
 * combining one (width.c). */
size_t sb_utf8_width(const char *text);

/* Returns a copy that is safe to show: well-formed UTF-8 without control characters and without characters
 * that change the writing direction. If `unicode` is false, the copy is plain ASCII. The caller frees the
 * copy. NULL if memory runs out. */
char *sb_utf8_fold(const char *text, bool unicode);

#endif
