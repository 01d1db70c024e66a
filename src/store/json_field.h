/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fields of a JSON object that is not believed: each has to be there, of its type and in its range. The first
 * fault is kept with its place, "keys[2].total"; what is read after it is 0. Jansson knows JSON.
 */
#ifndef SB_STORE_JSON_FIELD_H
#define SB_STORE_JSON_FIELD_H

#include "shufflebias.h"

#include <jansson.h>
#include <stdio.h>

enum {
    SB_JSON_FIELD_PLACE = 128,
    SB_JSON_FIELD_WHAT = 224, /* what a field must be: the name of a scheme, say */
};

/* Where in the file we are, and what was wrong there first. */
struct sb_json_field_reader {
    const char *path;
    const char *kind, *article; /* what it should hold: "ledger", "a ledger" */
    const char *remedy;         /* what to do where it does not: "restore it" */
    struct sb_error *error;
    enum sb_status status;
    unsigned schema; /* the number of the file's schema; 0: fields are the same in all */
    char
        place[SB_JSON_FIELD_PLACE]; /* the object that is being read, with a point behind it; "" at the top */
};

/* Whether there is a file to be read; where there is none the status says whether that is as it may be: a
 * link to nothing is not nothing. */
bool sb_json_field_is_there(struct sb_json_field_reader *in);

/* The text of the file, or of this stream, which is the file's; owned by the caller. NULL after a fault. */
json_t *sb_json_field_load(struct sb_json_field_reader *in);
json_t *sb_json_field_load_stream(struct sb_json_field_reader *in, FILE *stream);

/* Opens the file, to be closed by the caller. NULL after a fault. */
FILE *sb_json_field_open(struct sb_json_field_reader *in);

/* Keeps a fault of the field, if it is the first: "keys[2].total must be ..." */
void sb_json_field_fail(struct sb_json_field_reader *in, const char *field, const char *what);

/* Begins an object, FIELD or FIELD[index] of the one that is being read; false where it is none, or has other
 * fields than these. Ended with sb_json_field_leave(). The field "" is the whole file. */
bool sb_json_field_enter(struct sb_json_field_reader *in, const char *field, const json_t *object,
                         const char *const fields[]);
bool sb_json_field_enter_at(struct sb_json_field_reader *in, const char *field, size_t index,
                            const json_t *object, const char *const fields[]);
void sb_json_field_leave(struct sb_json_field_reader *in);

uint64_t sb_json_field_integer(struct sb_json_field_reader *in, const json_t *object, const char *field,
                               uint64_t low, uint64_t high);
/* The same where `high` is a size of this machine. */
size_t sb_json_field_size(struct sb_json_field_reader *in, const json_t *object, const char *field,
                          size_t low, size_t high);
/* The value, if it is from `low` to `high`, which is below UINT64_MAX; else a fault, and 0. */
uint64_t sb_json_field_within(struct sb_json_field_reader *in, const char *field, uint64_t value,
                              uint64_t low, uint64_t high);
bool sb_json_field_bool(struct sb_json_field_reader *in, const json_t *object, const char *field);

/* A text that has to be one of these, NULL behind the last; its place among them. */
size_t sb_json_field_choice(struct sb_json_field_reader *in, const json_t *object, const char *field,
                            const char *const names[]);

/* A value of the field, written with 16 hexadecimal digits. */
uint64_t sb_json_field_hash(struct sb_json_field_reader *in, const char *field, const json_t *value);

/* A text that has to be this. */
void sb_json_field_same(struct sb_json_field_reader *in, const json_t *object, const char *field,
                        const char *is);

/* A copy, the caller's; NULL for null, where that may be. */
char *sb_json_field_string(struct sb_json_field_reader *in, const json_t *object, const char *field,
                           bool may_be_null);

/* A copy of a text, the caller's; NULL for NULL, and after a fault. */
char *sb_json_field_copy(struct sb_json_field_reader *in, const char *text);

/* An array of at most so many; NULL where it is none, or after a fault. */
const json_t *sb_json_field_array(struct sb_json_field_reader *in, const json_t *object, const char *field,
                                  size_t most);

/* Memory for what is read, zeroes; the caller's. NULL after a fault. */
void *sb_json_field_room(struct sb_json_field_reader *in, size_t count, size_t size);

#endif
