/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors: a status for the program, and one line of text for people. */
#ifndef SB_CORE_ERROR_H
#define SB_CORE_ERROR_H

#include "shufflebias.h"

/*
 * Writes the line (lower case, the offender and the remedy, no full stop) and returns the status, so that a
 * function can end with `return sb_error_set(error, SB_INVALID, ...)`. `error` may be NULL.
 *
 * The line names a field of the public header between backquotes. It writes `deal` for the field alone,
 * `deal=4` for a value that the caller has set or could set, and `deal = 4` if the line is about the value
 * itself. Names of public functions stand between backquotes, too. The first field and its value become
 * error->field and error->value.
 */
__attribute__((format(printf, 3, 4))) enum sb_status
sb_error_set(struct sb_error *error, enum sb_status status, const char *format, ...);

/* A name between backquotes in the line of an error. All pointers point into the line. */
struct sb_error_field {
    const char *start, *end; /* the first backquote, and the byte after the last one */
    const char *name, *value;
    int name_length, value_length; /* lengths in bytes; value_length is 0 if there is no value */
    bool stated;                   /* " = " stands between name and value, not "=" */
};

/* Finds the first field in the text; returns false if there is none. A field must stand where a word can
 * begin, so that file names rarely look like fields. */
bool sb_error_field_next(const char *text, struct sb_error_field *field);

/* Writes the usual line, SB_INVALID, for a request to deal more cards than there are. */
enum sb_status sb_error_deal(struct sb_error *error, size_t deal, size_t n);

/* Writes the usual line for SB_NO_MEMORY: memory ran out for `what`. */
enum sb_status sb_error_memory(struct sb_error *error, const char *what);

/* Writes the usual line for SB_BROKEN: a fault of this library stopped `what`. */
enum sb_status sb_error_broken(struct sb_error *error, const char *what);

/* Writes the usual line, with this status, for a shuffle that waits for a draw that this seed never
 * yields. */
enum sb_status sb_error_stuck(struct sb_error *error, enum sb_status status, const char *scheme,
                              uint64_t seed);

#endif
