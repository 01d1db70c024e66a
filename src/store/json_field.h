/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads fields of an untrusted JSON object. Each field must be present, have its type and be in its range.
 * The reader records the first fault and its place, such as "keys[2].total". After a fault, all values that
 * it reads are 0. Jansson parses the JSON.
 */
#ifndef SB_STORE_JSON_FIELD_H
#define SB_STORE_JSON_FIELD_H

#include "core/calls.h"

#include <jansson.h>
#include <stdio.h>

enum {
    SB_JSON_FIELD_PLACE = 128,
    /* bytes of a text that says what a field must be, such as "the name of a scheme" */
    SB_JSON_FIELD_WHAT = 224,
};

/* The current place in the file, and the first fault. */
struct sb_json_field_reader {
    const char *path;
    /* `kind`: what the file should contain, such as "ledger"; `article`: the same with its article, such as
     * "a ledger" */
    const char *kind, *article;
    const char *remedy; /* what to do if the file is damaged, such as "restore it" */
    struct sb_error *error;
    enum sb_status status;
    unsigned schema; /* the number of the file's schema; 0: all schemas have the same fields */
    /* the place of the current object, followed by a point; "" for the whole file */
    char place[SB_JSON_FIELD_PLACE];
};

/* Whether there is a file to read. If the result is false, the status is SB_OK for a missing file and an
 * error for a broken link. */
bool sb_json_field_is_there(struct sb_json_field_reader *in);

/* sb_json_field_load() opens and parses the file; sb_json_field_load_stream() parses the open file. The
 * caller frees the value. NULL after a fault. */
json_t *sb_json_field_load(struct sb_json_field_reader *in);
json_t *sb_json_field_load_stream(struct sb_json_field_reader *in, FILE *stream);

/* Opens the file; the caller closes it. NULL after a fault. */
FILE *sb_json_field_open(struct sb_json_field_reader *in);

/* Records a fault of a field, such as "keys[2].total must be ...". Does nothing if there already is a
 * fault. */
void sb_json_field_fail(struct sb_json_field_reader *in, const char *field, const char *what);

/* Begins an object that is inside the current object: FIELD or, with sb_json_field_enter_at(), FIELD[index].
 * If `field` is "", the object is the whole file. Returns false if the value is not an object or has a field
 * that is not in `fields`. The caller ends the object with sb_json_field_leave(). */
bool sb_json_field_enter(struct sb_json_field_reader *in, const char *field, const json_t *object,
                         const char *const fields[]);
bool sb_json_field_enter_at(struct sb_json_field_reader *in, const char *field, size_t index,
                            const json_t *object, const char *const fields[]);
void sb_json_field_leave(struct sb_json_field_reader *in);

uint64_t sb_json_field_integer(struct sb_json_field_reader *in, const json_t *object, const char *field,
                               uint64_t low, uint64_t high);
/* Does what sb_json_field_integer() does, for a size_t. */
size_t sb_json_field_size(struct sb_json_field_reader *in, const json_t *object, const char *field,
                          size_t low, size_t high);
/* Returns `value` if it is in low..high. Otherwise records a fault and returns 0. `high` must be below
 * UINT64_MAX. */
uint64_t sb_json_field_within(struct sb_json_field_reader *in, const char *field, uint64_t value,
                              uint64_t low, uint64_t high);
bool sb_json_field_bool(struct sb_json_field_reader *in, const json_t *object, const char *field);

/* Reads a text that must be one of `names`, and returns the index of the name. The list ends in NULL. */
size_t sb_json_field_choice(struct sb_json_field_reader *in, const json_t *object, const char *field,
                            const char *const names[]);

/* Reads a value of 16 hexadecimal digits. */
uint64_t sb_json_field_hash(struct sb_json_field_reader *in, const char *field, const json_t *value);

/* Checks that a text equals `is`. */
void sb_json_field_same(struct sb_json_field_reader *in, const json_t *object, const char *field,
                        const char *is);

/* Copies a text; the caller frees the copy. If `may_be_null` is true, null is allowed and gives NULL. */
char *sb_json_field_string(struct sb_json_field_reader *in, const json_t *object, const char *field,
                           bool may_be_null);

/* Copies a text; the caller frees the copy. NULL if `text` is NULL, and after a fault. */
char *sb_json_field_copy(struct sb_json_field_reader *in, const char *text);

/* An array of at most `most` elements; NULL if the field is anything else, or after a fault. */
const json_t *sb_json_field_array(struct sb_json_field_reader *in, const json_t *object, const char *field,
                                  size_t most);

/* Allocates zeroed memory for `count` values. The caller frees the memory. NULL after a fault. */
void *sb_json_field_room(struct sb_json_field_reader *in, size_t count, size_t size);

#endif
