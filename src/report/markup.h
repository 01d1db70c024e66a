/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What HTML and SVG share: text that may hold anything between tags or quotes, and numbers for coordinates.
 */
#ifndef SB_REPORT_MARKUP_H
#define SB_REPORT_MARKUP_H

#include <stdio.h>

/* The text, with what XML reserves escaped, and what it forbids replaced: malformed UTF-8, control
 * characters. */
void sb_markup_text(FILE *stream, const char *text);

/* A coordinate with a blank before it: at most two decimals, no zeros at its end. */
void sb_markup_number(FILE *stream, double x);

/* NAME="X", with a blank before it. */
void sb_markup_attribute(FILE *stream, const char *name, double x);

#endif
