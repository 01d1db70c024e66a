/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes numbers to a stream. */
#ifndef SB_REPORT_PRINT_H
#define SB_REPORT_PRINT_H

#include <stdio.h>

/* Does what fprintf() does, with a decimal point in every locale of the calling program (core/text.h). */
__attribute__((format(printf, 2, 3))) int sb_print(FILE *stream, const char *format, ...);

#endif
