/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The weights of a draw's answers, in lowest terms, for the steps of a swap plan. */
#ifndef SB_EXACT_WEIGHTS_H
#define SB_EXACT_WEIGHTS_H

#include "exact/law.h"

/*
 * Sets weight[0..bound-1] to the weights of the answers below `bound`, 1 <= bound. The weights have no common
 * factor. If the draw is exactly uniform, all weights are 1. Returns the sum of the weights minus 1, since
 * the sum may be 2^64. O(bound).
 */
uint64_t sb_weights_get(const struct sb_law *law, size_t bound, uint64_t weight[]);

#endif
