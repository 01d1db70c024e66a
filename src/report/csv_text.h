/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text in tables of comma-separated values, RFC 4180. */
#ifndef SB_REPORT_CSV_TEXT_H
#define SB_REPORT_CSV_TEXT_H

#include <stdio.h>

/* Writes a field, in quotes if necessary. Malformed UTF-8 is replaced. */
void sb_csv_text(const char *text, FILE *stream);

#endif
