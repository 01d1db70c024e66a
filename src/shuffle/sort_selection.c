/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Selection sort with a coin for a comparator: for each i = 0 .. n-2, let m = i; for each j = i+1 .. n-1, if
 * cmp(a[j], a[m]) < 0, let m = j; then swap a[i] with a[m].
 *
 * Biased: the last item is selected with probability 1/2, the item before it with 1/4, and so on. So a[j], j
 * > i, has probability 2^(j-n) instead of 1/(n-i).
 * Cost: n(n-1)/2 draws, (n-1)(n+4) array accesses.
 *
 * Knuth, The Art of Computer Programming, vol. 3, 2nd ed., 5.2.3 (Knuth selects the greatest item first).
 */
#include "shuffle/coin.h"

static void sort_selection_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    sb_item *const a = deck->a;
    struct sb_hand hand = sb_hand_take(src);

    for (size_t i = 0; i + 1 < deck->n && src->status == SB_OK; i++) {
        size_t m = i;

        for (size_t j = i + 1; j < deck->n; j++)
            if (sb_coin_compare(&hand, a[j], a[m]) < 0)
                m = j;
        sb_items_swap(a, i, m);
    }
    sb_hand_give(&hand);
}

/* The step selects the last item whose coin says "less", so this code examines the coins from the end. */
static size_t sort_selection_origin(const struct sb_shuffle *self, size_t n, size_t step, size_t q,
                                    struct sb_source *src)
{
    return sb_origin_swap(q, step, n - 1 - sb_draw_run(src, 2, n - 1 - step));
}

const struct sb_shuffle_type sb_shuffle_sort_selection = {
    .name = "sort-selection",
    .title = "selection sort, comparing by coin",
    .cite = "Knuth, The Art of Computer Programming, vol. 3, 5.2.3",
    .claim = SB_BIASED,
    .pseudocode = "for i = 0 to n-2:\n"
                  "    m = i\n"
                  "    for j = i+1 to n-1:\n"
                  "        if draw(2) = 0: m = j\n"
                  "    swap a[i], a[m]\n",
    .why = "The last j whose coin says \"less\" is selected: the last item with probability 1/2, the "
           "one before with 1/4, and so on, where each should have 1/(n-i).",
    .run = sort_selection_run,
    .origin = sort_selection_origin,
};
