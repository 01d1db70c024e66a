/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a table of deals, with their confidence intervals. */
#ifndef SB_FIT_EFFECT_INTERVAL_H
#define SB_FIT_EFFECT_INTERVAL_H

#include "core/finding.h"

/*
 * The deals that a table shows: all of them by rank where there are at most SB_ROWS_ALL; else, in descending
 * order of their counts in `order` (the evidence itself, or other evidence of the same deals beside which it
 * is to stand), those of equal counts by rank, the first SB_ROWS_END and the last SB_ROWS_END, so that the
 * table begins with the most frequent deal and ends with the least frequent one, and no deal is in it twice.
 *
 * For sampled evidence each share has an interval; all cells' intervals together hold at level 1 - alpha, 0 <
 * alpha < 1, whichever are shown. Where nothing was counted shares and ratios are NaN and intervals 0..1.
 *
 * *rows becomes [*count], the caller's to free. SB_INVALID where only the matrix is known, SB_NO_MEMORY.
 */
enum sb_status sb_rows_of(const struct sb_evidence *evidence, const struct sb_evidence *order, double alpha,
                          struct sb_row **rows, size_t *count);

#endif
