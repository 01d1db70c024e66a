/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fisher-Yates from the front whose loop ends one step short: for i = 0 .. n-3 swap a[i] with one of a[i..n-1].
 *
 * Biased: without the last step there are n!/2 series of draws, each of which gives a different permutation.
 * The other half of the permutations never occur. (A deck of two is never shuffled at all.) Cost: n-2 draws, 4(n-2)
 * array accesses.
 */
#include "shuffle/shuffle.h"

static size_t forward_stops_early_plan(const struct sb_shuffle *self, size_t n, size_t deal, struct sb_swap steps[])
{
    const size_t count = deal < n - 2 ? deal : n - 2;

    for (size_t i = 0; steps && i < count; i++)
        steps[i] = (struct sb_swap) { .at = i, .at_bound = 1, .from = i, .bound = n - i };
    return count;
}

const struct sb_shuffle_type sb_shuffle_forward_stops_early = {
    .name = "forward-stops-early",
    .title = "Fisher-Yates from the front whose loop ends one step short",
    .claim = SB_BIASED,
    .by_name_only = true,
    .pseudocode = "for i = 0 to n-3:\n"
                  "    j = i + draw(n - i)\n"
                  "    swap a[i], a[j]\n",
    .why = "The loop must go up to n-2. Without its last step, a draw below 2, there are n!/2 series "
           "of answers, each with an order of its own, and the other half of all orders never comes "
           "up.",
    .plan = forward_stops_early_plan,
};
