/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fisher-Yates whose loop ends one step short: for i = n-1 .. 2 swap a[i] with one of a[0..i].
 *
 * Biased: without the last step there are n!/2 series of draws, each of which gives a different permutation.
 * The other half of the permutations never occur. (A deck of two is never shuffled at all.) Another mistake
 * gives the same shuffle: the program should leave position 0 alone and shuffle positions 1..n-1, but it
 * draws from 0..i instead of from 1..i. Cost: n-2 draws, 4(n-2) array accesses.
 */
#include "shuffle/shuffle.h"

static size_t fisher_yates_stops_early_plan(const struct sb_shuffle *self, size_t n, size_t deal,
                                            struct sb_swap steps[])
{
    size_t k = 0;

    for (size_t i = n - 1; i > 1; i--, k++)
        if (steps)
            steps[k] = (struct sb_swap) { .at = i, .at_bound = 1, .from = 0, .bound = i + 1 };
    return k;
}

const struct sb_shuffle_type sb_shuffle_fisher_yates_stops_early = {
    .name = "fisher-yates-stops-early",
    .title = "Fisher-Yates whose loop ends one step short",
    .claim = SB_BIASED,
    .pseudocode = "for i = n-1 down to 2:\n"
                  "    j = draw(i + 1)\n"
                  "    swap a[i], a[j]\n",
    .why = "The loop must go down to 1. Without its last step, a draw below 2, there are n!/2 series "
           "of answers, each with an order of the deck of its own, and the other half of all orders "
           "of the deck never comes up.",
    .plan = fisher_yates_stops_early_plan,
};
