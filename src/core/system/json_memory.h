/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads JSON completely or not at all. If memory runs out, Jansson drops characters from a string and still
 * returns the value, so a string in a saved file would silently change.
 *
 * If Jansson allocates with malloc() when the library is loaded, the library makes Jansson use an allocation
 * function of the library. This function records, for each thread, whether an allocation failed. A program
 * may set allocation functions of its own, before or after the library is loaded. Then the program's
 * functions stay in place, and a string may be truncated when memory runs out.
 */
#ifndef SB_CORE_SYSTEM_JSON_MEMORY_H
#define SB_CORE_SYSTEM_JSON_MEMORY_H

#include <jansson.h>
#include <stdio.h>

/* Reads the value in a stream; duplicate keys are an error. NULL with errno ENOMEM: memory ran out. NULL with
 * errno 0: the stream is not JSON, and `fault` says why. NULL with another errno: the stream cannot be
 * read. */
json_t *sb_json_load(FILE *stream, json_error_t *fault);

/* Reads any value in `length` bytes of text; otherwise like sb_json_load(). */
json_t *sb_json_load_text(const char text[], size_t length, json_error_t *fault);

#endif
