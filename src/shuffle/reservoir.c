/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reservoir sampling misused as a deal: take the first k cards; then for i = k .. n-1 draw j in 0..i, and if
 * j < k, card i replaces the card at j.
 *
 * The set of k cards is uniform, but the order of these cards is not. A card of the first k is dealt at its
 * own position or not at all. A deal of the whole deck leaves the deck unchanged. This code exchanges card i
 * with the card at j even if j >= k. The deal is the same, because a card that has left the first k positions
 * never returns to them. Cost: n-k draws, 4(n-k) array accesses.
 *
 * A. Waterman's Algorithm R, as in D. E. Knuth, The Art of Computer Programming, vol. 2, 3.4.2, where the
 * order of the sample does not matter. J. S. Vitter, Random sampling with a reservoir, doi:10.1145/3147.3165.
 */
#include "shuffle/shuffle.h"

static size_t reservoir_plan(const struct sb_shuffle *self, size_t n, size_t deal, struct sb_swap steps[])
{
    size_t k = 0;

    for (size_t i = deal + (deal == 0); i < n; i++, k++)
        if (steps)
            steps[k] = (struct sb_swap) { .at = i, .at_bound = 1, .from = 0, .bound = i + 1 };
    return k;
}

const struct sb_shuffle_type sb_shuffle_reservoir = {
    .name = "reservoir",
    .title = "a reservoir taken for a deal: a fair set of cards, in no fair order",
    .cite = "doi:10.1145/3147.3165",
    .claim = SB_BIASED,
    .pseudocode = "for i = k to n-1:           (k cards are dealt)\n"
                  "    j = draw(i + 1)\n"
                  "    if j < k: a[j] = a[i]\n"
                  "deal a[0] to a[k-1]\n",
    .why = "As a set the cards in the reservoir are fair, each set of k equally likely. Their order "
           "is not: a card of the first k is dealt at its own position or not at all. A sample has "
           "to be shuffled before it is dealt from.",
    .plan = reservoir_plan,
};
