/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fisher-Yates from the front: for i = 0 .. n-2 swap a[i] with one of a[i..n-1].
 *
 * Step i puts one of n-i equally likely items at position i, where the item stays. So there are n! series of
 * draws, one for each permutation, and a deal of k < n is complete after k steps (the partial Fisher-Yates).
 * Cost: n-1 draws, 4(n-1) array accesses. A deal of k < n takes k draws and 4k array accesses.
 *
 * https://en.wikipedia.org/wiki/Fisher-Yates_shuffle shows this form beside Durstenfeld's,
 * doi:10.1145/364520.364540.
 */
#include "shuffle/shuffle.h"

static size_t fisher_yates_forward_plan(const struct sb_shuffle *self, size_t n, size_t deal, struct sb_swap steps[])
{
    const size_t count = deal < n ? deal : n - 1; /* n-1 steps determine the last item too */

    for (size_t i = 0; steps && i < count; i++)
        steps[i] = (struct sb_swap) { .at = i, .at_bound = 1, .from = i, .bound = n - i };
    return count;
}

const struct sb_shuffle_type sb_shuffle_fisher_yates_forward = {
    .name = "fisher-yates-forward",
    .title = "Fisher-Yates from the front, which can stop after a deal",
    .cite = "https://en.wikipedia.org/wiki/Fisher-Yates_shuffle",
    .claim = SB_UNIFORM,
    .pseudocode = "for i = 0 to n-2:           (a deal of k stops after k steps)\n"
                  "    j = i + draw(n - i)\n"
                  "    swap a[i], a[j]\n",
    .why = "Step i settles position i with one of the n - i items that are left, each equally "
           "likely, and no later step touches it. So there are as many series of answers as deals, "
           "one for each, and it may stop as soon as enough cards are dealt.",
    .plan = fisher_yates_forward_plan,
};
