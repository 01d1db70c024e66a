/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text in tables of comma-separated values, RFC 4180. */
#ifndef SB_REPORT_CSV_TEXT_H
#define SB_REPORT_CSV_TEXT_H

#include <stdio.h>

/* Writes a field, in quotes if necessary, with the replacements of sb_log_text_next(). A text that a spreadsheet would
 * run as a formula begins with an apostrophe; a number stays a number. */
void sb_csv_text(const char *text, FILE *stream);

#endif
