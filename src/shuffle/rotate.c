/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A random rotation: draw r below n, and put item (j + r) modulo n at position j. This is a cut of the deck.
 *
 * Badly biased, although the matrix of this shuffle is uniform: each item comes to each position with
 * probability 1/n, yet only n of the n! permutations ever occur. Cost: 1 draw and n array accesses. The deck
 * starts as 0..n-1, so the shuffle writes the items without reading any.
 */
#include "shuffle/shuffle.h"

static void rotate_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    const size_t n = deck->n;
    size_t item = sb_draw_below(src, (uint32_t)n);

    for (size_t j = 0; j < n; j++) {
        deck->a[j] = (sb_item)item++;
        if (item == n)
            item = 0;
    }
}

static size_t rotate_origin(const struct sb_shuffle *self, size_t n, size_t step, size_t q, struct sb_source *src)
{
    return (q + sb_draw_below(src, (uint32_t)n)) % n;
}

const struct sb_shuffle_type sb_shuffle_rotate = {
    .name = "rotate",
    .title = "a random rotation: a fair matrix and a terrible shuffle",
    .claim = SB_BIASED,
    .pseudocode = "r = draw(n)\n"
                  "for j = 0 to n-1:\n"
                  "    result[j] = a[(j + r) mod n]\n",
    .why = "One draw below n has n answers, so no more than n orders ever come up. Yet each item "
           "comes to each position equally often: a test that only looks at where items end up calls "
           "it fair.",
    .run = rotate_run,
    .origin = rotate_origin,
    .steps = sb_steps_one,
};
