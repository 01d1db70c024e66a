/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of a log that a reader has behind it: a record that is not whole yet may have begun there. */
#ifndef SB_SUBJECT_FOLLOW_ROTATED_FILES_H
#define SB_SUBJECT_FOLLOW_ROTATED_FILES_H

#include "subject/follow/log_position.h"

#include <stddef.h>

enum { SB_PASSED_MOST = 4 }; /* files: the last ones */

struct sb_passed {
    size_t count;
    struct sb_passed_file {
        struct sb_bookmark_head head;
        uint64_t end;       /* bytes that were read */
        bool cut;           /* a byte was put behind them, which ends the last line */
    } file[SB_PASSED_MOST]; /* [count] in their order */
};

/* Adds a file that was read to its end; one without a byte is left out. */
void sb_passed_add(struct sb_passed *passed, const struct sb_bookmark_head *head, uint64_t end, bool cut);

/* The bookmark so many bytes before the end of the last one, of at least one. */
struct sb_bookmark sb_passed_bookmark(const struct sb_passed *passed, uint64_t behind);

#endif
