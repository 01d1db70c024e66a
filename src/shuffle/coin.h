/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The comparator `Math.random() - 0.5`: a fair coin that answers "less" or "greater", never "equal", whatever
 * the two items are.
 *
 * If a sort tosses c coins, this series of answers has probability 2^-c. So the probability of every
 * permutation is a sum of such powers. For n >= 3 such a sum is never 1/n!, since 3 divides n!. How far the
 * probabilities are from 1/n! depends on the sort. Cost of a comparison: 1 draw, and 2 array accesses to read
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
static inline int sb_coin_compare(struct sb_hand *hand, sb_item x, sb_item y)
{
    return 2 * (int)sb_hand_coin(hand) - 1;
}

/* Compares a[i] with a[j], and exchanges them if a[i] is greater. The function has no branch, because a
 * processor mispredicts half of all branches that depend on a coin. */
static inline void sb_coin_order(struct sb_hand *hand, sb_item a[], size_t i, size_t j)
{
    const sb_item x = a[i], y = a[j];
    const sb_item greater = sb_coin_compare(hand, x, y) > 0;
    const sb_item differ = (x ^ y) & (0 - greater);

    a[i] = x ^ differ;
    a[j] = y ^ differ;
}

/*
 * Returns a place for an item among `count` others, found by binary search: lo = 0, hi = count; while lo <
 * hi, let mid = lo + (hi - lo)/2; if cmp(item, mid) < 0, let hi = mid, else let lo = mid + 1.
 */
static inline size_t sb_coin_place(struct sb_hand *hand, size_t count)
{
    size_t lo = 0, hi = count;

    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;

        const bool less = sb_coin_compare(hand, 0, 0) < 0;

        hi = less ? mid : hi;
        lo = less ? lo : mid + 1;
    }
    return lo;
}

/* Inserts a[sorted], ..., a[n-1], one by one. A binary search finds the place of each item among the items
 * before it. */
static inline void sb_coin_insert(struct sb_hand *hand, sb_item a[], size_t sorted, size_t n)
{
    for (size_t i = sorted; i < n; i++) {
        const sb_item x = a[i];
        const size_t place = sb_coin_place(hand, i);

        for (size_t j = i; j > place; j--)
            a[j] = a[j - 1];
        a[place] = x;
    }
}

#endif
