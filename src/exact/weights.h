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

/* Like sb_weights_get(), but sets `total` to the sum of the weights. The caller has initialised `total`. */
void sb_weights_total(const struct sb_law *law, size_t bound, uint64_t weight[], mpz_t total);

/* For a shuffle made of swaps: sets `denominator`, which the caller has initialised, to the product of the sums of the
 * weights of all its draws. weight[0..n-1] is scratch space. */
void sb_weights_denominator(const struct sb_law *law, uint64_t weight[], mpz_t denominator);

#endif
