/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code points of UTF-8. */
#ifndef SB_CORE_TEXT_UTF8_H
#define SB_CORE_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SB_UTF8_REPLACEMENT = 0xFFFD }; /* takes the place of what is malformed or unsafe */

/* Returns the code point at *text, and advances *text past this code point. At the end of the text, returns 0
 * without advancing. For a byte that is not part of well-formed UTF-8, returns U+FFFD and advances one
 * byte. */
uint32_t sb_utf8_next(const char **text);

/*
 * Whether no reader should get this code point in the text of somebody else: control characters except tab, LF
 * and CR; characters that change the writing direction (Bidi_Control); U+2028 and U+2029, which end lines; U+FFFE
 * and U+FFFF, which XML forbids; and what takes no room and hides text, such as zero-width spaces and joiners and
 * tag characters (Default_Ignorable_Code_Point without the variation selectors, which choose between a plain and a
 * coloured symbol).
 */
bool sb_utf8_unsafe(uint32_t point);

/* Writes a valid code point as up to 4 bytes. Returns the number of bytes. */
size_t sb_utf8_put(uint32_t point, char bytes[4]);

/* Returns the number of columns that the text takes in a terminal: two for a wide character, none for a
 * combining one (width.c). */
size_t sb_utf8_width(const char *text);

#endif
