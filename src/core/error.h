/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors: a status for the program, and one line of text for people. */
#ifndef SB_CORE_ERROR_H
#define SB_CORE_ERROR_H

#include "shufflebias.h"

/*
 * Writes the line (lower case, the offender and the remedy, no full stop) and returns the status, so that a
 * function can end with `return sb_error_set(error, SB_INVALID, ...)`. `error` may be NULL.
 *
 * The line names a field of the public header between backquotes: `deal`, with a value that the caller sets or may
 * set `deal=4`, and where the line is about the value itself `deal = 4`. A function of the header stands
 * between backquotes, too. The first field and its value become error->field and error->value.
 */
__attribute__((format(printf, 3, 4))) enum sb_status
sb_error_set(struct sb_error *error, enum sb_status status, const char *format, ...);

/* A name between backquotes in the line of an error. All pointers point into the line. */
struct sb_error_field {
    const char *start, *end; /* of all of it: the first backquote, and behind the last */
    const char *name, *value;
    int name_length, value_length; /* bytes; a value of 0 bytes: there is none */
    bool stated;                   /* " = " stands between name and value, not "=" */
};

/* Finds the first of them in the text, where a word may begin, so that names of files hardly ever have one; false
 * where there is none. */
bool sb_error_field_next(const char *text, struct sb_error_field *field);

/* The line for more cards dealt than there are, SB_INVALID. */
enum sb_status sb_error_deal(struct sb_error *error, size_t deal, size_t n);

/* The usual line for SB_NO_MEMORY: `what` could not be had. */
enum sb_status sb_error_memory(struct sb_error *error, const char *what);

/* The usual line for SB_BROKEN: a fault of this library stopped `what`. */
enum sb_status sb_error_broken(struct sb_error *error, const char *what);

/* The usual line, with this status, for a shuffle that waits for a draw that this seed never gives. */
enum sb_status sb_error_stuck(struct sb_error *error, enum sb_status status, const char *scheme,
                              uint64_t seed);

#endif
