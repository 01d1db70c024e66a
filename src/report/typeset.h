/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as books print them, for pages and figures: 8.07e67 becomes 8.07 × 10⁶⁷, and 2^31 becomes 2³¹. */
#ifndef SB_REPORT_TYPESET_H
#define SB_REPORT_TYPESET_H

#include <stddef.h>
#include <stdio.h>

/* Writes 10 to the power of `exponent`, "10⁷", into `text`. */
enum { SB_POWER_ROOM = 48 };
void sb_typeset_power(int exponent, char text[SB_POWER_ROOM]);

/* Writes the first `length` bytes of the text, escaped as in sb_markup_text(). Powers are typeset. A name that
 * only contains such characters, like "run-1e5", stays unchanged. */
void sb_typeset(const char *text, size_t length, FILE *stream);

/* Writes the cell of a table that is aligned on the right. Groups the digits of every integer in it by
 * threes: "1,262,050/4,096". Also typesets powers and the sign of a negative number. */
void sb_typeset_cell(const char *text, FILE *stream);

#endif
