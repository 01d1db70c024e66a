/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Merge sort with a coin for a comparator, as in qsort() of glibc 2.36: sort the first n/2 items and the
 * other n - n/2 items, then merge these two halves. The merge takes the next item from the left half if cmp
 * <= 0, else from the right half, until one half is used up. Remaining items of the left half are then moved
 * to the end; remaining items of the right half are already in place. glibc merges into scratch and copies
 * the result back. This code copies only the left half to scratch and merges in place, so it copies fewer
 * items.
 *
 * Biased: a merge of p with q items ends when one part is used up. An order that leaves r items of the other
 * part takes p+q-r coins, so it has probability 2^-(p+q-r) instead of 1/C(p+q, p). At n = 3, the orders 123
 * and 132 have probability 2/8 each, and the other orders 1/8 each. At n = 4 the matrix is exactly uniform,
 * but the shuffle is not. Cost, on average: about n lg n - 1.8n draws for large n (2.5 at n = 3, 214 at n =
 * 52); at most 5n array accesses for each of ceil(lg n) levels. The recursion is ceil(lg n) deep.
 *
 * GNU C Library 2.36, stdlib/msort.c, https://sourceware.org/git/glibc.git.
 */
#include "shuffle/coin.h"

static void sort_merge_sort(struct sb_hand *hand, sb_item a[], size_t n, sb_item scratch[])
{
    const size_t half = n / 2;
    size_t i = 0, j = half, k = 0;

    if (half > 1)
        sort_merge_sort(hand, a, half, scratch);
    if (n - half > 1)
        sort_merge_sort(hand, a + half, n - half, scratch);
    for (size_t m = 0; m < half; m++)
        scratch[m] = a[m];
    while (i < half && j < n) {
        const bool right = sb_coin_compare(hand, scratch[i], a[j]) > 0;

        const sb_item *const next = right ? &a[j] : &scratch[i];

        a[k++] = *next;
        j += right;
        i += !right;
    }
    while (i < half)
        a[k++] = scratch[i++];
}

static void sort_merge_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    struct sb_hand hand = sb_hand_take(src);

    sort_merge_sort(&hand, deck->a, deck->n, deck->b);
    sb_hand_give(&hand);
}

const struct sb_shuffle_type sb_shuffle_sort_merge = {
    .name = "sort-merge",
    .title = "merge sort (qsort of glibc 2.36), comparing by coin",
    .cite = "GNU C Library 2.36, stdlib/msort.c",
    .claim = SB_BIASED,
    .pseudocode = "sort the first n/2 items in this way, then the others\n"
                  "while both parts have items:\n"
                  "    take the next of the first part if draw(2) = 0,\n"
                  "    else the next of the second\n"
                  "take what is left\n",
    .why = "A merge ends as soon as one part is used up, and what is left of the other follows in a "
           "block, without a coin. Orders that end in long blocks are too likely: of four items 1234 "
           "comes up twice as often as 1324, though there each item comes to each position equally "
           "often.",
    .run = sort_merge_run,
};
