/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The naive swap that never swaps an item with itself: for i = 0 .. n-1 swap a[i] with any of the n-1 others.
 * A draw r below n-1 stands for position r if r < i, and for position r+1 otherwise.
 *
 * Biased: each step is a true transposition, so n steps make an even permutation if n is even, and an odd
 * permutation if n is odd. The other half of all permutations never occur. For n >= 3, the n!/2 permutations
 * that occur are not equally likely either: n divides n!/2, but has no factor in common with the number of
 * series, (n-1)^n. Cost: n draws (none for n = 2), 4n array accesses.
 */
#include "shuffle/shuffle.h"

static void naive_no_self_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    sb_item *const a = deck->a;

    for (size_t i = 0; i < deck->n; i++) {
        const size_t r = sb_draw_below(src, (uint32_t)deck->n - 1);
        const size_t j = r + (r >= i);
        const sb_item item = a[i];

        a[i] = a[j];
        a[j] = item;
    }
}

static size_t naive_no_self_origin(const struct sb_shuffle *self, size_t n, size_t step, size_t q,
                                   struct sb_source *src)
{
    const size_t r = sb_draw_below(src, (uint32_t)n - 1);

    return sb_origin_swap(q, step, r + (r >= step));
}

const struct sb_shuffle_type sb_shuffle_naive_no_self = {
    .name = "naive-no-self",
    .title = "the naive swap, never of an item with itself",
    .claim = SB_BIASED,
    .pseudocode = "for i = 0 to n-1:\n"
                  "    r = draw(n - 1)\n"
                  "    j = r if r < i, else r + 1\n"
                  "    swap a[i], a[j]\n",
    .why = "No item may stay where it is, so each step is a true exchange, and n of them make an "
           "even permutation where n is even and an odd one where n is odd: half of all orders of "
           "the deck never come up. A fair shuffle must be able to leave an item alone.",
    .run = naive_no_self_run,
    .origin = naive_no_self_origin,
};
