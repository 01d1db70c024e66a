/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact probability of one permutation under a plan of swaps, for decks that are far too large for
 * enumeration. */
#ifndef SB_EXACT_SINGLE_SINGLE_H
#define SB_EXACT_SINGLE_SINGLE_H

#include "exact/engine.h"

enum {
    SB_SINGLE_ITEMS_MOST = SB_ODDS_ITEMS_MOST,
    SB_SINGLE_STATES_MOST = 2000000, /* limit on the arrangements in a table: about 400 MB at n = 52 */
};

/*
 * Computes the probability of ending with a[0..n-1] as count / denominator. This fraction is not in lowest
 * terms: the denominator is the product, over the steps, of the sums of the weights, such as n^n for the
 * naive swap. The shuffler of the law must have deal = n. The caller owns both numbers, which stay unchanged
 * after a failure. SB_INVALID: the shuffle is not a plan of swaps. SB_TOO_LARGE: the items or arrangements
 * exceed the limits above. SB_NO_MEMORY. SB_STOPPED.
 */
enum sb_status sb_single_count(const struct sb_law *law, const sb_item a[], struct sb_error *error,
                               mpz_t count, mpz_t denominator);

#endif
