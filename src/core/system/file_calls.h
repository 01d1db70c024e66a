/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls on files, repeated for SB_RETRY_SAVED seconds after a temporary failure. */
#ifndef SB_CORE_SYSTEM_FILE_CALLS_H
#define SB_CORE_SYSTEM_FILE_CALLS_H

#include <stdbool.h>
#include <sys/stat.h>

/* open(): a descriptor, or -1 with errno. */
int sb_file_open(const char *path, int flags, mode_t mode);

/* stat(), or lstat() if `link`: returns 0 or an errno. Sets `*there` to whether the file exists. A missing
 * file is not a failure; then the other output is untouched. */
int sb_file_status(const char *path, bool link, bool *there, struct stat *about);

/* fstat(): 0 or an errno. */
int sb_file_status_open(int descriptor, struct stat *about);

/* flock(), exclusive. Returns 0 or an errno: EWOULDBLOCK immediately if another open file has the lock. The
 * lock ends when the descriptor is closed. */
int sb_file_flock(int descriptor);

/* rename() of a file that is open under its old name: 0 or an errno. */
int sb_file_rename(int descriptor, const char *from, const char *to);

#endif
