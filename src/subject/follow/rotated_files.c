/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that were read to their ends. Memory: a kilobyte for each. */
#include "subject/follow/rotated_files.h"

#include <string.h>

void sb_passed_add(struct sb_passed *passed, const struct sb_bookmark_head *head, uint64_t end, bool cut)
{
    if (end == 0)
        return;
    if (passed->count == SB_PASSED_MOST) {
        passed->count--;
        memmove(&passed->file[0], &passed->file[1], passed->count * sizeof passed->file[0]);
    }
    passed->file[passed->count++] = (struct sb_passed_file) { .head = *head, .end = end, .cut = cut };
}

struct sb_bookmark sb_passed_bookmark(const struct sb_passed *passed, uint64_t behind)
{
    size_t i = passed->count - 1;

    for (;; i--) {
        const struct sb_passed_file *const file = &passed->file[i];

        behind -= behind > 0 && file->cut;
        if (behind < file->end || i == 0)
            return sb_bookmark_of(&file->head, behind < file->end ? file->end - behind : 0);
        behind -= file->end;
    }
}
