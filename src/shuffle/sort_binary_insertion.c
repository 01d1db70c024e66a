/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binary insertion sort with a coin for a comparator: for i = 1 .. n-1, find the place of x = a[i] in
 * a[0..i-1] by binary search, where cmp(x, a[mid]) < 0 chooses the lower half; move the items at this place
 * and after it up by one, and put x there.
 *
 * V8 15.6 (Chromium 156) sorts fewer than 16 elements in this way. V8 up to at least 11.3 (node 20) used
 * sort-timsort.
 *
 * Biased: the search finds one of i+1 places with c = floor(lg(i+1)) or ceil(lg(i+1)) coins, so this place
 * has probability 2^-c. The places are equally likely only if i+1 is a power of two; otherwise some are twice
 * as likely as others. At n = 3 the six permutations, by rank, have the probabilities 2 1 2 1 1 1, in
 * eighths. This was confirmed by trying all answers of the comparator in Chromium 156.
 * Cost: n lg n - 1.5n draws on average for large n (2.5 at n = 3, 223 at n = 52); at most the sum of ceil(lg
 * i) for i = 2 .. n. Array accesses: 2 for each of about n^2/4 moves, and 2 per item. The search reads no items,
 * because a coin does not look at them.
 *
 * Knuth, The Art of Computer Programming, vol. 3, 2nd ed., 5.2.1, "Binary insertion".
 */
#include "shuffle/coin.h"

static void sort_binary_insertion_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    struct sb_hand hand = sb_hand_take(src);

    sb_coin_insert(&hand, deck->a, 1, deck->n);
    sb_hand_give(&hand);
}

static size_t sort_binary_insertion_origin(const struct sb_shuffle *self, size_t n, size_t step, size_t q,
                                           struct sb_source *src)
{
    struct sb_hand hand = sb_hand_take(src);
    const size_t place = sb_coin_place(&hand, step);

    sb_hand_give(&hand);
    return sb_origin_insert(q, step, place);
}

const struct sb_shuffle_type sb_shuffle_sort_binary_insertion = {
    .name = "sort-binary-insertion",
    .title = "binary insertion sort (V8 15.6 below 16 items), comparing by coin",
    .cite = "Knuth, The Art of Computer Programming, vol. 3, 5.2.1",
    .claim = SB_BIASED,
    .pseudocode = "for i = 1 to n-1:\n"
                  "    lo = 0; hi = i\n"
                  "    while lo < hi:\n"
                  "        mid = floor((lo + hi) / 2)\n"
                  "        if draw(2) = 0: hi = mid, else: lo = mid + 1\n"
                  "    put a[i] before a[lo]\n",
    .why = "Each place among i items is found by halving with coins. That is even only where i + 1 "
           "is a power of two; else some of the places take one coin more than others, and are half "
           "as likely. Three items have the law 2 1 2 1 1 1 of 8, that of Chromium 156 (V8 15.6), which sorts "
           "fewer than 16 items in this way; in node 20 (V8 11.3) it is that of sort-timsort, 6 1 2 1 1 5 of "
           "16.",
    .run = sort_binary_insertion_run,
    .origin = sort_binary_insertion_origin,
};
