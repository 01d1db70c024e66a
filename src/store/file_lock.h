/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file that is held by one run alone, which replaces it now and then. */
#ifndef SB_STORE_FILE_LOCK_H
#define SB_STORE_FILE_LOCK_H

#include "shufflebias.h"

/* Holds the file that is open there, unless somebody else does, or the path leads to another one by now.
 * `*taken` says which. SB_IO: the lock cannot be had for another reason. */
enum sb_status sb_file_lock_take(int descriptor, const char *path, struct sb_error *error, bool *taken);

/* Holds the file at `path`; `*held` is to be closed, which gives it up. SB_IO: also where somebody else does.
 */
enum sb_status sb_file_lock_open(const char *path, struct sb_error *error, int *held);

/* The line for a file that somebody else holds. SB_IO. */
enum sb_status sb_file_lock_busy(const char *path, struct sb_error *error);

#endif
