/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exclusive use of files, by flock(). A run locks saved evidence itself, for as long as it adds to it. Many
 * runs share a ledger, so each locks a separate lock file for the milliseconds of a change. The lock belongs
 * to the open file, so threads of one process exclude each other, too.
 */
#ifndef SB_STORE_FILE_LOCK_H
#define SB_STORE_FILE_LOCK_H

#include "shufflebias.h"

/* Locks the file that is open as `descriptor`. `*taken` is false if another run has the lock, or if the path
 * no longer names this file. SB_IO: the lock fails for another reason. */
enum sb_status sb_file_lock_take(int descriptor, const char *path, struct sb_error *error, bool *taken);

/* Opens and locks the file at `path`; the caller closes `*lock`, which ends the lock. SB_IO: also if another
 * run has the lock. */
enum sb_status sb_file_lock_open(const char *path, struct sb_error *error, int *lock);

/* The line, SB_IO, for a file that another run has locked. */
enum sb_status sb_file_lock_busy(const char *path, struct sb_error *error);

/* Waits for the lock of the file PATH.lock, and makes that file if there is none; the caller closes `*lock`,
 * which ends the lock. SB_STOPPED: the flag `stop`, which may be NULL, was raised meanwhile; SB_IO. */
enum sb_status sb_file_lock_wait(const char *path, const volatile sig_atomic_t *stop, struct sb_error *error,
                                 int *lock);

#endif
