/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text that may hold anything, made fit to print. */
#ifndef SB_CORE_TEXT_UTF8_H
#define SB_CORE_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The code point at *text, which steps over it: 0 at the end, without a step; U+FFFD for a byte that is no
 * part of well-formed UTF-8, with a step of one byte.
 */
uint32_t sb_utf8_next(const char **text);

/*
 * The same, with U+FFFD also in the place of control characters (but for the tab, LF and CR), of those that
 * turn the direction of writing (Unicode's Bidi_Control), of U+2028 and U+2029, which end lines, and of
 * U+FFFE and U+FFFF, which are no characters and which XML forbids.
 */
uint32_t sb_utf8_next_safe(const char **text);

/* Writes the point, which must be one, as up to 4 bytes; returns how many. */
size_t sb_utf8_put(uint32_t point, char bytes[4]);

/* How many columns a terminal gives the text: a code point counts one. */
size_t sb_utf8_width(const char *text);

/*
 * A copy that is safe to show: well-formed, control characters and those that turn the direction of writing
 * replaced, and without `unicode` in plain ASCII. The caller frees it. NULL without memory.
 */
char *sb_utf8_fold(const char *text, bool unicode);

#endif
