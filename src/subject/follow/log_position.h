/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Positions in a log with rotated files. These functions find the file that a position refers to, and the
 * file that comes next. */
#ifndef SB_SUBJECT_FOLLOW_LOG_POSITION_H
#define SB_SUBJECT_FOLLOW_LOG_POSITION_H

#include "core/core.h"

#include <stdbool.h>
#include <sys/types.h>

/* The first bytes of a file at the time of reading, so that positions stay valid even if the file changes. If a program
 * that keeps its place in the file goes on after a truncation, the file begins with bytes of 0, which say nothing. */
struct sb_log_position_head {
    uint64_t inode;
    uint64_t zeros; /* number of bytes of 0 before the head */
    size_t had;
    unsigned char byte[SB_LOG_POSITION_HEAD]; /* [had] the bytes that have been read */
};

/*
 * Functions that return an int return 0 or an errno. A missing file is not a failure: the function returns 0
 * and sets the descriptor to -1. A failure leaves the outputs unchanged. Callers must not treat a failure
 * like a missing file.
 */

/* Reads the first bytes of an open file after `zeros`, as far as they are before `offset`. */
int sb_log_position_open_head(int descriptor, uint64_t zeros, uint64_t offset,
                              struct sb_log_position_head *head);

/* Takes bytes that were read at `offset`, and adds to the head the bytes that belong to the head. */
void sb_log_position_add(struct sb_log_position_head *head, uint64_t offset, const char bytes[],
                         size_t count);

/* Returns the position after `offset` bytes of the file. The head may have more bytes, which were read after the
 * position: they, too, show whether a file is the same. */
struct sb_log_position sb_log_position_of(const struct sb_log_position_head *head, uint64_t offset);

/* The same, but the bytes after the position do not count, because the user may change them. */
struct sb_log_position sb_log_position_before_fault(const struct sb_log_position_head *head, uint64_t offset);

/* Sets *fits to whether an open file is the file of the position: it has the same head, and is long
 * enough. */
int sb_log_position_fits(int descriptor, const struct sb_log_position *position, bool *fits);

/*
 * Opens the file of the position. This is the file FILE at `path`, or a file beside FILE. The name of a file
 * beside FILE is FILE, then a point or a dash, and then other characters, such as FILE.1 or FILE-20261122.
 * Skips files without read permission.
 */
int sb_log_position_find(const char *path, const struct sb_log_position *position, int *descriptor);

/*
 * Opens the successor of the file with this inode, that is, the file that was started next. If the file with
 * this inode is now FILE.2, the successor is FILE.1. If the file with this inode is now FILE-20261122, the
 * successor is the file with the next date. In all other cases the successor is the file at `path`. Sets
 * *descriptor to -1 if there is no successor, or if another program is renaming files. Sets *beside to whether the
 * file with this inode is there under such a name. If not, files between that file and the successor may be gone.
 */
int sb_log_position_next(const char *path, ino_t inode, int *descriptor, bool *beside);

/* Opens a regular file for reading, without blocking. If the path is not a regular file, the file is treated
 * as missing. */
int sb_log_position_open(const char *path, int *descriptor);

#endif
