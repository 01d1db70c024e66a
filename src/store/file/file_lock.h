/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exclusive use of files, with flock(). A run keeps its file of saved evidence locked until the run no longer
 * adds to the evidence. Many runs share a ledger. So a run locks the ledger only for the milliseconds in
 * which the run changes it; the lock is on a separate file. A lock belongs to the open file, so threads of
 * one process also exclude each other.
 */
#ifndef SB_STORE_FILE_FILE_LOCK_H
#define SB_STORE_FILE_FILE_LOCK_H

#include "core/calls.h"

/* Tries to lock the file that is open as `descriptor`. Sets `*taken` to false if another run has the lock, or
 * if `path` no longer leads to this file. Error: SB_IO if the lock fails for another reason. */
enum sb_status sb_file_lock_take(int descriptor, const char *path, struct sb_error *error, bool *taken);

/* Opens and locks the file at `path`. The lock ends when the caller closes the descriptor `*lock`. Error:
 * SB_IO, also if another run has the lock. */
enum sb_status sb_file_lock_open(const char *path, struct sb_error *error, int *lock);

/* Returns SB_IO with the error line for a file that another run has locked. */
enum sb_status sb_file_lock_busy(const char *path, struct sb_error *error);

/* Locks the file PATH.lock, and waits while another run has the lock. Makes the file if it does not exist.
 * The lock ends when the caller closes the descriptor `*lock`. Errors: SB_STOPPED if the flag `stop` (which
 * may be NULL) is raised during the wait; SB_IO. */
enum sb_status sb_file_lock_wait(const char *path, const volatile sig_atomic_t *stop, struct sb_error *error,
                                 int *lock);

#endif
