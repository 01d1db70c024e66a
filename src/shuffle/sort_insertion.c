/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Insertion sort with a coin for a comparator: for i = 1 .. n-1, take x = a[i] out; from j = i-1 down, move
 * a[j] up while cmp(a[j], x) > 0; put x in the gap.
 *
 * Biased: each place that x moves down takes another coin. So x moves down t places with probability
 * 2^-(t+1), although all places should be equally likely. On average, x moves less than one place.
 * Cost, on average: 2n - 4 + 2^(2-n) draws, half of which move an item, and 6n - 10 + 2^(3-n) array accesses: 1
 * per draw, 2 per move and 2 per item. There are at most n(n-1)/2 draws.
 *
 * Knuth, The Art of Computer Programming, vol. 3, 2nd ed., 5.2.1, Algorithm S. V8 before 7.0 sorted up to 10
 * elements in this way.
 */
#include "shuffle/coin.h"

static void sort_insertion_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    sb_item *const a = deck->a;
    struct sb_hand hand = sb_hand_take(src);

    for (size_t i = 1; i < deck->n; i++) {
        const sb_item x = a[i];
        size_t j = i;

        for (; j > 0 && sb_coin_compare(&hand, a[j - 1], x) > 0; j--)
            a[j] = a[j - 1];
        a[j] = x;
    }
    sb_hand_give(&hand);
}

static size_t sort_insertion_origin(const struct sb_shuffle *self, size_t n, size_t step, size_t q,
                                    struct sb_source *src)
{
    return sb_origin_insert(q, step, step - sb_draw_run(src, 2, step));
}

const struct sb_shuffle_type sb_shuffle_sort_insertion = {
    .name = "sort-insertion",
    .title = "insertion sort, comparing by coin",
    .cite = "Knuth, The Art of Computer Programming, vol. 3, 5.2.1",
    .claim = SB_BIASED,
    .pseudocode = "for i = 1 to n-1:\n"
                  "    x = a[i]; j = i\n"
                  "    while j > 0 and draw(2) = 1:    (the coin says a[j-1] > x)\n"
                  "        a[j] = a[j-1]; j = j - 1\n"
                  "    a[j] = x\n",
    .why = "To go down another place takes another 1, so x goes down t places with probability "
           "2^-(t+1) where all places should be equally likely: most items stay near where they "
           "were.",
    .run = sort_insertion_run,
    .origin = sort_insertion_origin,
};
