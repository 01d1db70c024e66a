/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside-out whose loop ends at the deal: for i = 0 .. k-1 exchange a[i] with one of a[0..i].
 *
 * Biased: this shuffle looks like the partial Fisher-Yates, which may stop after k steps. But in inside-out,
 * every position can change until the last step. This shuffle always deals the first k cards of the deck, in
 * a uniform order. So only a deal of the whole deck is correct. (Item i is still at i before step i, so the
 * two assignments of inside-out are an exchange.) Cost: k-1 draws, 4(k-1) array accesses.
 */
#include "shuffle/shuffle.h"

static size_t inside_out_truncated_plan(const struct sb_shuffle *self, size_t n, size_t deal, struct sb_swap steps[])
{
    size_t k = 0;

    for (size_t i = 1; i < deal; i++, k++)
        if (steps)
            steps[k] = (struct sb_swap) { .at = i, .at_bound = 1, .from = 0, .bound = i + 1 };
    return k;
}

const struct sb_shuffle_type sb_shuffle_inside_out_truncated = {
    .name = "inside-out-truncated",
    .title = "inside-out stopped after the deal, fair only as a whole deck: a deal has none but the first cards",
    .claim = SB_BIASED_DEALS,
    .pseudocode = "for i = 0 to k-1:           (k cards are dealt)\n"
                  "    j = draw(i + 1)\n"
                  "    swap a[i], a[j]\n"
                  "deal a[0] to a[k-1]\n",
    .why = "Inside-out takes in card i at step i. Stopped after k steps it has not seen the others, "
           "so only the first k cards are ever dealt. Fisher-Yates from the front may stop, since "
           "each of its steps draws from all that is left; inside-out settles nothing before its "
           "last step. Where the whole deck is dealt nothing is wrong.",
    .plan = inside_out_truncated_plan,
};
