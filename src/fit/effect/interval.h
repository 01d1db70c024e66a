/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a table of deals, with their confidence intervals. */
#ifndef SB_FIT_EFFECT_INTERVAL_H
#define SB_FIT_EFFECT_INTERVAL_H

#include "core/finding.h"

/*
 * The deals that a table shows. Up to SB_ROWS_ALL deals it shows all, by rank. Of more deals it shows the
 * first and the last SB_ROWS_END, in descending order of their counts in `order`, and by rank if counts
 * are equal. So the table begins with the most frequent deal and ends with the least frequent one, and
 * shows no deal twice. `order` is the evidence itself, or other evidence of the same deals that is shown
 * beside it.
 *
 * For sampled evidence each share has an interval; the intervals of all cells hold simultaneously at level
 * 1 - alpha, 0 < alpha < 1, whichever rows are shown. If nothing was counted, shares and ratios are NaN and
 * intervals 0..1.
 *
 * *rows becomes [*count]; the caller frees it. SB_INVALID if only the matrix is known, SB_NO_MEMORY.
 */
enum sb_status sb_rows_of(const struct sb_evidence *evidence, const struct sb_evidence *order, double alpha,
                          struct sb_row **rows, size_t *count);

#endif
