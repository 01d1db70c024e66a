/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The weights of a draw's answers, in lowest terms: what a step of a swap plan is multiplied out with. */
#ifndef SB_EXACT_WEIGHTS_H
#define SB_EXACT_WEIGHTS_H

#include "exact/law.h"

/*
 * weight[0..bound-1] of the answers below `bound`, 1 <= bound. Their sum is what is returned, plus 1, since
 * 2^64 may be their sum; they have no common factor. All 1 where the draw is exactly uniform. O(bound).
 */
uint64_t sb_weights_get(const struct sb_law *law, size_t bound, uint64_t weight[]);

#endif
