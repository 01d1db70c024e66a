/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Floyd's sample, read as an order. To choose k of n items: for j = n-k .. n-1, draw t in 0..j, and add item
 * t to the sample, or item j if the sample has item t already.
 *
 * The set of k items is uniform. The order in which they were added is not: item j can be added by its own
 * step and by later ones only. Let i = 0..k-1 be a position of the deal, and j = n-k+i. After i steps the
 * sample is a uniform set of i of the first j items, so P(item x is at position i) is
 *
 *     (n-k) / (j (j+1))     for x < j,
 *     (i+1) / (j+1)         for x = j, and 0 for x > j.
 *
 * A sample of the whole deck leaves the deck unchanged. Cost: k draws (k-1 if k = n), 5k array accesses and
 * n/64 words to clear.
 *
 * J. Bentley and R. W. Floyd, Programming pearls: a sample of brilliance, Communications of the ACM 30(9)
 * (1987) 754, doi:10.1145/30401.315746, algorithm F2. Their algorithm P makes a fair order.
 */
#include "shuffle/shuffle.h"

#include <string.h>

static void floyd_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    const size_t n = deck->n;
    uint64_t *const taken = deck->key; /* one bit per item */
    struct sb_hand hand = sb_hand_take(src);

    memset(taken, 0, (n + 63) / 64 * sizeof *taken);
    for (size_t i = 0, j = n - deck->deal; j < n; i++, j++) {
        const size_t t = sb_hand_below(&hand, (uint32_t)j + 1);
        const size_t item = taken[t / 64] >> (t % 64) & 1 ? j : t;

        taken[item / 64] |= UINT64_C(1) << (item % 64);
        deck->b[i] = deck->a[item];
    }
    sb_hand_give(&hand);
    sb_deck_exchange(deck);
}

const struct sb_shuffle_type sb_shuffle_floyd = {
    .name = "floyd",
    .title = "Floyd's sample read as an order: a fair set of cards, in no fair order",
    .cite = "doi:10.1145/30401.315746",
    .claim = SB_BIASED,
    .by_name_only = true,
    .pseudocode = "for j = n-k to n-1:         (k cards are dealt)\n"
                  "    t = draw(j + 1)\n"
                  "    append a[t], or a[j] if a[t] has been taken\n",
    .why = "As a set the cards are fair, each set of k equally likely. Their order is not: the first card is "
           "never one of the last k-1, and the last of the n cards, if it is dealt at all, is dealt last. "
           "A sample has to be shuffled before it is dealt from.",
    .run = floyd_run,
};
