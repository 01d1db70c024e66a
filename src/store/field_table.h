/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of fields for saved records. A table lists the fields of a schema's JSON object in the order of the
 * file. For each field, the table gives the offset in a struct. This struct is called the record. From the
 * table alone, the functions below read an object strictly, write an object, compare two records, and free a
 * record.
 *
 * A field that is not a single value (counts, looks, fingerprints) is called a part; its row names a reader
 * and a writer.
 */
#ifndef SB_STORE_FIELD_TABLE_H
#define SB_STORE_FIELD_TABLE_H

#include "store/json_field.h"

struct sb_json;
struct sb_mismatch;

enum { SB_STORE_FIELDS_MOST = 32 }; /* the most rows of a table */

enum sb_store_kind {
    SB_STORE_INTEGER, /* uint64_t in low..high */
    SB_STORE_SIZE,    /* size_t in low..high */
    SB_STORE_BOOL,    /* bool */
    SB_STORE_LEVEL,   /* double: an error probability, at least 1e-100 and below 1 */
    SB_STORE_SHARE,   /* double, from 0 to 1 */
    SB_STORE_HASH,    /* uint64_t, as 16 hexadecimal digits */
    SB_STORE_TEXT,    /* const char *; owned by a record that was read from a file */
    SB_STORE_CHOICE,  /* const char *, one of `choices`, which are static */
    SB_STORE_OBJECT,  /* a struct with the table `fields` */
    SB_STORE_PART,    /* any value, which the functions `read` and `write` of the row handle */
    /* the row has only a name, because the reader of another part or of the whole file handles the field */
    SB_STORE_ELSEWHERE,
};

/* sb_store_reader reads a part from the object, and sb_store_writer writes a part. The reader is called only
 * if all fields before the part are valid. `part` is the address of the part in the record, or of the record
 * itself. */
typedef void sb_store_reader(struct sb_json_field_reader *in, const json_t *object, void *part);
typedef void sb_store_writer(struct sb_json *json, const void *part);

/* A row of a table; a row without a name ends the table. */
struct sb_store_field {
    const char *name;
    enum sb_store_kind kind;
    unsigned since; /* the lowest schema number with this field; 0: all schemas have the field */
    bool null;      /* a value of 0 or NULL is written as null in the file */
    bool optional;  /* the field may be missing, and its value is then 0 */
    bool omitted;   /* a text of NULL is left out of the file, so that older versions can read the file */
    bool same;      /* in a run that resumes, the option with the field's name must have the same value */
    bool shown; /* a text that people read and nothing else uses: the reader makes the text safe to show */
    size_t at;  /* offset of the field in the record */
    uint64_t low, high; /* the range of an integer; high = 0 stands for 2^63 - 1 */
    /* name of an earlier field whose value is an upper bound of this number; NULL: no such bound */
    const char *most;
    /* returns whether the field has a value; if not, the field is null. If the pointer `given` is NULL, the
     * field always has a value */
    bool (*given)(const void *record);
    const char *const *choices;          /* values of a choice; NULL ends the list */
    const struct sb_store_field *fields; /* fields of an object */
    /* default of a text; the record stores the default as NULL. If `usual` is NULL, the text has no
     * default */
    const char *usual;
    sb_store_reader *read;
    sb_store_writer *write;
};

/* Returns the number of a file's schema. If `newest` is "shufflebias.ledger/N", the number is in 1..N. If the
 * file has another schema, returns 0 and, unless `in` is NULL, records a fault. */
unsigned sb_store_schema(struct sb_json_field_reader *in, const json_t *top, const char *newest);

/* Begins an object as sb_json_field_enter() does. Returns false if `object` is not an object or has an
 * unknown field. */
bool sb_store_enter(struct sb_json_field_reader *in, const char *name, const json_t *object,
                    const struct sb_store_field fields[]);

/* Reads the fields of an object into a zeroed record. Call this function after sb_store_enter(). The caller
 * frees the record with sb_store_free(), even after a fault. */
void sb_store_take(struct sb_json_field_reader *in, const json_t *object,
                   const struct sb_store_field fields[], void *record);

/* Begins an object, reads the fields and ends the object. */
void sb_store_read(struct sb_json_field_reader *in, const char *name, const json_t *object,
                   const struct sb_store_field fields[], void *record);

/* sb_store_write() writes the fields into an open object; sb_store_write_object() also opens and closes the
 * object. */
void sb_store_write(struct sb_json *json, const struct sb_store_field fields[], const void *record);
void sb_store_write_object(struct sb_json *json, const char *name, const struct sb_store_field fields[],
                           const void *record);

/* Sets *differs to the first field whose values must be equal in both records (see `same`) but are not. `was`
 * is the record in the file; `is` is the record of the run that resumes. */
void sb_store_compare(const struct sb_store_field fields[], const void *was, const void *is,
                      struct sb_mismatch *differs);

/* Frees the texts of a record that was read from a file. A second call for the same record, and a zeroed
 * record, are allowed. */
void sb_store_free(const struct sb_store_field fields[], void *record);

#endif
