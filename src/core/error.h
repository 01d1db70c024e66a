/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors: a status for the program, and one line of text for people. */
#ifndef SB_CORE_ERROR_H
#define SB_CORE_ERROR_H

#include "core/calls.h"

/*
 * Writes the line of an error and returns the status, so that a function can end with `return
 * sb_error_set(error, SB_INVALID, ...)`. The line is in lower case, quotes the offender, names the remedy,
 * and has no full stop. `error` may be NULL.
 *
 * In the line, names of fields of the public header stand between backquotes, in three forms. `deal` is the
 * name alone. `deal=4` adds a value that the caller has set or could set. `deal = 4` is for a line about the
 * value itself. Names of public functions stand between backquotes, too. The first field and its value become
 * error->field and error->value.
 */
__attribute__((format(printf, 3, 4))) enum sb_status
sb_error_set(struct sb_error *error, enum sb_status status, const char *format, ...);

/* A name between backquotes in the line of an error. All pointers point into the line. */
struct sb_error_field {
    const char *start, *end; /* the opening backquote, and the byte after the closing one */
    const char *name, *value;
    int name_length, value_length; /* lengths in bytes; value_length is 0 if there is no value */
    bool stated;                   /* whether " = " stands between name and value, rather than "=" */
};

/* Finds the first name between backquotes in the text; returns false if there is no such name. A name must
 * stand where a word can begin, so that file names rarely look like fields. */
bool sb_error_field_next(const char *text, struct sb_error_field *field);

/* Writes the usual line for a request to deal more than n cards, and returns SB_INVALID. */
enum sb_status sb_error_deal(struct sb_error *error, size_t deal, size_t n);

/* Writes the usual line for a name or a list that is NULL, such as `what` = "the scheme", and returns SB_INVALID. */
enum sb_status sb_error_null(struct sb_error *error, const char *what);

/* Writes the usual line for SB_NO_MEMORY: memory ran out for `what`. */
enum sb_status sb_error_memory(struct sb_error *error, const char *what);

/* Writes the usual line for SB_BROKEN: a fault of this library stopped `what`. */
enum sb_status sb_error_broken(struct sb_error *error, const char *what);

/* Writes the usual line for a shuffle that never ends, because with this seed the generator never yields a
 * draw that the shuffle waits for. Returns `status`. */
enum sb_status sb_error_stuck(struct sb_error *error, enum sb_status status, const char *scheme,
                              uint64_t seed);

#endif
