/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls on files, repeated for SB_RETRY_SAVED seconds after a temporary failure. */
#ifndef SB_CORE_SYSTEM_FILE_CALLS_H
#define SB_CORE_SYSTEM_FILE_CALLS_H

#include <stdbool.h>
#include <sys/stat.h>

/*
 * Like open() with O_CLOEXEC: returns a descriptor, or returns -1 and sets errno. The descriptor is above 2, because a program
 * that has closed its standard error would write its messages into a file with that number.
 */
int sb_file_open(const char *path, int flags, mode_t mode);

/* Like stat(), or like lstat() if `link` is true. Returns 0 or an errno. Sets `*there` to whether the file
 * exists. A missing file is not a failure; in this case `*about` does not change. */
int sb_file_status(const char *path, bool link, bool *there, struct stat *about);

/* Like fstat(). Returns 0 or an errno. */
int sb_file_status_open(int descriptor, struct stat *about);

/* Like flock(), for an exclusive lock. Returns 0 or an errno. If another open file has the lock, returns
 * EWOULDBLOCK without waiting. Closing the descriptor ends the lock. */
int sb_file_flock(int descriptor);

/* Like rename(), for a file that is open under its old name. Returns 0 or an errno. */
int sb_file_rename(int descriptor, const char *from, const char *to);

#endif
