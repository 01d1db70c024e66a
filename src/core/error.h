/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors: a status for the program, one line for the person. */
#ifndef SB_CORE_ERROR_H
#define SB_CORE_ERROR_H

#include "shufflebias.h"

/*
 * Writes the line (lower case, the offender and the remedy, no full stop) and returns the status, so that a
 * function can end with `return sb_error_set(error, SB_INVALID, ...)`. `error` may be NULL.
 */
__attribute__((format(printf, 3, 4))) enum sb_status
sb_error_set(struct sb_error *error, enum sb_status status, const char *format, ...);

/* The usual line for SB_NO_MEMORY: `what` could not be had. */
enum sb_status sb_error_memory(struct sb_error *error, const char *what);

/* The usual line for SB_BROKEN: `what` met with a fault of this library. */
enum sb_status sb_error_broken(struct sb_error *error, const char *what);

/* The usual line, with this status, for a shuffle that waits for an answer that this seed does not give. */
enum sb_status sb_error_stuck(struct sb_error *error, enum sb_status status, const char *scheme,
                              uint64_t seed);

#endif
