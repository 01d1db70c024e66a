/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaces files atomically. */
#ifndef SB_STORE_ATOMIC_FILE_H
#define SB_STORE_ATOMIC_FILE_H

#include "shufflebias.h"

/* Writes `what` to the stream, which may also be read. The caller checks ferror() for errors of the stream;
 * SB_IO is another error, with errno. */
typedef enum sb_status sb_atomic_file_writer(const void *what, FILE *stream);

/* Replaces the file at `path` atomically with what the writer writes, and keeps its mode. Follows links. The
 * new file is PATH.new until it is complete; no other run may write that file. SB_IO: the old file is
 * unchanged. */
enum sb_status sb_atomic_file_replace(const char *path, sb_atomic_file_writer *writer, const void *what,
                                      struct sb_error *error);

/*
 * Replaces a locked file (store/file_lock.h) in the same way. `*lock` is the descriptor of the old file, and
 * becomes that of the new file, which is locked, too. If `*lock` is below 0, the file must not exist yet.
 * `again` is the field that resumes the run after a failure, for the error line; NULL: the run continues.
 * SB_IO: also if another run is writing; SB_INVALID: the file exists.
 */
enum sb_status sb_atomic_file_replace_held(const char *path, sb_atomic_file_writer *writer, const void *what,
                                           int *lock, const char *again, struct sb_error *error);

/* Checks that no file exists at `path`. SB_INVALID: a file exists; the line ends with `remedy`, or if that is
 * NULL, with the advice to resume from the file or to name another. SB_IO. */
enum sb_status sb_atomic_file_absent(const char *path, const char *remedy, struct sb_error *error);

/* Removes the temporary file that a killed run left beside a file. The caller has the lock on the file. */
void sb_atomic_file_clean(const char *path);

#endif
