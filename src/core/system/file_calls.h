/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls on files, made again for SB_RETRY_SAVED seconds where they fail for a reason that may pass. */
#ifndef SB_CORE_SYSTEM_FILE_CALLS_H
#define SB_CORE_SYSTEM_FILE_CALLS_H

#include <stdbool.h>
#include <sys/stat.h>

/* open(): a descriptor, or -1 with errno. */
int sb_file_open(const char *path, int flags, mode_t mode);

/* stat() or, of a link itself, lstat(): 0 or an errno. `*there` tells whether there is anything: where
 * nothing is that is no failure, and the rest is untouched. */
int sb_file_status(const char *path, bool link, bool *there, struct stat *about);

/* fstat(): 0 or an errno. */
int sb_file_status_open(int descriptor, struct stat *about);

/* flock(), exclusive: 0 or an errno, at once EWOULDBLOCK where another open file has the lock. The lock ends
 * with the descriptor. */
int sb_file_flock(int descriptor);

/* rename() of a file that is open under its old name: 0 or an errno. */
int sb_file_rename(int descriptor, const char *from, const char *to);

#endif
