/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counts of one statistic as a value of their own, which outlives the tallies. */
#ifndef SB_TALLY_COUNTS_H
#define SB_TALLY_COUNTS_H

#include "core/tally.h"
#include "shufflebias.h"

struct sb_counts {
    char *statistic; /* owned */
    size_t lag;      /* as in a tally; there are fewer steps than permutations */
    bool dependence; /* likewise */
    size_t members, cells;
    uint64_t total;  /* the sum of each member's */
    uint64_t *count; /* [members * cells] owned */
};

void sb_counts_free(struct sb_counts counts[], size_t count);

/* Copies of tallies; the caller's. NULL: no memory. */
struct sb_counts *sb_counts_copy(const struct sb_tally tally[], size_t count);

/* Puts the counts into tallies, as borrowed; false, and nothing is done, where one is not of its tally's
 * statistic and shape. */
bool sb_counts_lend(const struct sb_counts counts[], size_t count, struct sb_tally tally[]);

#endif
