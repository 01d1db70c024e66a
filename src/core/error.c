/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors: a status for the program, and one line of text for people. */
#include "core/core.h"

#include "core/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool sb_error_field_next(const char *text, struct sb_error_field *field)
{
    for (const char *start = text; (start = strchr(start, '`')); start++) {
        const char *const name = start + 1, *const after = name + strspn(name, "abcdefghijklmnopqrstuvwxyz_");
        const bool stated = strncmp(after, " = ", 3) == 0;
        const char *const value = after + (stated ? 3 : *after == '='), *const end = strchr(value, '`');

        if ((start > text && !strchr(" (", start[-1])) || after == name || !end ||
            (value == after ? end != after : end == value))
            continue;
        *field = (struct sb_error_field) {
            .start = start,
            .end = end + 1,
            .name = name,
            .name_length = (int)(after - name),
            .value = value,
            .value_length = (int)(end - value),
            .stated = stated,
        };
        return true;
    }
    return false;
}

/* Finds the first field in the line. Sets error->field to the field's name and error->value to its value. The
 * function skips names of functions, which also stand between backquotes. */
static void error_find_field(struct sb_error *error)
{
    struct sb_error_field found;
    const char *at = error->text;

    error->field[0] = error->value[0] = '\0';
    while (sb_error_field_next(at, &found)) {
        at = found.end;
        if (strncmp(found.name, "sb_", 3) == 0)
            continue;
        snprintf(error->field, sizeof error->field, "%.*s", found.name_length, found.name);
        snprintf(error->value, sizeof error->value, "%.*s", found.value_length, found.value);
        return;
    }
}

enum sb_status sb_error_set(struct sb_error *error, enum sb_status status, const char *format, ...)
{
    va_list arguments;

    if (!error)
        return status;
    char text[sizeof error->text];

    error->status = status;
    va_start(arguments, format);
    sb_decimal_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    /* the text may contain file names, which may contain any character */
    sb_sanitize_log_text(text, error->text, sizeof error->text);
    error_find_field(error);
    return status;
}

enum sb_status sb_error_deal(struct sb_error *error, size_t deal, size_t n)
{
    if (n == 1)
        return sb_error_set(error, SB_INVALID, "`deal=%zu`: there is only 1 item", deal);
    return sb_error_set(error, SB_INVALID, "`deal=%zu`: there are only %zu items", deal, n);
}

enum sb_status sb_error_null(struct sb_error *error, const char *what)
{
    return sb_error_set(error, SB_INVALID, "%s is NULL: name one", what);
}

enum sb_status sb_error_memory(struct sb_error *error, const char *what)
{
    return sb_error_set(error, SB_NO_MEMORY, "not enough memory for %s: ask for a smaller n", what);
}

enum sb_status sb_error_broken(struct sb_error *error, const char *what)
{
    return sb_error_set(error, SB_BROKEN, "%s: something went wrong that should not: please report it" SB_BUGS, what);
}

enum sb_status sb_error_stuck(struct sb_error *error, enum sb_status status, const char *scheme, uint64_t seed)
{
    return sb_error_set(
        error, status,
        "%s with seed %llu gives the same few answers over and over: take another seed, generator or draw", scheme,
        (unsigned long long)seed);
}

bool sb_level_is(double level)
{
    return level >= 1e-100 && level < 1;
}
