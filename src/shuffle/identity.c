/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * No shuffle at all: the deck stays in its original order.
 *
 * Biased for n >= 2: only one of the n! permutations comes up. Cost: nothing.
 *
 * This is what a caller sees of a function that shuffles a copy and returns the original, or of a sort with a
 * comparator that always says "equal".
 */
#include "shuffle/shuffle.h"

static size_t identity_plan(const struct sb_shuffle *self, size_t n, size_t deal, struct sb_swap steps[])
{
    return 0;
}

const struct sb_shuffle_type sb_shuffle_identity = {
    .name = "identity",
    .title = "no shuffle: the original order",
    .claim = SB_BIASED,
    .by_name_only = true,
    .pseudocode = "for i = 0 .. n-1\n"
                  "    leave a[i] where it is\n",
    .why = "Nothing moves. A function that shuffles a copy must return the copy, and a caller must use what "
           "the function returns.",
    .plan = identity_plan,
};
