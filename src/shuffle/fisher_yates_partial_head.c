/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A partial Fisher-Yates that returns the wrong end. Each of k steps, i = n-1 .. n-k, exchanges a[i] with one
 * of a[0..i]. Then the shuffle deals the items at the first k positions instead of those at the last k.
 *
 * Biased: the last k positions hold a fair deal, but the first k hold what the exchanges left there. For k <=
 * n/2, each of the first k cards is still at its own position with probability (n-k)/n. For a deal of nine
 * from 52, this probability is 43/52. A deal of the whole deck is correct. Cost: k draws, 4k array accesses.
 */
#include "shuffle/shuffle.h"

static size_t fisher_yates_partial_head_plan(const struct sb_shuffle *self, size_t n, size_t deal,
                                             struct sb_swap steps[])
{
    const size_t count = deal < n ? deal : n - 1; /* n-1 steps determine the last item too */

    for (size_t k = 0; steps && k < count; k++)
        steps[k] = (struct sb_swap) { .at = n - 1 - k, .at_bound = 1, .from = 0, .bound = n - k };
    return count;
}

const struct sb_shuffle_type sb_shuffle_fisher_yates_partial_head = {
    .name = "fisher-yates-partial-head",
    .title = "a partial Fisher-Yates that returns the wrong end, fair only as a whole deck",
    .claim = SB_BIASED_DEALS,
    .pseudocode = "for i = n-1 down to n-k:    (k cards are dealt)\n"
                  "    j = draw(i + 1)\n"
                  "    swap a[i], a[j]\n"
                  "deal a[0] to a[k-1]         (a[n-k] to a[n-1] are the fair ones)\n",
    .why = "k steps settle the last k positions, and there the deal is fair. The first k hold what "
           "the swaps have left there, which is mostly what stood there before. Where the whole deck "
           "is dealt nothing is wrong.",
    .plan = fisher_yates_partial_head_plan,
};
