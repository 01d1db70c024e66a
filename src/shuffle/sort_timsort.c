/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Timsort of a short array with a coin for a comparator: what V8 since 7.0 and CPython before 3.13 do to
 * fewer than 64 elements. Find the run at the start, descending if cmp(a[1], a[0]) < 0, as long as cmp(a[i],
 * a[i-1]) < 0 says the same; reverse it if it is descending; binary insertion for the rest. From 64 elements
 * on the real ones merge such runs; here all of the deck is still sorted in this way, as the same shuffle
 * for every n.
 *
 * Biased: at n = 3 both coins agree with probability 1/2, and then the deck stays as it is or is reversed:
 * 123 has 6 and 321 has 5 of 16.
 * Cost: the run has 3 items for 3 draws on average, if n is large; the rest as in sort-binary-insertion, so
 * n lg n - 1.5n draws and n^2/2 array accesses for large n.
 *
 * T. Peters, https://github.com/python/cpython/blob/main/Objects/listsort.txt; S. Zuend, Getting things
 * sorted in V8 (2018), https://v8.dev/blog/array-sort.
 */
#include "shuffle/coin.h"

/* The length of the run at the start of a[0..n-1], n >= 2, made ascending. */
static size_t sort_timsort_run_length(struct sb_source *src, sb_item a[], size_t n)
{
    const bool descending = sb_coin_compare(src, a[1], a[0]) < 0;
    size_t length = 2;

    while (length < n && (sb_coin_compare(src, a[length], a[length - 1]) < 0) == descending)
        length++;
    if (descending)
        for (size_t i = 0; i < length / 2; i++)
            sb_coin_swap(a, i, length - 1 - i);
    return length;
}

static void sort_timsort_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    const size_t length = sort_timsort_run_length(src, deck->a, deck->n);

    (void)self;
    sb_coin_insert(src, deck->a, length, deck->n);
}

const struct sb_shuffle_type sb_shuffle_sort_timsort = {
    .name = "sort-timsort",
    .title = "V8's and CPython's sort of short arrays, comparing by coin",
    .cite = "https://v8.dev/blog/array-sort",
    .claim = SB_BIASED,
    .pseudocode = "the first coin, draw(2), says how the run at the start goes,\n"
                  "    and the run goes on while the coins say the same\n"
                  "if that was 0, \"less\": turn the run round\n"
                  "put each item behind the run into it,\n"
                  "    where halving with coins finds its place\n",
    .why = "As long as coins agree nothing is mixed: the run is left as it is, or turned round as a "
           "whole. That happens too often. The other items are put in by halving, which is even only "
           "where the number of places is a power of two.",
    .run = sort_timsort_run,
};
