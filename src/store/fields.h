/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Saved records as files of JSON. A table lists the fields of a JSON object in the order of the file, and for each
 * field its offset in a struct, which is called the record. From the table alone, the functions below read an object
 * strictly, write an object, and free a record. A reader trusts no file: each field must be present, have its type and
 * be in its range, and there may be no other fields.
 *
 * A field that is not a value or a list of values is called a part; its row names a reader and a writer.
 */
#ifndef SB_STORE_FIELDS_H
#define SB_STORE_FIELDS_H

#include "core/calls.h"

#include <jansson.h>

struct sb_json;

enum { SB_JSON_FIELD_PLACE = 128 };

/* The current place in the file, and the first fault. After a fault, all values that are read are 0. */
struct sb_json_field_reader {
    const char *path;
    /* `kind`: what the file should contain, such as "ledger"; `article`: the same with its article, such as
     * "a ledger" */
    const char *kind, *article;
    const char *remedy; /* what to do if the file is damaged, such as "restore it" */
    struct sb_error *error;
    enum sb_status status;
    /* the place of the current object, such as "keys[2]."; "" for the whole file */
    char place[SB_JSON_FIELD_PLACE];
};

enum sb_store_kind {
    SB_STORE_INTEGER,   /* uint64_t in low..high */
    SB_STORE_SIZE,      /* size_t in low..high */
    SB_STORE_BOOL,      /* bool */
    SB_STORE_LEVEL,     /* double: an error probability, at least 1e-100 and below 1 */
    SB_STORE_REAL,      /* double */
    SB_STORE_HASH,      /* uint64_t, as 16 hexadecimal digits */
    SB_STORE_TEXT,      /* const char *; owned by a record that was read from a file */
    SB_STORE_CHOICE,    /* const char *, one of `choices`, which are static */
    SB_STORE_OBJECT,    /* a struct with the table `fields` */
    SB_STORE_LIST,      /* values of the kind `item`, see there */
    SB_STORE_PART,      /* any value, which the functions `read` and `write` of the row handle */
    SB_STORE_ELSEWHERE, /* the row has only a name, because the reader of another part or of the file handles it */
};

/* Reads a part from the object, if all fields before the part are valid; writes a part. `part` is the address
 * of the part in the record, or of the record itself. */
typedef void sb_store_reader(struct sb_json_field_reader *in, const json_t *object, void *part);
typedef void sb_store_writer(struct sb_json *json, const void *part);

/* A row of a table; a row without a name ends the table. */
struct sb_store_field {
    const char *name;
    enum sb_store_kind kind, item; /* `item`: of a list, see below */
    bool owned;                    /* of a list, see below */
    bool null;                     /* a value of 0 or NULL is written as null in the file */
    bool optional;                 /* the field may be missing, and its value is then 0 */
    bool omitted;                  /* a value of 0 or NULL, or an empty list, is left out of the file */
    bool shown;         /* a text that people read and nothing else uses: the reader makes the text safe to show */
    size_t at;          /* offset of the field in the record */
    uint64_t low, high; /* the range of an integer, or of the length of a list; high = 0 stands for 2^63 - 1 */
    /* name of an earlier field whose value is an upper bound of this number; NULL: no such bound */
    const char *most;
    /* returns whether the field has a value; if not, the field is null. If the pointer `given` is NULL, the
     * field always has a value */
    bool (*given)(const void *record);
    const char *const *choices;          /* values of a choice; NULL ends the list */
    const struct sb_store_field *fields; /* fields of an object, or of the objects in a list */
    /*
     * The values of a list, of the kind `item`: INTEGER, REAL, HASH or OBJECT. They are an array at `at`, or if `owned`
     * is true, at the pointer there; `size` is the bytes of a value, and `count` the offset of their number, a size_t.
     * If low == high, this is their number, and `count` is not used. `what` is a fault's text, such as "must
     * be four numbers"; NULL: a usual text.
     */
    size_t size, count;
    const char *what;
    sb_store_reader *read; /* of a part; in other rows, checks a value that was read, with the whole record as `part` */
    sb_store_writer *write;
};

/* Records a fault of a field, such as "keys[2].total must be ...". Does nothing if there already is a fault. */
void sb_json_field_fail(struct sb_json_field_reader *in, const char *field, const char *what);

uint64_t sb_json_field_integer(struct sb_json_field_reader *in, const json_t *object, const char *field, uint64_t low,
                               uint64_t high);
/* Returns `value` if it is in low..high. Otherwise records a fault and returns 0. `high` must be below UINT64_MAX. */
uint64_t sb_json_field_within(struct sb_json_field_reader *in, const char *field, uint64_t value, uint64_t low,
                              uint64_t high);

/* Copies a text; the caller frees the copy. NULL if `text` is NULL, and after a fault. */
char *sb_json_field_copy(struct sb_json_field_reader *in, const char *text);

/* An array of at most `most` elements; NULL if the field is anything else, or after a fault. */
const json_t *sb_json_field_array(struct sb_json_field_reader *in, const json_t *object, const char *field,
                                  size_t most);

/* Allocates zeroed memory for `count` values. The caller frees the memory. NULL after a fault. */
void *sb_json_field_room(struct sb_json_field_reader *in, size_t count, size_t size);

/* Begins an object that is inside the current object. If `name` is "", the object is the whole file. Returns false if
 * `object` is not an object or has an unknown field. The caller ends the object with sb_store_leave(). */
bool sb_store_enter(struct sb_json_field_reader *in, const char *name, const json_t *object,
                    const struct sb_store_field fields[]);
void sb_store_leave(struct sb_json_field_reader *in);

/* Reads the fields of an object into a zeroed record, from sb_store_enter() to sb_store_leave(). The caller frees the
 * record with sb_store_free(), even after a fault. */
void sb_store_read(struct sb_json_field_reader *in, const char *name, const json_t *object,
                   const struct sb_store_field fields[], void *record);

/* sb_store_write() writes the fields into an open object; sb_store_write_object() also opens and closes the object. */
void sb_store_write(struct sb_json *json, const struct sb_store_field fields[], const void *record);
void sb_store_write_object(struct sb_json *json, const char *name, const struct sb_store_field fields[],
                           const void *record);

/* Frees the texts and lists of a record that was read from a file. A second call for the same record, and a zeroed
 * record, are allowed. */
void sb_store_free(const struct sb_store_field fields[], void *record);

/* ---- store/ledger.c: files ---- */

/* The kinds of files. Evidence ends in a checksum of all bytes before it; a ledger may be missing. */
enum sb_store_file { SB_STORE_EVIDENCE, SB_STORE_LEDGER };

/*
 * Reads a file of this kind into a record, by the function `read`. `remedy` is what to do if the file is damaged. The
 * caller frees the record, even after a failure. Sets *exists to whether there was a sound file. Errors: SB_IO if there
 * is no evidence, or if the file is too large or damaged, or has another schema; SB_NO_MEMORY.
 */
enum sb_status sb_store_file_read(const char *path, enum sb_store_file kind, const char *remedy, sb_store_reader *read,
                                  void *record, struct sb_error *error, bool *exists);

/* Saves a record with sb_atomic_file_replace(): the schema, the fields of the table and, of evidence, the checksum. */
enum sb_status sb_store_file_write(const char *path, bool secret, enum sb_store_file kind,
                                   const struct sb_store_field fields[], const void *record, int *lock,
                                   const char *again, struct sb_error *error);

#endif
