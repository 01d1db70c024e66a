/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that HTML and SVG share: any text, escaped for use between tags or quotes, and coordinates. */
#ifndef SB_REPORT_MARKUP_H
#define SB_REPORT_MARKUP_H

#include <stdio.h>

/* Writes the text. Escapes characters that XML reserves; replaces what XML forbids: malformed UTF-8 and
 * control characters. */
void sb_markup_text(FILE *stream, const char *text);

/* Writes a blank and a coordinate with at most two decimals, without trailing zeros. */
void sb_markup_number(FILE *stream, double x);

/* Writes a blank and NAME="X". */
void sb_markup_attribute(FILE *stream, const char *name, double x);

#endif
