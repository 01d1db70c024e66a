/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors: a status for the program, and one line of text for people. */
#include "core/error.h"

#include "core/text/log_text.h"

#include <stdarg.h>
#include <stdio.h>

enum sb_status sb_error_set(struct sb_error *error, enum sb_status status, const char *format, ...)
{
    va_list arguments;

    if (!error)
        return status;
    char text[sizeof error->text];

    error->status = status;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sb_sanitize_log_text(text, error->text,
                         sizeof error->text); /* names from outside may hold control characters */
    return status;
}

enum sb_status sb_error_memory(struct sb_error *error, const char *what)
{
    return sb_error_set(error, SB_NO_MEMORY, "not enough memory for %s: ask for a smaller n", what);
}

enum sb_status sb_error_broken(struct sb_error *error, const char *what)
{
    return sb_error_set(error, SB_BROKEN, "%s: something went wrong that should not: please report it", what);
}

enum sb_status sb_error_stuck(struct sb_error *error, enum sb_status status, const char *scheme,
                              uint64_t seed)
{
    return sb_error_set(
        error, status,
        "%s with seed %llu gives the same few answers over and over: take another seed, generator or draw",
        scheme, (unsigned long long)seed);
}
