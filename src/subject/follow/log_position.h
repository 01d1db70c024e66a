/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A log and its rotated files: which of them a position is in, and which file comes next. */
#ifndef SB_SUBJECT_FOLLOW_LOG_POSITION_H
#define SB_SUBJECT_FOLLOW_LOG_POSITION_H

#include "core/file_position.h"

#include <stdbool.h>
#include <sys/types.h>

/* The first bytes of a file as they were read, so that positions stay valid whatever happens to the file. */
struct sb_log_position_head {
    uint64_t inode;
    size_t had;
    unsigned char byte[SB_LOG_POSITION_HEAD]; /* [had] */
};

/*
 * Functions of the files themselves return 0 or an errno. A file that is not there is no failure: its
 * descriptor is -1 then. After a failure outputs are untouched: what a caller does not know it must not take
 * for a file that has gone.
 */

/* The bytes before `offset` of an open file. */
int sb_log_position_open_head(int descriptor, uint64_t offset, struct sb_log_position_head *head);

/* Adds bytes that were read at `offset`. */
void sb_log_position_add(struct sb_log_position_head *head, uint64_t offset, const char bytes[],
                         size_t count);

/* The position after `offset` bytes of the file. */
struct sb_log_position sb_log_position_of(const struct sb_log_position_head *head, uint64_t offset);

/* Whether an open file is the one that the bookmark is in: as long or longer, with the same head. */
int sb_log_position_fits(int descriptor, const struct sb_log_position *bookmark, bool *fits);

/*
 * Opens the file that the bookmark is in: the one at `path`, or one beside it whose name goes on with a point
 * or a dash: FILE.1, FILE-20261122. A file that may not be read is passed over.
 */
int sb_log_position_find(const char *path, const struct sb_log_position *bookmark, int *descriptor);

/*
 * Opens the file that was begun after the one with this inode: FILE.1 where that is FILE.2 by now, the one
 * with the next date where that is FILE-20261122, else the one at `path`; -1 also while files are being
 * moved.
 */
int sb_log_position_next(const char *path, ino_t inode, int *descriptor);

/* Opens a regular file for reading, without blocking; anything else counts as missing. */
int sb_log_position_open(const char *path, int *descriptor);

#endif
