/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of a log that were read to their ends; an incomplete record may have begun in one of them. */
#ifndef SB_SUBJECT_FOLLOW_ROTATED_FILES_H
#define SB_SUBJECT_FOLLOW_ROTATED_FILES_H

#include "subject/follow/log_position.h"

#include <stddef.h>

enum { SB_ROTATED_FILES_MOST = 4 }; /* files: the last ones */

struct sb_rotated_files {
    size_t count;
    struct sb_rotated_files_file {
        struct sb_log_position_head head;
        uint64_t end;              /* bytes that were read */
        bool cut;                  /* a byte was added to end the last line */
    } file[SB_ROTATED_FILES_MOST]; /* [count] in their order */
};

/* Adds a file that was read to its end, unless it is empty. */
void sb_rotated_files_add(struct sb_rotated_files *passed, const struct sb_log_position_head *head,
                          uint64_t end, bool cut);

/* The bookmark so many bytes before the end of the last one, of at least one. */
struct sb_log_position sb_rotated_files_bookmark(const struct sb_rotated_files *passed, uint64_t behind);

#endif
