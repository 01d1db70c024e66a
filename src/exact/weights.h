/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The weights of a draw's answers, in lowest terms, for the steps of a swap plan. */
#ifndef SB_EXACT_WEIGHTS_H
#define SB_EXACT_WEIGHTS_H

#include "exact/law.h"

/*
 * Computes weight[0..bound-1] of the answers below `bound`, 1 <= bound, without a common factor; all are 1 if
 * the draw is exactly uniform. Returns their sum minus 1, since the sum may be 2^64. O(bound).
 */
uint64_t sb_weights_get(const struct sb_law *law, size_t bound, uint64_t weight[]);

#endif
