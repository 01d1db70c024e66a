/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Heapsort with a coin for a comparator: make a heap by sifting down each of the items at n/2-1 .. 0; then
 * for m = n-1 .. 1, swap a[0] with a[m] and sift a[0] down in a[0..m-1]. To sift an item down, compare its
 * two children, then compare the item with the larger child. If the item is less, swap it with this child,
 * and continue from its new place.
 *
 * Biased: an item sinks to the next level only with probability 1/2, so most items stay near the root or near
 * the leaf where they start.
 * Cost, on average: about 16n/3 draws for large n (3 at n = 3, 240 at n = 52), of which 4n/3 make the heap. 3
 * array accesses per draw, and 4(n-1) for the swaps of a[0] with a[m].
 *
 * J. W. J. Williams, Algorithm 232: Heapsort, CACM 7 (1964) 347, doi:10.1145/512274.512284; the bottom-up
 * construction of the heap: R. W. Floyd, Algorithm 245: Treesort 3, CACM 7 (1964) 701,
 * doi:10.1145/355588.365103.
 */
#include "shuffle/coin.h"

/* Sifts a[root] down in the heap a[0..n-1]. */
static void sort_heap_sift(struct sb_hand *hand, sb_item a[], size_t root, size_t n)
{
    for (size_t child = 2 * root + 1; child < n; child = 2 * root + 1) {
        if (child + 1 < n && sb_coin_compare(hand, a[child], a[child + 1]) < 0)
            child++;
        if (sb_coin_compare(hand, a[root], a[child]) >= 0)
            return;
        sb_items_swap(a, root, child);
        root = child;
    }
}

static void sort_heap_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    sb_item *const a = deck->a;
    struct sb_hand hand = sb_hand_take(src);

    for (size_t root = deck->n / 2; root-- > 0;)
        sort_heap_sift(&hand, a, root, deck->n);
    for (size_t m = deck->n; m-- > 1;) {
        sb_items_swap(a, 0, m);
        sort_heap_sift(&hand, a, 0, m);
    }
    sb_hand_give(&hand);
}

const struct sb_shuffle_type sb_shuffle_sort_heap = {
    .name = "sort-heap",
    .title = "heapsort, comparing by coin",
    .cite = "doi:10.1145/512274.512284",
    .claim = SB_BIASED,
    .pseudocode = "for r = n/2 - 1 down to 0: sift(r)\n"
                  "for m = n-1 down to 1:\n"
                  "    swap a[0], a[m]; sift(0) in a[0] to a[m-1]\n"
                  "sift(r): of two children draw(2) = 0 takes the second;\n"
                  "    if draw(2) = 0 swap a[r] with it and go on from there\n",
    .why = "An item sinks to a further level with probability 1/2 only, so most stay near the root, "
           "or the leaf, where they were put.",
    .run = sort_heap_run,
};
