/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A log at work: what the files of the follower share. Functions that return an int return 0 or an errno;
 * after a failure nothing has changed, so that a caller simply calls again.
 */
#ifndef SB_SUBJECT_FOLLOW_FOLLOW_H
#define SB_SUBJECT_FOLLOW_FOLLOW_H

#include "subject/follow/log_position.h"
#include "subject/follow/rotated_files.h"
#include "subject/stream/bytes.h"

enum { SB_FOLLOW_NAME = 200 }; /* bytes of a name that are shown */

struct sb_follow {
    struct sb_bytes bytes; /* first: what the caller has */
    struct sb_patience patience;
    struct sb_following following;
    const char *path;                 /* borrowed */
    int file, next;                   /* what is read, and what will be after it; -1 for none */
    uint64_t offset;                  /* in the file: what has been read */
    struct sb_log_position_head head; /* of the file, by which it is seen that it was cut */
    struct sb_rotated_files passed;   /* those that came before, without a gap */
    bool cut;                         /* its last byte ended no line */
    bool waited;                      /* it was at its end at the last look */
    bool missed;                      /* it was said that there is no file */
    int slice;                        /* milliseconds that the last wait took */
    double failing;                   /* since when each step fails; 0: the last one did not */
};

/* Tells a line, to whoever listens. */
__attribute__((format(printf, 2, 3))) void sb_follow_tell(const struct sb_follow *self, const char *format,
                                                          ...);

/* Opens the file where it was left, or at the path, where none is open; there may be none yet. */
int sb_follow_begin(struct sb_follow *self);

/* The file is not what it was: goes on in a copy, or begins anew. */
int sb_follow_restart(struct sb_follow *self);

/*
 * Looks at the end of the file whether there is another now, and something was written there, or later. That
 * one is kept open, and the old one is read once more before it is its turn.
 */
int sb_follow_look(struct sb_follow *self);

/* Goes over to the next file, when the old one has been read once more. */
int sb_follow_over(struct sb_follow *self, char buffer[], size_t *got);

/* Opens the same file anew, where it is still at the path; goes on with the old one where that fails. */
void sb_follow_reopen(struct sb_follow *self);

/* Opens the file that is read anew: a file server that was restarted knows its old descriptors no more. */
void sb_follow_renew(struct sb_follow *self);

void sb_follow_drop_next(struct sb_follow *self);

#endif
