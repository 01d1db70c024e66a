/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A log and the files that it was moved to: which of them a bookmark is in, and which comes next. */
#ifndef SB_SUBJECT_BOOKMARK_H
#define SB_SUBJECT_BOOKMARK_H

#include "core/bookmark.h"

#include <stdbool.h>
#include <sys/types.h>

/* The first bytes of a file as they were read, so that its bookmarks hold whatever becomes of it meanwhile.
 */
struct sb_bookmark_head {
    uint64_t inode;
    size_t had;
    unsigned char byte[SB_BOOKMARK_HEAD]; /* [had] */
};

/* Those before `offset` of an open file. */
void sb_bookmark_open_head(int descriptor, uint64_t offset, struct sb_bookmark_head *head);

/* Takes in what was read from `offset` on. */
void sb_bookmark_add(struct sb_bookmark_head *head, uint64_t offset, const char bytes[], size_t count);

/* The bookmark behind `offset` bytes of the file. */
struct sb_bookmark sb_bookmark_of(const struct sb_bookmark_head *head, uint64_t offset);

/* Whether an open file is the one that the bookmark is in: as long or longer, with the same head. */
bool sb_bookmark_fits(int descriptor, const struct sb_bookmark *bookmark);

/*
 * Opens the file that the bookmark is in: the one at `path`, or one beside it whose name goes on with a point
 * or a dash: FILE.1, FILE-20261122. Its descriptor; -1: there is none.
 */
int sb_bookmark_find(const char *path, const struct sb_bookmark *bookmark);

/*
 * Opens the file that was begun after the one with this inode: FILE.1 where that is FILE.2 by now, the one
 * with the next date where that is FILE-20261122, else the one at `path`. Its descriptor; -1 with errno:
 * there is none, or files are being moved: EAGAIN.
 */
int sb_bookmark_next(const char *path, ino_t inode);

/* Opens a file to be read, without waiting for anybody. */
int sb_bookmark_open(const char *path);

#endif
