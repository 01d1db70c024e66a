/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state and the functions that the source files of the follower share. Functions that return an int
 * return 0 or an errno. A failed call changes nothing, so the caller can simply repeat the call.
 */
#ifndef SB_SUBJECT_FOLLOW_FOLLOW_H
#define SB_SUBJECT_FOLLOW_FOLLOW_H

#include "subject/follow/log_position.h"
#include "subject/follow/rotated_files.h"
#include "subject/stream/bytes.h"

enum { SB_FOLLOW_NAME = 200 }; /* the most bytes of a name to show */

struct sb_follow {
    struct sb_bytes bytes; /* must be the first member, because callers have a pointer to this member */
    struct sb_patience patience;
    struct sb_following following;
    const char *path;                 /* path of the log; borrowed */
    int file, next;                   /* descriptors of the current and of the next file; -1: not open */
    int empty;                        /* the next file as long as that file has no content; -1: none */
    uint64_t offset;                  /* number of bytes of the current file read so far */
    struct sb_log_position_head head; /* first bytes of the current file, which reveal a truncation */
    struct sb_rotated_files rotated;  /* the files before the current file, without a gap */
    bool cut;                         /* whether the last line that was read is incomplete */
    bool waited;                      /* whether the last check found the end of the file */
    bool missed;                      /* whether the follower has reported that there is no file */
    int slice;                        /* milliseconds that the last wait took */
    double looked;                    /* when the follower last looked for a later file */
    bool
        away; /* whether it looked too rarely, since the path led to the current file, to see each rotation */
    bool unsure;    /* whether there may be files between the current and the next file */
    double failing; /* time since which every step has failed; 0: the last step succeeded */
};

/* Formats a message and passes it to the caller's callback. */
__attribute__((format(printf, 2, 3))) void sb_follow_tell(const struct sb_follow *self, const char *format,
                                                          ...);

/* Does the same for bytes that are lost, or may be, and counts how often that happens. */
__attribute__((format(printf, 2, 3))) void sb_follow_tell_lost(const struct sb_follow *self,
                                                               const char *format, ...);

/* If no file is open, opens the file of the saved position, or else the file at the path. It is not an error
 * if neither file exists yet. */
int sb_follow_begin(struct sb_follow *self);

/* Continues after a truncation: in a copy of the old content if there is one, otherwise at the beginning of
 * the file, and then sets bytes.gap. */
int sb_follow_restart(struct sb_follow *self);

/*
 * Looks for a later file with content. Call this function when the current file is at its end. If there is a
 * later file, keeps it open as `next`; the follower reads the old file once more before it switches.
 */
int sb_follow_look(struct sb_follow *self);

/* Switches to the next file. Before the call, the caller must read the old file once more. If the last line
 * of the old file is incomplete and following.lines is true, puts a line end into `buffer`. */
int sb_follow_over(struct sb_follow *self, char buffer[], size_t *got);

/* Opens the current file again if it is still at the path. Keeps the old descriptor if opening fails. */
void sb_follow_reopen(struct sb_follow *self);

/* Opens the current file again, because a restarted file server does not know the old descriptors. */
void sb_follow_renew(struct sb_follow *self);

void sb_follow_drop_next(struct sb_follow *self);

#endif
