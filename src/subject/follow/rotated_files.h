/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rotated files of a log that the follower has read to the end. An incomplete record may have started in one
 * of these files. */
#ifndef SB_SUBJECT_FOLLOW_ROTATED_FILES_H
#define SB_SUBJECT_FOLLOW_ROTATED_FILES_H

#include "subject/follow/log_position.h"

#include <stddef.h>

enum { SB_ROTATED_FILES_MOST = 4 }; /* the most files to keep; older files are dropped */

struct sb_rotated_files {
    size_t count;
    struct sb_rotated_files_file {
        struct sb_log_position_head head;
        uint64_t end;              /* number of bytes read */
        bool cut;                  /* whether the follower added a byte to end the last line */
    } file[SB_ROTATED_FILES_MOST]; /* [count]; oldest first */
};

/* Adds a file that was read to the end. Does nothing for an empty file. */
void sb_rotated_files_add(struct sb_rotated_files *rotated, const struct sb_log_position_head *head,
                          uint64_t end, bool cut);

/* Returns the head of the file in which a position is that is `behind` bytes before the end of the last file, and sets
 * *offset to the bytes of this file before the position. There must be at least one file. */
const struct sb_log_position_head *sb_rotated_files_position(const struct sb_rotated_files *rotated,
                                                             uint64_t behind, uint64_t *offset);

#endif
