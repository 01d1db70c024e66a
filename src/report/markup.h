/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that HTML and SVG share. They escape text for use between tags or quotes, and write
 * coordinates. */
#ifndef SB_REPORT_MARKUP_H
#define SB_REPORT_MARKUP_H

#include <stddef.h>
#include <stdio.h>

/* Writes the text. Escapes the characters that XML reserves, and replaces malformed UTF-8 and the control
 * characters that XML forbids. */
void sb_markup_text(FILE *stream, const char *text);

/* Writes the first `length` bytes of the text in the same way, or all of a shorter text. A character must not extend
 * beyond `length`. */
void sb_markup_part(FILE *stream, const char *text, size_t length);

/* Writes a blank and a coordinate with at most two decimals, without trailing zeros. */
void sb_markup_number(FILE *stream, double x);

/* Writes a blank and the attribute NAME="X". */
void sb_markup_attribute(FILE *stream, const char *name, double x);

#endif
