/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A copy of the counts of one statistic. The copy remains valid when the tallies are freed. */
#ifndef SB_TALLY_COUNTS_H
#define SB_TALLY_COUNTS_H

#include "core/calls.h"
#include "core/tally.h"

struct sb_counts {
    char *statistic; /* name of the statistic; owned */
    size_t lag;      /* lag of the tallied steps, as in a tally; 0: permutations are tallied */
    bool dependence; /* value as in a tally */
    size_t members, cells;
    uint64_t total;  /* the sum of each member's counts */
    uint64_t *count; /* [members * cells] owned */
};

void sb_counts_free(struct sb_counts counts[], size_t count);

/* Copies tallies; the caller frees the copies. NULL if memory runs out. */
struct sb_counts *sb_counts_copy(const struct sb_tally tally[], size_t count);

/* Makes each tally borrow the counts with the same index. Returns false, and changes nothing, if the
 * statistic or the shape of some tally differs from that of its counts. */
bool sb_counts_lend(const struct sb_counts counts[], size_t count, struct sb_tally tally[]);

#endif
