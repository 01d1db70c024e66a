/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Splice: draw one of the m items that the source still has, and append it to the result. To close the gap,
 * move all items after the gap down by one. Repeat this for m = n, n-1, ... 1.
 *
 * Each card is drawn from all cards that are left, so each deal of k comes from exactly one of the n (n-1)
 * ... (n-k+1) series of draws. Cost for a deal of k: 2k array accesses, and k draws (n-1 draws if k = n).
 * Closing the gap after a draw from m items takes m-1 more accesses on average (2 for each of (m-1)/2 items).
 * If k = n, these accesses total n(n-1)/2.
 *
 * M. Bostock, Fisher-Yates Shuffle (2012), https://bost.ocks.org/mike/shuffle/: the second form on that page.
 * Fisher and Yates (1938) did this with pencil and paper.
 */
#include "shuffle/shuffle.h"

#include <string.h>

static void splice_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    sb_item *const source = deck->a, *const result = deck->b;
    size_t m = deck->n;

    for (size_t i = 0; i < deck->deal; i++) {
        const size_t j = sb_draw_below(src, (uint32_t)m);

        result[i] = source[j];
        m--;
        memmove(source + j, source + j + 1, (m - j) * sizeof *source);
    }
    sb_deck_exchange(deck);
}

/* Treats the result, followed by the source, as one array. */
static size_t splice_origin(const struct sb_shuffle *self, size_t n, size_t step, size_t q, struct sb_source *src)
{
    return sb_origin_insert(q, step + sb_draw_below(src, (uint32_t)(n - step)), step);
}

const struct sb_shuffle_type sb_shuffle_splice = {
    .name = "splice",
    .title = "removing the drawn item from the source and closing the gap",
    .cite = "https://bost.ocks.org/mike/shuffle/",
    .claim = SB_UNIFORM,
    .pseudocode = "for m = n down to 1:\n"
                  "    j = draw(m)\n"
                  "    append source[j] to the result\n"
                  "    remove source[j] and close the gap\n",
    .why = "Each card is drawn from all that are left, each equally likely. So there are as many "
           "series of answers as deals, one for each. Only closing the gap takes time.",
    .run = splice_run,
    .origin = splice_origin,
};
