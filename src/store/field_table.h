/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of fields for saved records. A table lists the fields of a schema's JSON object, in the order of the
 * file, and the offset of each in a struct, the record. The table is enough to read the object strictly, to
 * write it, to compare two records, and to free one.
 *
 * A field that is not a single value (counts, looks, fingerprints) is a part, which has its own functions.
 */
#ifndef SB_STORE_FIELD_TABLE_H
#define SB_STORE_FIELD_TABLE_H

#include "store/json_field.h"

struct sb_json;
struct sb_mismatch;

enum { SB_STORE_FIELDS_MOST = 32 }; /* the most rows of a table */

enum sb_store_kind {
    SB_STORE_INTEGER,   /* uint64_t, from `low` to `high` */
    SB_STORE_SIZE,      /* size_t, from `low` to `high` */
    SB_STORE_BOOL,      /* bool */
    SB_STORE_LEVEL,     /* double: a level of error, from 1e-100 to 1 */
    SB_STORE_SHARE,     /* double, from 0 to 1 */
    SB_STORE_HASH,      /* uint64_t, as 16 hexadecimal digits */
    SB_STORE_TEXT,      /* const char *; a record that was read owns it */
    SB_STORE_CHOICE,    /* const char *, one of `choices`, which are static */
    SB_STORE_OBJECT,    /* a struct with the table `fields` */
    SB_STORE_PART,      /* any value, with the functions `read` and `write` */
    SB_STORE_ELSEWHERE, /* a name only: another part, or the frame of the file, reads and writes it */
};

/* Read a part from the object, and write it. The reader is called only if everything before the part was
 * valid. `part` is the address of the part in the record, or of the record itself. */
typedef void sb_store_reader(struct sb_json_field_reader *in, const json_t *object, void *part);
typedef void sb_store_writer(struct sb_json *json, const void *part);

/* A row of a table; a row without a name ends the table. */
struct sb_store_field {
    const char *name;
    enum sb_store_kind kind;
    unsigned since;     /* the first schema number with this field; 0: all have it */
    bool null;          /* 0 or NULL is written as null */
    bool optional;      /* may be missing, and then is 0 */
    bool same;          /* a run that resumes must request the same value in the option of this name */
    size_t at;          /* offset of the field in the record */
    uint64_t low, high; /* the range of an integer; high 0: 2^63 - 1 */
    const char *most;   /* an earlier field that the number may not exceed; NULL: none */
    bool (*given)(const void *record);   /* whether the field has a value; if not, it is null; NULL: always */
    const char *const *choices;          /* values of a choice; NULL ends the list */
    const struct sb_store_field *fields; /* fields of an object */
    const char *usual;                   /* default of a text, which NULL stands for; NULL: no default */
    sb_store_reader *read;
    sb_store_writer *write;
};

/* The number of a file's schema, in 1..N if `newest` is number N, "shufflebias.ledger/N". Returns 0 if the
 * file has another schema, and reports a fault unless `in` is NULL. */
unsigned sb_store_schema(struct sb_json_field_reader *in, const json_t *top, const char *newest);

/* Begins an object, like sb_json_field_enter(): false if it is not an object, or has an unknown field. */
bool sb_store_enter(struct sb_json_field_reader *in, const char *name, const json_t *object,
                    const struct sb_store_field fields[]);

/* Reads the fields of an object that was begun into a zeroed record. The caller frees the record with
 * sb_store_free(), even after a fault. */
void sb_store_take(struct sb_json_field_reader *in, const json_t *object,
                   const struct sb_store_field fields[], void *record);

/* Begins an object, reads its fields and ends it. */
void sb_store_read(struct sb_json_field_reader *in, const char *name, const json_t *object,
                   const struct sb_store_field fields[], void *record);

/* Writes the fields into the open object; sb_store_write_object() also opens and closes the object. */
void sb_store_write(struct sb_json *json, const struct sb_store_field fields[], const void *record);
void sb_store_write_object(struct sb_json *json, const char *name, const struct sb_store_field fields[],
                           const void *record);

/* Notes the first field that must be the same but differs between the record of the file, `was`, and that of
 * a run that resumes, `is`. */
void sb_store_compare(const struct sb_store_field fields[], const void *was, const void *is,
                      struct sb_mismatch *differs);

/* Frees the texts of a record that was read; freeing twice, or freeing zeroes, is allowed. */
void sb_store_free(const struct sb_store_field fields[], void *record);

#endif
