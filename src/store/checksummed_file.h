/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What files of evidence have in common: they begin where nothing was, are put down now and then, and end in
 * a checksum of all before. */
#ifndef SB_STORE_CHECKSUMMED_FILE_H
#define SB_STORE_CHECKSUMMED_FILE_H

#include "store/field_table.h"

/* What is to be done where a report's or a gate's file is unsound. */
extern const char sb_checksummed_anew[];

/*
 * Ends what a writer of sb_atomic_file_replace() has written: after the last field of a JSON object that is still open
 * the hash of all until here, FNV-1a of 64 bits, which tells slips and damage and not malice, and the closing
 * brace. SB_IO: what was written cannot be read back, and has no end; errno says why.
 */
enum sb_status sb_checksummed_end(FILE *stream);

/*
 * Puts a record into such a file, as sb_atomic_file_replace_held(): the schema, the fields of the table, and
 * the checksum.
 */
enum sb_status sb_checksummed_replace(const char *path, const char *schema,
                                      const struct sb_store_field fields[], const void *record, int *held,
                                      const char *again, struct sb_error *error);

/* What such a file holds, into a record; faults stay with the reader. */
typedef void sb_checksummed_reader(struct sb_json_field_reader *in, const struct json_t *top, void *record);

/* Files of a schema, and the function that reads them. */
struct sb_checksummed_form {
    const char *schema; /* the newest, whose earlier numbers are read, too: "shufflebias.watching/2" */
    sb_checksummed_reader *read;
};

/*
 * Reads a file of one of these forms, which has to be there and end in its checksum. The caller frees the
 * record, also after a failure. `remedy` is what the caller can do where the file is unsound. `*seal` is the
 * hash, by which the file is recognised; may be NULL. SB_IO: there is no such file, or it is unsound, or of
 * another schema; the line says which command reads that, if one does. SB_NO_MEMORY.
 */
enum sb_status sb_checksummed_read(const char *path, const struct sb_checksummed_form forms[], size_t count,
                                   const char *remedy, void *record, struct sb_error *error, uint64_t *seal);

/* The line, SB_IO, about a file of that version whose tallies are of another shape than this version's. */
enum sb_status sb_checksummed_foreign(const char *path, const char *version, struct sb_error *error);

/* Whether it was this version that began, for another might not go on as that would. SB_INVALID. */
enum sb_status sb_checksummed_version(const char *path, const char *version, struct sb_error *error);

/*
 * Holds the file, as sb_file_lock_open(), that was read with that hash. SB_IO: also where it is not the same any
 * more, since another run has gone on with it between reading and holding.
 */
enum sb_status sb_checksummed_hold(const char *path, uint64_t seal, struct sb_error *error, int *held);

#endif
