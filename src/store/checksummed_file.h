/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of evidence. A new file never replaces an existing one; a run saves its file repeatedly, and each
 * file ends in a checksum of all bytes before. */
#ifndef SB_STORE_CHECKSUMMED_FILE_H
#define SB_STORE_CHECKSUMMED_FILE_H

#include "store/field_table.h"

/* The remedy to suggest if a report's or a gate's file is damaged. */
extern const char sb_checksummed_anew[];

/*
 * Ends a JSON object that is still open, in a writer of sb_atomic_file_replace(): appends the hash of all
 * bytes so far, and the closing brace. The hash is FNV-1a of 64 bits, which detects accidents but not malice.
 * SB_IO: the bytes cannot be read back, so the end is missing; errno says why.
 */
enum sb_status sb_checksummed_end(FILE *stream);

/*
 * Saves a record as sb_atomic_file_replace_held() does: the schema, the fields of the table, and the
 * checksum.
 */
enum sb_status sb_checksummed_replace(const char *path, const char *schema,
                                      const struct sb_store_field fields[], const void *record, int *lock,
                                      const char *again, struct sb_error *error);

/* Reads the content of such a file into a record. `in` keeps the first fault. */
typedef void sb_checksummed_reader(struct sb_json_field_reader *in, const struct json_t *top, void *record);

/* A schema, and the function that reads its files. */
struct sb_checksummed_form {
    /* name of the newest schema: "shufflebias.watching/2"; files with lower numbers are read, too */
    const char *schema;
    sb_checksummed_reader *read;
};

/*
 * Reads a file of one of these forms, which must exist and end in its checksum. The caller frees the record,
 * even after a failure. `remedy` tells the user what to do about a damaged file. `*checksum` becomes the
 * file's hash, which identifies its content; may be NULL. SB_IO: the file does not exist, is damaged, or has
 * another schema; the line names the command that reads that schema, if there is one. SB_NO_MEMORY.
 */
enum sb_status sb_checksummed_read(const char *path, const struct sb_checksummed_form forms[], size_t count,
                                   const char *remedy, void *record, struct sb_error *error,
                                   uint64_t *checksum);

/* Writes the usual line, SB_IO, for a file of another version whose tallies have other shapes. */
enum sb_status sb_checksummed_foreign(const char *path, const char *version, struct sb_error *error);

/* Checks that this version began the run; another version might continue differently. SB_INVALID. */
enum sb_status sb_checksummed_version(const char *path, const char *version, struct sb_error *error);

/*
 * Locks the file, like sb_file_lock_open(), if it still has the hash `checksum`. SB_IO: also if another run
 * has changed the file since it was read.
 */
enum sb_status sb_checksummed_lock(const char *path, uint64_t checksum, struct sb_error *error, int *lock);

#endif
