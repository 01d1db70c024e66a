/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact probability of one permutation under a plan of swaps, for decks far beyond enumeration. */
#ifndef SB_EXACT_SINGLE_SINGLE_H
#define SB_EXACT_SINGLE_SINGLE_H

#include "exact/engine.h"

enum {
    SB_SINGLE_ITEMS_MOST = SB_ODDS_ITEMS_MOST,
    SB_SINGLE_STATES_MOST = 2000000, /* the most arrangements in a table: about 400 MB at n = 52 */
};

/*
 * Computes the probability of ending with a[0..n-1] as count / denominator, not in lowest terms: the
 * denominator is the product of the steps' sums, n^n for the naive swap. The law's shuffler has deal = n. The
 * caller owns both numbers, which stay unchanged after a failure. SB_INVALID: not a plan of swaps;
 * SB_TOO_LARGE: more items or arrangements than above; SB_NO_MEMORY; SB_STOPPED.
 */
enum sb_status sb_single_count(const struct sb_law *law, const sb_item a[], struct sb_error *error,
                               mpz_t count, mpz_t denominator);

#endif
