/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are replaced whole or not at all. */
#ifndef SB_STORE_ATOMIC_FILE_H
#define SB_STORE_ATOMIC_FILE_H

#include "shufflebias.h"

/* Writes `what`; the stream may also be read. Errors stay in the stream, for ferror(); SB_IO: another, which
 * errno says. */
typedef enum sb_status sb_atomic_file_writer(const void *what, FILE *stream);

/* Puts what is written into the place of the file at `path`, with its mode, by way of PATH.new, which nobody
 * else may be writing; links are followed. SB_IO: the file is as it was. */
enum sb_status sb_atomic_file_replace(const char *path, sb_atomic_file_writer *writer, const void *what,
                                      struct sb_error *error);

/*
 * Likewise of a file that is held (store/file_lock.h), and the new one in its place; with `*held` below 0 of
 * one that must not be there yet. A run that ends then goes on by the field `again`, which the line names;
 * NULL: it does not end. SB_IO: also where somebody else is writing; SB_INVALID: it is there.
 */
enum sb_status sb_atomic_file_replace_held(const char *path, sb_atomic_file_writer *writer, const void *what,
                                           int *held, const char *again, struct sb_error *error);

/* Whether a file can be made at `path`. SB_INVALID: there is one, and the line ends with the remedy; NULL:
 * to resume from it, or to name another. SB_IO. */
enum sb_status sb_atomic_file_absent(const char *path, const char *remedy, struct sb_error *error);

/* Removes what a run that was killed has left beside a file, which the caller holds. */
void sb_atomic_file_clean(const char *path);

#endif
