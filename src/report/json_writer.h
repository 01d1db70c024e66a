/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A writer of JSON without a buffer, so that a matrix of a million cells needs no memory. Inside an object
 * every value has a key; inside an array the key is NULL. The caller finds errors of the stream with
 * ferror().
 */
#ifndef SB_REPORT_JSON_WRITER_H
#define SB_REPORT_JSON_WRITER_H

#include "core/core.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { SB_JSON_DEPTH_MOST = 16 };

struct sb_json {
    FILE *stream;
    unsigned depth;                  /* number of open objects and arrays */
    bool full;                       /* whether the innermost object or array already has a member */
    bool flat[SB_JSON_DEPTH_MOST];   /* by depth: whether all members are on one line */
    char closer[SB_JSON_DEPTH_MOST]; /* by depth: the closing byte, '}' or ']' */
};

void sb_json_object(struct sb_json *json, const char *key);
void sb_json_array(struct sb_json *json, const char *key, bool flat);
void sb_json_close(struct sb_json *json);

void sb_json_null(struct sb_json *json, const char *key);
void sb_json_bool(struct sb_json *json, const char *key, bool value);
void sb_json_integer(struct sb_json *json, const char *key, uint64_t value);
/* Writes a number; writes null for a number that is not finite. */
void sb_json_real(struct sb_json *json, const char *key, double value);
/* Writes a string; writes null for NULL. Escapes the characters that JSON forbids, and replaces malformed
 * UTF-8. */
void sb_json_string(struct sb_json *json, const char *key, const char *value);
/* Writes the names of items as the array `items`. If items are numbers from 0, writes the integer `base` instead.
 * Writes nothing if items are numbers from 1. */
void sb_json_item_names(struct sb_json *json, const struct sb_item_names *names);
/* Writes a hash as a string of 16 hexadecimal digits, because numbers in JSON may have too few bits. */
void sb_json_hash(struct sb_json *json, const char *key, uint64_t value);
/* Begins a value that the caller writes to the returned stream. */
FILE *sb_json_value(struct sb_json *json, const char *key);

#endif
