/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaces files atomically. */
#ifndef SB_STORE_FILE_ATOMIC_FILE_H
#define SB_STORE_FILE_ATOMIC_FILE_H

#include "core/calls.h"

/* Writes `what` to the stream. The writer may also read the stream. The caller checks the stream with
 * ferror(). For all other errors, the writer returns SB_IO and sets errno. */
typedef enum sb_status sb_atomic_file_writer(const void *what, FILE *stream);

/*
 * Replaces the file at `path` atomically with what the writer writes, and keeps the mode of the old file. If
 * no file exists yet and `secret` is true, only the user can read the new file: a file that names a command
 * may have a password among the command's arguments. Follows links. The new file has the name PATH.new until
 * it is complete; no other run may write PATH.new. After the error SB_IO the old file is unchanged.
 */
enum sb_status sb_atomic_file_replace(const char *path, bool secret, sb_atomic_file_writer *writer,
                                      const void *what, struct sb_error *error);

/*
 * Does what sb_atomic_file_replace() does, for a locked file (store/file/file_lock.h). `*lock` is the
 * descriptor of the old file. The function locks the new file and sets `*lock` to the new file's descriptor.
 * If `*lock` is below 0, the file must not exist yet. `again` is the field with which a user can resume the
 * run after a failure; the error line names this field. If `again` is NULL, the run continues in spite of the
 * failure. Errors: SB_IO, also if another run is writing the file; SB_INVALID if `*lock` is below 0 and the
 * file exists.
 */
enum sb_status sb_atomic_file_replace_held(const char *path, bool secret, sb_atomic_file_writer *writer,
                                           const void *what, int *lock, const char *again,
                                           struct sb_error *error);

/* Checks that no file exists at `path`. Errors: SB_INVALID if a file exists, SB_IO. The error line ends with
 * `remedy`; if `remedy` is NULL, the line advises to resume from the file or to name another file. */
enum sb_status sb_atomic_file_absent(const char *path, const char *remedy, struct sb_error *error);

/* Removes the temporary file that a killed run left beside the file `path`. The caller must hold the lock on
 * `path`. */
void sb_atomic_file_clean(const char *path);

#endif
