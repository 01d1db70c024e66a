/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors: a status for the program, and one line of text for people. */
#ifndef SB_CORE_ERROR_H
#define SB_CORE_ERROR_H

#include "shufflebias.h"

/*
 * Writes the line and returns the status, so that a function can end with `return sb_error_set(error,
 * SB_INVALID, ...)`. The line names the offender and the remedy, in lower case and without a full stop.
 * `error` may be NULL.
 */
__attribute__((format(printf, 3, 4))) enum sb_status
sb_error_set(struct sb_error *error, enum sb_status status, const char *format, ...);

/* The usual line for SB_NO_MEMORY: there is not enough memory for `what`. */
enum sb_status sb_error_memory(struct sb_error *error, const char *what);

/* The usual line for SB_BROKEN: a fault of this library stopped `what`. */
enum sb_status sb_error_broken(struct sb_error *error, const char *what);

/* The usual line, with this status, for a shuffle that waits for a draw that this seed never gives. */
enum sb_status sb_error_stuck(struct sb_error *error, enum sb_status status, const char *scheme,
                              uint64_t seed);

#endif
