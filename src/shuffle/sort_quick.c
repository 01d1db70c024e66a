/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quicksort with a coin for a comparator, partitioning as N. Lomuto does: the pivot is a[hi]; for each j = lo
 * .. hi-1, if cmp(a[j], pivot) < 0, swap a[j] with the first of the items that were not less; then swap the
 * pivot to the place after the lesser items; sort the part before the pivot, then the part after the pivot.
 *
 * Biased: the pivot's place among m items should be uniform, but is binomial, so the middle is by far the
 * likeliest.
 * Cost, on average: about n lg n - 1.72n draws for large n (2.5 at n = 3, 214 at n = 52). This is the total
 * path length of a random digital search tree. At most n(n-1)/2 draws. 3 array accesses per draw and 7 per
 * pivot, of which 2 are to scratch.
 *
 * The code keeps the parts that are still to be sorted, at most n of them, in scratch memory instead of on
 * the stack. So no series of coins can overflow the stack.
 *
 * C. A. R. Hoare, Algorithm 64: Quicksort, CACM 4 (1961) 321, doi:10.1145/366622.366644; Lomuto's partition:
 * Cormen, Leiserson, Rivest and Stein, Introduction to Algorithms, 7.1 (there the test is cmp <= 0, which
 * makes no difference with a coin).
 */
#include "shuffle/coin.h"

/* Puts the pivot a[hi] between the lesser and the greater items of a[lo..hi]. Returns the place of the
 * pivot. */
static size_t sort_quick_partition(struct sb_hand *hand, sb_item a[], size_t lo, size_t hi)
{
    const sb_item pivot = a[hi];
    size_t i = lo;

    for (size_t j = lo; j < hi; j++)
        if (sb_coin_compare(hand, a[j], pivot) < 0)
            sb_items_swap(a, i++, j);
    sb_items_swap(a, i, hi);
    return i;
}

static void sort_quick_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    uint64_t *const ends =
        deck->key; /* the ends of the nested parts that contain a[lo..end-1]; the innermost part is last */
    size_t depth = 0, lo = 0, end = deck->n;
    struct sb_hand hand = sb_hand_take(src);

    for (;;) {
        while (end - lo > 1) { /* sort the part before the pivot first */
            const size_t pivot = sort_quick_partition(&hand, deck->a, lo, end - 1);

            ends[depth++] = end;
            end = pivot;
        }
        if (depth == 0)
            break;
        lo = end + 1; /* the pivot is at `end`, so continue after the pivot */
        end = (size_t)ends[--depth];
    }
    sb_hand_give(&hand);
}

const struct sb_shuffle_type sb_shuffle_sort_quick = {
    .name = "sort-quick",
    .title = "quicksort with Lomuto's partition, comparing by coin",
    .cite = "doi:10.1145/366622.366644",
    .claim = SB_BIASED,
    .pseudocode = "sort a[lo] to a[hi]: i = lo\n"
                  "    for j = lo to hi-1:\n"
                  "        if draw(2) = 0: swap a[i], a[j]; i = i + 1\n"
                  "    swap a[i], a[hi]                (the pivot)\n"
                  "    sort what is before i, then what is behind it\n",
    .why = "The pivot comes to a place that is a number of heads, so the middle is by far the "
           "likeliest, where a fair shuffle would bring it to each place equally often.",
    .run = sort_quick_run,
};
