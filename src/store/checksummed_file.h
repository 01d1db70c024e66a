/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of evidence. A run creates its file, which must not exist yet, and then replaces it repeatedly. The
 * file ends in a checksum of all bytes before the checksum. */
#ifndef SB_STORE_CHECKSUMMED_FILE_H
#define SB_STORE_CHECKSUMMED_FILE_H

#include "store/field_table.h"

/* The remedy in error lines about a damaged file of a report or a gate. */
extern const char sb_checksummed_anew[];

/*
 * Ends a JSON object that a writer of sb_atomic_file_replace() has left open: appends the hash of all bytes
 * so far, and the closing brace. The hash is FNV-1a of 64 bits, which detects damage but not tampering.
 * Error: SB_IO, with errno, if the bytes so far cannot be read back; the function then appends nothing.
 */
enum sb_status sb_checksummed_end(FILE *stream);

/*
 * Saves a record with sb_atomic_file_replace_held(). The file has the schema, the fields of the table, and
 * the checksum.
 */
enum sb_status sb_checksummed_replace(const char *path, bool secret, const char *schema,
                                      const struct sb_store_field fields[], const void *record, int *lock,
                                      const char *again, struct sb_error *error);

/* Reads the content of a file of evidence into a record. `in` records the first fault. */
typedef void sb_checksummed_reader(struct sb_json_field_reader *in, const struct json_t *top, void *record);

/* A schema, and the function that reads files with this schema. */
struct sb_checksummed_form {
    /* the schema with the highest number, such as "shufflebias.watching/2"; `read` also reads files whose
     * schema has a lower number */
    const char *schema;
    sb_checksummed_reader *read;
};

/*
 * Reads a file that has one of the forms forms[0..count-1]. The file must exist and end in its checksum. The
 * caller frees the record, even after a failure. `remedy` tells the user what to do about a damaged file.
 * `checksum` may be NULL; otherwise `*checksum` becomes the file's hash, which identifies the content.
 * Errors: SB_IO if the file does not exist, is damaged, or has another schema; SB_NO_MEMORY. If another
 * command reads files of the other schema, the error line names that command.
 */
enum sb_status sb_checksummed_read(const char *path, const struct sb_checksummed_form forms[], size_t count,
                                   const char *remedy, void *record, struct sb_error *error,
                                   uint64_t *checksum);

/* Returns SB_IO with the error line for a file of another version whose tallies have other statistics or
 * cells than the tallies of this version. */
enum sb_status sb_checksummed_foreign(const char *path, const char *version, struct sb_error *error);

/* Checks that this version of the library began the run, because another version might continue the run
 * differently. Error: SB_INVALID. */
enum sb_status sb_checksummed_version(const char *path, const char *version, struct sb_error *error);

/*
 * Locks the file as sb_file_lock_open() does, and checks that the file still has the hash `checksum`. Error:
 * SB_IO, also if another run has changed the file since this run read it.
 */
enum sb_status sb_checksummed_lock(const char *path, uint64_t checksum, struct sb_error *error, int *lock);

#endif
