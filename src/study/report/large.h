/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report on one or a few permutations. Each permutation has so many items that it is a sample by itself. */
#ifndef SB_STUDY_REPORT_LARGE_H
#define SB_STUDY_REPORT_LARGE_H

#include "core/core.h"
#include "study/report/report_result.h"

/* Returns whether sb_report_large() makes the report on this feed: whether the feed's permutations are whole,
 * and too large for a matrix of positions. */
bool sb_report_is_large(const struct sb_feed *feed);

/*
 * Reads up to options->samples permutations, or up to 100 if this option is 0, and fills in the report.
 * Errors: SB_INVALID if an option requests something that this kind of report does not have; SB_NO_MEMORY;
 * and the errors of the feed.
 */
enum sb_status sb_report_large(struct sb_feed *feed, const struct sb_options *options, struct sb_error *error,
                               struct sb_report *report);

/* ---- large_counts.c ---- */

enum { SB_LARGE_SHARES = 64 };

/* The statistics of one permutation of n items. */
struct sb_large_counts {
    size_t n;
    size_t adjacent, fixed_points, cycles, cycle_of_first, records, descents, rising_sequences;
    uint64_t inversions;
    /*
     * sixty_fourths[from * SB_LARGE_SHARES + to]: how many items of share `from` are at a position of share
     * `to`. A share consists of n/64 adjacent items or positions (n/64 is rounded down); share 0 starts with
     * item or position 0. eighths[from * 8 + to]: the same for shares of n/8.
     */
    uint32_t sixty_fourths[SB_LARGE_SHARES * SB_LARGE_SHARES], eighths[64];
};

/* Computes the statistics of the permutation a[n]. Cost: O(n log n) time, and 12 n bytes. Error:
 * SB_NO_MEMORY. */
enum sb_status sb_large_count(size_t n, const sb_item a[], struct sb_large_counts *counts);

#endif
