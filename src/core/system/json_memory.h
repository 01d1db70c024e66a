/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON that is read whole or not at all. Jansson leaves characters out of a string when it gets no memory for
 * them, and returns the value as if nothing had happened: the string of a saved file would be another one.
 *
 * When the library is loaded, and Jansson allocates with malloc(), the library puts a function before that.
 * The function notes a failure, for the thread in which it happens. A program that sets functions of its own,
 * before or after, keeps them, and then a string may be cut when there is no memory.
 */
#ifndef SB_CORE_SYSTEM_JSON_MEMORY_H
#define SB_CORE_SYSTEM_JSON_MEMORY_H

#include <jansson.h>
#include <stdio.h>

/* The value in a stream, without duplicate keys. NULL with errno ENOMEM: there was no memory for all of it;
 * NULL with another errno: the stream cannot be read, or, with 0, is not JSON, which `fault` describes. */
json_t *sb_json_load(FILE *stream, json_error_t *fault);

#endif
