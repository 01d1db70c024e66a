/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Timsort of a short array with a coin for a comparator. Find the run at the start. The run is descending if
 * cmp(a[1], a[0]) < 0. The run lasts as long as the test cmp(a[i], a[i-1]) < 0 gives the same answer. Reverse
 * a descending run. Insert the remaining items by binary insertion.
 *
 * V8 from 7.0 to at least 11.3 (node 20) and CPython's list.sort up to 3.12 sort fewer than 64 elements in
 * this way. V8 and CPython sort longer arrays by merging such runs, but this shuffle sorts decks of any size
 * as if they were short. Other versions differ. V8 15.6 (Chromium 156) uses sort-binary-insertion below 16
 * elements. At n = 3, CPython 3.13 makes the six permutations, by rank, with the probabilities 20 2 6 9 10
 * 17, in 64ths.
 *
 * Biased: at n = 3 the first two coins agree with probability 1/2. If the coins agree, the deck stays
 * unchanged or is reversed. By rank, the six permutations have the probabilities 6 1 2 1 1 5, in 16ths. This
 * was confirmed by trying all answers of the comparator in node 20.20 and in CPython 2.7, 3.6, 3.10, 3.11 and
 * 3.12.
 * Cost, for large n: on average the run has 3 items and takes 3 draws. The remaining items cost as much as in
 * sort-binary-insertion, so there are about n lg n - 1.5n draws and n^2/2 array accesses.
 *
 * T. Peters, https://github.com/python/cpython/blob/main/Objects/listsort.txt; S. Zuend, Getting things
 * sorted in V8 (2018), https://v8.dev/blog/array-sort.
 */
#include "shuffle/coin.h"

/* Finds the run at the start of a[0..n-1], n >= 2, and reverses a descending run. Returns the length of the
 * run. */
static size_t sort_timsort_run_length(struct sb_hand *hand, sb_item a[], size_t n)
{
    const bool descending = sb_coin_compare(hand, a[1], a[0]) < 0;
    size_t length = 2;

    while (length < n && (sb_coin_compare(hand, a[length], a[length - 1]) < 0) == descending)
        length++;
    if (descending)
        for (size_t i = 0; i < length / 2; i++)
            sb_items_swap(a, i, length - 1 - i);
    return length;
}

static void sort_timsort_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    struct sb_hand hand = sb_hand_take(src);
    const size_t length = sort_timsort_run_length(&hand, deck->a, deck->n);

    sb_coin_insert(&hand, deck->a, length, deck->n);
    sb_hand_give(&hand);
}

const struct sb_shuffle_type sb_shuffle_sort_timsort = {
    .name = "sort-timsort",
    .title = "Timsort of short arrays (V8 7.0 to 11.3, CPython to 3.12), comparing by coin",
    .cite = "https://v8.dev/blog/array-sort",
    .claim = SB_BIASED,
    .pseudocode = "the first coin, draw(2), says how the run at the start goes,\n"
                  "    and the run goes on while the coins say the same\n"
                  "if that was 0, \"less\": turn the run round\n"
                  "put each item behind the run into it,\n"
                  "    where halving with coins finds its place\n",
    .why = "As long as coins agree nothing is mixed: the run is left as it is, or turned round as a "
           "whole. That happens too often. The other items are put in by halving, which is even only "
           "where the number of places is a power of two. Three items have the law 6 1 2 1 1 5 of 16, that of "
           "V8 in node 20 (11.3) and of list.sort in CPython up to 3.12; in Chromium 156 (V8 15.6) it is "
           "2 1 2 1 1 1 of 8, that of sort-binary-insertion.",
    .run = sort_timsort_run,
};
