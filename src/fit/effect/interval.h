/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a table of deals, with their confidence intervals. */
#ifndef SB_FIT_EFFECT_INTERVAL_H
#define SB_FIT_EFFECT_INTERVAL_H

#include "core/finding.h"

/*
 * Selects the deals that a table shows, by their counts in `order`. `order` is `evidence` itself, or other
 * evidence on the same deals that the table shows beside `evidence`. If there are at most SB_ROWS_ALL deals,
 * the table shows all, in the order of their ranks. If there are more deals, the code sorts them in
 * descending order of their counts; deals with equal counts are in the order of their ranks. The table then
 * shows the first and the last SB_ROWS_END deals. So the table begins with the most frequent deal, ends with
 * the least frequent deal, and shows no deal twice.
 *
 * For sampled evidence, each share has a confidence interval. The intervals of all deals are valid
 * simultaneously at level 1 - alpha, 0 < alpha < 1, whichever rows are shown. Each end has a relative error of at
 * most 1e-12. If the sample is empty, shares and ratios are NaN, and intervals are 0..1.
 *
 * *rows becomes an array of *count rows, which the caller frees. SB_INVALID if only the matrix is known.
 * SB_NO_MEMORY.
 */
enum sb_status sb_rows_of(const struct sb_evidence *evidence, const struct sb_evidence *order, double alpha,
                          struct sb_row **rows, size_t *count);

#endif
