/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tallies of one statistic beside its null law: what a test looks at. */
#ifndef SB_CORE_TALLY_H
#define SB_CORE_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sb_tally {
    const char *statistic; /* its name; static */
    size_t members, cells; /* of the statistic, as sb_statistic_type gives them, or merged */
    uint64_t total;        /* how many deals were classified: the sum of each member's row */
    const uint64_t *count; /* [members * cells], a row per member; borrowed */
    const double
        *ln_p; /* [cells] null law of every member; NULL where all cells are equally likely; borrowed */
    /* [cells] expected counts of every member, where they were worked out once for many members; else NULL;
     * borrowed. */
    const double *expected;
    /* [cells] the first and the last of the statistic's own cells of which each is a merger, those that can
     * occur; NULL where none are; borrowed. */
    const uint32_t *first, *last;
    const char *each; /* what has a member: "position"; NULL: an item; static */
    size_t lag;       /* 0: of deals; L: of the steps from each deal to the one L after it */
    bool dependence;  /* it looks for deals that depend on each other, and bounds nothing */
    /* Of a test of the stream, which has no cells: ln E of the only member; NULL where E is that of the
     * counts; borrowed. */
    const double *ln_e;
    /* Of the position of every item: the counts of the same deals by rank; NULL where they are unknown;
     * borrowed. */
    const struct sb_tally *ranks;
};

#endif
