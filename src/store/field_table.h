/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Saved records. A table lists the fields of a schema's JSON object, in the order of the file, and says where
 * each stands in a struct, the record. The table is all that it takes to read the object strictly, to write
 * it, to compare two records, and to free one.
 *
 * A field that is no single value (counts, looks, openings) is a part, with functions of its own.
 */
#ifndef SB_STORE_FIELD_TABLE_H
#define SB_STORE_FIELD_TABLE_H

#include "store/json_field.h"

struct sb_json;
struct sb_mismatch;

enum { SB_STORE_FIELDS_MOST = 32 }; /* of a table */

enum sb_store_kind {
    SB_STORE_INTEGER,   /* uint64_t, from `low` to `high` */
    SB_STORE_SIZE,      /* size_t, likewise */
    SB_STORE_BOOL,      /* bool */
    SB_STORE_LEVEL,     /* double: a level of error, from 1e-100 to 1 */
    SB_STORE_SHARE,     /* double, from 0 to 1 */
    SB_STORE_HASH,      /* uint64_t, as 16 hexadecimal digits */
    SB_STORE_TEXT,      /* const char *; a record that was read owns it */
    SB_STORE_CHOICE,    /* const char *, one of `choices`, which are static */
    SB_STORE_OBJECT,    /* a struct with the table `fields` */
    SB_STORE_PART,      /* whatever `read` and `write` make of it */
    SB_STORE_ELSEWHERE, /* only a name: another part or the file's frame reads and writes it */
};

/* Reads a part out of the object, called only while all before it is sound; and writes it. `part` is where it
 * stands in the record, or the record itself. */
typedef void sb_store_reader(struct sb_json_field_reader *in, const json_t *object, void *part);
typedef void sb_store_writer(struct sb_json *json, const void *part);

/* A row of a table; after the last stands one without a name. */
struct sb_store_field {
    const char *name;
    enum sb_store_kind kind;
    size_t at;          /* where it stands in the record: offsetof() */
    uint64_t low, high; /* the range of an integer; high 0: 2^63 - 1 */
    const char *most;   /* an earlier field, which the number may not exceed; NULL: none */
    bool null;          /* 0 or NULL is null in the file */
    bool (*given)(
        const void *record);    /* whether there is a value, or null in the file; NULL: there always is one */
    bool optional;              /* a file may lack it, and then it is 0 */
    unsigned since;             /* the first schema number that has it; 0: all have */
    const char *const *choices; /* of a choice, NULL behind the last */
    const struct sb_store_field *fields; /* of an object */
    bool same;         /* a run that resumes must ask for the same by the option of this name */
    const char *usual; /* of a text: what NULL means to that run; NULL: that it was not given */
    sb_store_reader *read;
    sb_store_writer *write;
};

/* Which number a file's schema has, of 1 to that of `newest`, "shufflebias.ledger/2"; 0, and a fault unless
 * `in` is NULL: the file has another schema. */
unsigned sb_store_schema(struct sb_json_field_reader *in, const json_t *top, const char *newest);

/* Begins an object, as sb_json_field_enter(): false if it is none, or has a field that is not in the table. */
bool sb_store_enter(struct sb_json_field_reader *in, const char *name, const json_t *object,
                    const struct sb_store_field fields[]);

/* Reads the fields of an object that was begun into a record of zeroes; sb_store_free() frees the record, also
 * after a fault. */
void sb_store_take(struct sb_json_field_reader *in, const json_t *object,
                   const struct sb_store_field fields[], void *record);

/* Begins an object, reads its fields and ends it. */
void sb_store_read(struct sb_json_field_reader *in, const char *name, const json_t *object,
                   const struct sb_store_field fields[], void *record);

/* Writes the fields into an object that is open; sb_store_write_object() opens and closes it, too. */
void sb_store_write(struct sb_json *json, const struct sb_store_field fields[], const void *record);
void sb_store_write_object(struct sb_json *json, const char *name, const struct sb_store_field fields[],
                           const void *record);

/* Notes the first field that must be the same, and in which the record of a run that resumes, `is`, differs
 * from that of the file, `was`. */
void sb_store_compare(const struct sb_store_field fields[], const void *was, const void *is,
                      struct sb_mismatch *differs);

/* Frees the texts of a record that was read; fine twice, and on zeroes. */
void sb_store_free(const struct sb_store_field fields[], void *record);

#endif
