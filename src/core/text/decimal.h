/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text with numbers, written and read with a decimal point: 0.5 is "0.5", even if the program that uses the library has
 * chosen a locale with a decimal comma (setlocale(LC_ALL, "de_DE.UTF-8")).
 */
#ifndef SB_CORE_TEXT_DECIMAL_H
#define SB_CORE_TEXT_DECIMAL_H

#include <locale.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Switches this thread to the locale "C" and returns the locale that the thread had. Other threads do not notice. */
locale_t sb_decimal_begin(void);

/* Switches this thread back to the locale that sb_decimal_begin() returned. */
void sb_decimal_end(locale_t before);

/* Does what snprintf() does in the locale "C". */
__attribute__((format(printf, 3, 4))) int sb_decimal_format(char *text, size_t room, const char *format, ...);

/* Does what vsnprintf() does in the locale "C". */
__attribute__((format(printf, 3, 0))) int sb_decimal_format_list(char *text, size_t room, const char *format,
                                                                 va_list arguments);

/* Reads a text that is a number, as strtod() does in the locale "C". Returns false if it is none. */
bool sb_decimal_whole(const char *text, double *number);

/* Returns the number at the start of a text, as strtod() does in the locale "C"; without a number, 0. */
double sb_decimal_read(const char *text);

#endif
