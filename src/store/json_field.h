/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads fields of an untrusted JSON object: each field must be present, of its type and in its range. The
 * reader keeps the first fault with its place, "keys[2].total"; all values after it are 0. Jansson parses the
 * JSON.
 */
#ifndef SB_STORE_JSON_FIELD_H
#define SB_STORE_JSON_FIELD_H

#include "shufflebias.h"

#include <jansson.h>
#include <stdio.h>

enum {
    SB_JSON_FIELD_PLACE = 128,
    SB_JSON_FIELD_WHAT = 224, /* what a field must be, such as the name of a scheme */
};

/* The current place in the file, and the first fault. */
struct sb_json_field_reader {
    const char *path;
    const char *kind, *article; /* what the file should contain: "ledger", "a ledger" */
    const char *remedy;         /* what to do if it does not: "restore it" */
    struct sb_error *error;
    enum sb_status status;
    unsigned schema; /* the number of the file's schema; 0: all schemas have the same fields */
    char place[SB_JSON_FIELD_PLACE]; /* the current object, followed by a point; "" at the top */
};

/* Whether there is a file to read. If there is none, the status is SB_OK for a missing file, and an error for
 * a broken link. */
bool sb_json_field_is_there(struct sb_json_field_reader *in);

/* Parses the file, or this stream of the file. The caller frees the value. NULL after a fault. */
json_t *sb_json_field_load(struct sb_json_field_reader *in);
json_t *sb_json_field_load_stream(struct sb_json_field_reader *in, FILE *stream);

/* Opens the file; the caller closes it. NULL after a fault. */
FILE *sb_json_field_open(struct sb_json_field_reader *in);

/* Records a fault of the field, if it is the first: "keys[2].total must be ..." */
void sb_json_field_fail(struct sb_json_field_reader *in, const char *field, const char *what);

/* Begins an object: FIELD or FIELD[index] of the current object. False if it is not an object, or has a field
 * outside this list. The caller ends it with sb_json_field_leave(). The field "" is the whole file. */
bool sb_json_field_enter(struct sb_json_field_reader *in, const char *field, const json_t *object,
                         const char *const fields[]);
bool sb_json_field_enter_at(struct sb_json_field_reader *in, const char *field, size_t index,
                            const json_t *object, const char *const fields[]);
void sb_json_field_leave(struct sb_json_field_reader *in);

uint64_t sb_json_field_integer(struct sb_json_field_reader *in, const json_t *object, const char *field,
                               uint64_t low, uint64_t high);
/* The value, for one that fits in a size_t, as sb_json_field_integer() reads it. */
size_t sb_json_field_size(struct sb_json_field_reader *in, const json_t *object, const char *field,
                          size_t low, size_t high);
/* The value, if it is from `low` to `high`, which is below UINT64_MAX; else a fault, and 0. */
uint64_t sb_json_field_within(struct sb_json_field_reader *in, const char *field, uint64_t value,
                              uint64_t low, uint64_t high);
bool sb_json_field_bool(struct sb_json_field_reader *in, const json_t *object, const char *field);

/* Reads a text that must be one of `names`, which NULL ends; returns its index. */
size_t sb_json_field_choice(struct sb_json_field_reader *in, const json_t *object, const char *field,
                            const char *const names[]);

/* Reads a value of 16 hexadecimal digits. */
uint64_t sb_json_field_hash(struct sb_json_field_reader *in, const char *field, const json_t *value);

/* Checks that a text equals this one. */
void sb_json_field_same(struct sb_json_field_reader *in, const json_t *object, const char *field,
                        const char *is);

/* Copies a text, which the caller frees; NULL for null, if that is allowed. */
char *sb_json_field_string(struct sb_json_field_reader *in, const json_t *object, const char *field,
                           bool may_be_null);

/* Copies a text, which the caller frees; NULL for NULL, and after a fault. */
char *sb_json_field_copy(struct sb_json_field_reader *in, const char *text);

/* An array of at most `most` elements; NULL if it is not an array, or after a fault. */
const json_t *sb_json_field_array(struct sb_json_field_reader *in, const json_t *object, const char *field,
                                  size_t most);

/* Allocates zeroed memory for values, which the caller frees. NULL after a fault. */
void *sb_json_field_room(struct sb_json_field_reader *in, size_t count, size_t size);

#endif
