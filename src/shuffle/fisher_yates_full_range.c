/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fisher-Yates with draws from too large a range: for i = n-1 .. 1 swap a[i] with any of a[0..n-1].
 *
 * Biased for n >= 3: n^(n-1) equally likely series of draws cannot be divided evenly among n! permutations,
 * as n-1 divides n! but has no factor in common with n. This is the naive swap from the back without its
 * last step. Cost: n-1 draws, 4(n-1) array accesses.
 */
#include "shuffle/shuffle.h"

static size_t fisher_yates_full_range_plan(const struct sb_shuffle *self, size_t n, size_t deal, struct sb_swap steps[])
{
    size_t k = 0;

    for (size_t i = n; i-- > 1; k++)
        if (steps)
            steps[k] = (struct sb_swap) { .at = i, .at_bound = 1, .from = 0, .bound = n };
    return k;
}

const struct sb_shuffle_type sb_shuffle_fisher_yates_full_range = {
    .name = "fisher-yates-full-range",
    .title = "Fisher-Yates that draws each time from the whole deck",
    .claim = SB_BIASED,
    .pseudocode = "for i = n-1 down to 1:\n"
                  "    j = draw(n)\n"
                  "    swap a[i], a[j]\n",
    .why = "j ought to be drawn below i + 1, from what is not settled yet; below n it takes items "
           "away again from positions that were. From n = 3 on n^(n-1) series of answers cannot be "
           "shared out evenly among n! orders.",
    .plan = fisher_yates_full_range_plan,
};
