/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report on one or a few permutations of so many items that a single permutation is a sample. */
#ifndef SB_STUDY_REPORT_LARGE_H
#define SB_STUDY_REPORT_LARGE_H

#include "core/feed.h"
#include "study/report/report_result.h"

/* Whether a report on this feed is of this kind: whole permutations, too large for a matrix of positions. */
bool sb_report_is_large(const struct sb_feed *feed);

/* Reads up to options->samples permutations, 0 for 100, and fills in the report. SB_INVALID: an option that such a
 * report has not; SB_NO_MEMORY, and the errors of the feed. */
enum sb_status sb_report_large(struct sb_feed *feed, const struct sb_options *options, struct sb_error *error,
                               struct sb_report *report);

/* ---- large_counts.c ---- */

enum { SB_LARGE_SHARES = 64 };

/* The numbers of one permutation of n items. */
struct sb_large_counts {
    size_t n;
    size_t adjacent, fixed_points, cycles, cycle_of_first, records, descents, rising_sequences;
    uint64_t inversions;
    /* [from * SB_LARGE_SHARES + to] how many items of one 64th come to another; a 64th is n/64 items or positions,
     * rounded down, from the first on. eighths[from * 8 + to]: likewise of n/8. */
    uint32_t sixty_fourths[SB_LARGE_SHARES * SB_LARGE_SHARES], eighths[64];
};

/* Counts the permutation a[n]. O(n log n) time, 12 n bytes. SB_NO_MEMORY. */
enum sb_status sb_large_count(size_t n, const sb_item a[], struct sb_large_counts *counts);

#endif
