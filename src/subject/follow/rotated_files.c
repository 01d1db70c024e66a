/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rotated files that the follower has read to the end. Memory: a kilobyte per file. */
#include "subject/follow/rotated_files.h"

#include <string.h>

void sb_rotated_files_add(struct sb_rotated_files *rotated, const struct sb_log_position_head *head,
                          uint64_t end, bool cut)
{
    if (end == 0)
        return;
    if (rotated->count == SB_ROTATED_FILES_MOST) {
        rotated->count--;
        memmove(&rotated->file[0], &rotated->file[1], rotated->count * sizeof rotated->file[0]);
    }
    rotated->file[rotated->count++] =
        (struct sb_rotated_files_file) { .head = *head, .end = end, .cut = cut };
}

const struct sb_log_position_head *sb_rotated_files_position(const struct sb_rotated_files *rotated,
                                                             uint64_t behind, uint64_t *offset)
{
    size_t i = rotated->count - 1;

    for (;; i--) {
        const struct sb_rotated_files_file *const file = &rotated->file[i];

        behind -= behind > 0 && file->cut;
        if (behind < file->end || i == 0) {
            *offset = behind < file->end ? file->end - behind : 0;
            return &file->head;
        }
        behind -= file->end;
    }
}
