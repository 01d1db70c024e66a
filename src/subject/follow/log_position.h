/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A log and its rotated files: which file a position refers to, and which file comes next. */
#ifndef SB_SUBJECT_FOLLOW_LOG_POSITION_H
#define SB_SUBJECT_FOLLOW_LOG_POSITION_H

#include "core/file_position.h"

#include <stdbool.h>
#include <sys/types.h>

/* The first bytes of a file as they were read, so that positions stay valid even if the file changes. */
struct sb_log_position_head {
    uint64_t inode;
    size_t had;
    unsigned char byte[SB_LOG_POSITION_HEAD]; /* [had] */
};

/*
 * Functions that return an int return 0 or an errno. A missing file is not a failure: its descriptor is -1. A
 * failure leaves outputs unchanged, so a caller must not take a failure for a missing file.
 */

/* Reads the bytes before `offset` of an open file. */
int sb_log_position_open_head(int descriptor, uint64_t offset, struct sb_log_position_head *head);

/* Adds bytes that were read at `offset`. */
void sb_log_position_add(struct sb_log_position_head *head, uint64_t offset, const char bytes[],
                         size_t count);

/* Returns the position after `offset` bytes of the file. */
struct sb_log_position sb_log_position_of(const struct sb_log_position_head *head, uint64_t offset);

/* Whether an open file is the one that the position is in: at least as long, with the same head. */
int sb_log_position_fits(int descriptor, const struct sb_log_position *position, bool *fits);

/*
 * Opens the file that the position is in: the file at `path`, or one beside it whose name continues with a
 * point or a dash: FILE.1, FILE-20261122. Skips files without read permission.
 */
int sb_log_position_find(const char *path, const struct sb_log_position *position, int *descriptor);

/*
 * Opens the file that was started after the one with this inode: FILE.1 if that one is now FILE.2; the file
 * with the next date if it is now FILE-20261122; else the file at `path`. -1 also while files are being
 * renamed.
 */
int sb_log_position_next(const char *path, ino_t inode, int *descriptor);

/* Opens a regular file for reading, without blocking; anything else counts as missing. */
int sb_log_position_open(const char *path, int *descriptor);

#endif
