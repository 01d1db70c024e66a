/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fisher-Yates whose loop starts one step late: for i = n-2 .. 1 swap a[i] with one of a[0..i].
 *
 * Biased: the last item never moves, so only the (n-1)! permutations that keep it come up, and these are equally
 * likely. (A deck of two is never shuffled at all.) Cost: n-2 draws, 4(n-2) array accesses.
 */
#include "shuffle/shuffle.h"

static size_t fisher_yates_starts_late_plan(const struct sb_shuffle *self, size_t n, size_t deal,
                                            struct sb_swap steps[])
{
    size_t k = 0;

    for (size_t i = n - 2; i > 0; i--, k++)
        if (steps)
            steps[k] = (struct sb_swap) { .at = i, .at_bound = 1, .from = 0, .bound = i + 1 };
    return k;
}

const struct sb_shuffle_type sb_shuffle_fisher_yates_starts_late = {
    .name = "fisher-yates-starts-late",
    .title = "Fisher-Yates whose loop starts one step late",
    .claim = SB_BIASED,
    .by_name_only = true,
    .pseudocode = "for i = n-2 down to 1:\n"
                  "    j = draw(i + 1)\n"
                  "    swap a[i], a[j]\n",
    .why = "The loop must start at n-1. Without its first step the last item never moves, and all orders "
           "that end in another item never come up.",
    .plan = fisher_yates_starts_late_plan,
};
