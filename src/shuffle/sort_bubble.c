/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bubble sort with a coin for a comparator: in each of n passes, for j = 0 .. n-2, swap a[j] with a[j+1] if
 * cmp(a[j], a[j+1]) > 0.
 *
 * Biased: with probability 1/2, a pass carries another item past a given item, and the given item falls one
 * place. Otherwise the pass carries the given item up, by t places with probability 2^-(t+1) for each t >= 0.
 * This is a random walk with variance 2 per pass, so after n passes an item is about sqrt(2n) places from its
 * start. Cost: n(n-1) draws, 4n(n-1) array accesses: each comparison reads both items, and writes both even
 * if they are not exchanged.
 *
 * Knuth, The Art of Computer Programming, vol. 3, 2nd ed., 5.2.2 (there each pass ends at the last swap of
 * the previous pass).
 */
#include "shuffle/coin.h"

static void sort_bubble_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    const size_t n = deck->n;
    sb_item *const a = deck->a;
    struct sb_hand hand = sb_hand_take(src);

    for (size_t pass = 0; pass < n && src->status == SB_OK; pass++)
        for (size_t j = 0; j + 1 < n; j++)
            sb_coin_order(&hand, a, j, j + 1);
    sb_hand_give(&hand);
}

/* One pass. The item at q has either fallen one place, or consecutive swaps have carried it up to q. */
static size_t sort_bubble_origin(const struct sb_shuffle *self, size_t n, size_t step, size_t q, struct sb_source *src)
{
    if (q + 1 < n && sb_draw_below(src, 2) == 1)
        return q + 1;
    return q - sb_draw_run(src, 2, q);
}

const struct sb_shuffle_type sb_shuffle_sort_bubble = {
    .name = "sort-bubble",
    .title = "bubble sort, comparing by coin",
    .cite = "Knuth, The Art of Computer Programming, vol. 3, 5.2.2",
    .claim = SB_BIASED,
    .pseudocode = "repeat n times:\n"
                  "    for j = 0 to n-2:\n"
                  "        if draw(2) = 1: swap a[j], a[j+1]\n",
    .why = "In a pass an item is carried up a few places or falls one, half of the time each. That "
           "is a random walk: after n passes an item is only some sqrt(2n) places from where it was.",
    .run = sort_bubble_run,
    .origin = sort_bubble_origin,
};
