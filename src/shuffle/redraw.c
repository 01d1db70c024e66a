/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Redraw: draw from the whole deck until the drawn card has not been taken yet, and append this card to the
 * result.
 *
 * Fair: an accepted draw is uniform on the n-i cards that are left, because each of these cards has
 * probability 1/n and all other draws are rejected. But the shuffle is slow: card i, counted from 0, takes
 * n/(n-i) draws on average. Cost for a deal of k, on average: D = n (H(n) - H(n-k)) draws, where H(m) = 1 +
 * 1/2 + ... + 1/m; 4D array accesses, and n/64 words to clear. If k = n, D is about n ln n + 0.58 n.
 *
 * M. Bostock, Fisher-Yates Shuffle (2012), https://bost.ocks.org/mike/shuffle/: the first, slow form on that
 * page.
 */
#include "shuffle/shuffle.h"

#include <string.h>

static void redraw_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    const size_t n = deck->n;
    uint64_t *const taken = deck->key; /* one bit per card */
    sb_item *const result = deck->b;
    struct sb_hand hand = sb_hand_take(src);
    bool goes_on = true;

    memset(taken, 0, (n + 63) / 64 * sizeof *taken);
    for (size_t i = 0; goes_on && i < deck->deal;) {
        const size_t j = sb_hand_below(&hand, (uint32_t)n);
        const uint64_t before = taken[j / 64], card = UINT64_C(1) << (j % 64);
        const bool is_new = !(before & card);

        /* no branch depends on is_new, because a processor would often mispredict such a branch */
        result[i] = deck->a[j];
        taken[j / 64] = before | card;
        i += is_new;
        goes_on = sb_hand_reject(&hand, !is_new);
    }
    sb_hand_give(&hand);
    sb_deck_exchange(deck);
}

static size_t redraw_awaits(const struct sb_shuffle *self, size_t n, size_t deal)
{
    return deal;
}

const struct sb_shuffle_type sb_shuffle_redraw = {
    .name = "redraw",
    .title = "drawing from the whole deck until the card has not been taken yet",
    .cite = "https://bost.ocks.org/mike/shuffle/",
    .claim = SB_UNIFORM,
    .pseudocode = "for i = 0 to n-1:\n"
                  "    repeat\n"
                  "        j = draw(n)\n"
                  "    until a[j] has not been taken yet\n"
                  "    result[i] = a[j]\n",
    .why = "An answer that is struck out says nothing of the one that follows, so what is accepted "
           "is uniform on the cards left, as in Fisher-Yates. Only draws are wasted: n/(n-i) are "
           "needed for the i-th card on average, i counted from 0.",
    .run = redraw_run,
    .awaits = redraw_awaits,
};
