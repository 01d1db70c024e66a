/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The comparator `Math.random() - 0.5`: a fair coin that answers "less" or "greater", never "equal", whatever
 * the two items are.
 *
 * If the sort tosses c coins, their series of answers has probability 2^-c. So the probability of every
 * permutation is a sum of such powers. For n >= 3 this is never 1/n!, since 3 divides n!. How far this
 * probability is from 1/n! depends on the sort. Cost of a comparison: 1 draw, and 2 array accesses to read
 * both items. If one of the items has been read already, there is only 1 array access.
 *
 * R. Weir, Doing the Microsoft Shuffle: Algorithm Fail in Browser Ballot (2010),
 * https://www.robweir.com/blog/2010/02/microsoft-random-browser-ballot.html. M. Bostock, Will It Shuffle?,
 * https://bost.ocks.org/mike/shuffle/compare.html.
 */
#ifndef SB_SHUFFLE_COIN_H
#define SB_SHUFFLE_COIN_H

#include "shuffle/shuffle.h"

/* Takes one draw below 2. Returns -1, "x is less", if the answer is 0, and +1, "x is greater", if the answer
 * is 1. */
static inline int sb_coin_compare(struct sb_source *src, sb_item x, sb_item y)
{
    (void)x;
    (void)y;
    return sb_draw_below(src, 2) == 0 ? -1 : 1;
}

/* Exchanges a[i] and a[j]. */
static inline void sb_coin_swap(sb_item a[], size_t i, size_t j)
{
    const sb_item item = a[i];

    a[i] = a[j];
    a[j] = item;
}

/*
 * Returns a place for an item among `count` others, found by binary search: lo = 0, hi = count; while lo <
 * hi, let mid = lo + (hi - lo)/2; if cmp(item, mid) < 0, let hi = mid, else let lo = mid + 1.
 */
static inline size_t sb_coin_place(struct sb_source *src, size_t count)
{
    size_t lo = 0, hi = count;

    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;

        if (sb_coin_compare(src, 0, 0) < 0)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

/* Inserts each of a[sorted..n-1], one by one, among the items before it, by binary search. Two shuffles use
 * this function. */
static inline void sb_coin_insert(struct sb_source *src, sb_item a[], size_t sorted, size_t n)
{
    for (size_t i = sorted; i < n; i++) {
        const sb_item x = a[i];
        const size_t place = sb_coin_place(src, i);

        for (size_t j = i; j > place; j--)
            a[j] = a[j - 1];
        a[place] = x;
    }
}

#endif
