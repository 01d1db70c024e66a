/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state and functions that the follower's files share. Functions that return an int return 0 or an
 * errno; a failure changes nothing, so the caller simply calls again.
 */
#ifndef SB_SUBJECT_FOLLOW_FOLLOW_H
#define SB_SUBJECT_FOLLOW_FOLLOW_H

#include "subject/follow/log_position.h"
#include "subject/follow/rotated_files.h"
#include "subject/stream/bytes.h"

enum { SB_FOLLOW_NAME = 200 }; /* the most bytes of a name to show */

struct sb_follow {
    struct sb_bytes bytes; /* must be the first member: the caller sees only this */
    struct sb_patience patience;
    struct sb_following following;
    const char *path;                 /* path of the log; borrowed */
    int file, next;                   /* descriptors of the current and of the next file; -1: none */
    uint64_t offset;                  /* number of bytes of the file read so far */
    struct sb_log_position_head head; /* first bytes of the file, which reveal a truncation */
    struct sb_rotated_files rotated;  /* the files before the current one, without a gap */
    bool cut;                         /* whether the last line has no end yet */
    bool waited;                      /* whether the last check found the end of the file */
    bool missed;                      /* a message said that there is no file */
    int slice;                        /* milliseconds that the last wait took */
    double failing;                   /* time since which every step has failed; 0: the last step succeeded */
};

/* Passes a message to the caller's callback. */
__attribute__((format(printf, 2, 3))) void sb_follow_tell(const struct sb_follow *self, const char *format,
                                                          ...);

/* Opens a file if none is open: the one of the saved position, or the one at the path. Neither may exist
 * yet. */
int sb_follow_begin(struct sb_follow *self);

/* Call after a truncation: continues in a copy, or starts at the beginning. */
int sb_follow_restart(struct sb_follow *self);

/*
 * Call at the end of the file: looks for a later file with content. If there is one, keeps it open, so
 * that the old file is read once more before the switch.
 */
int sb_follow_look(struct sb_follow *self);

/* Switches to the next file, after reading the old one once more. */
int sb_follow_over(struct sb_follow *self, char buffer[], size_t *got);

/* Reopens the file if it is still at the path; keeps the old descriptor if that fails. */
void sb_follow_reopen(struct sb_follow *self);

/* Reopens the current file, since a restarted file server does not know its old descriptors. */
void sb_follow_renew(struct sb_follow *self);

void sb_follow_drop_next(struct sb_follow *self);

#endif
