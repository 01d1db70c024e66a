/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fisher-Yates into a new array: draw one of the m items that the source still has, append it to the result,
 * and fill the hole with the source's last item. Repeat this for m = n, n-1, ... 1.
 *
 * Each card is drawn from all cards that are left, so each deal of k comes from exactly one of the n (n-1)
 * ... (n-k+1) series of draws. Cost for a deal of k: 4k array accesses, and k draws. If k = n, there are only
 * n-1 draws, since the last item needs no draw.
 *
 * R. A. Fisher and F. Yates, Statistical Tables for Biological, Agricultural and Medical Research (1938).
 * Their method, with pencil and paper, strikes out the drawn items and skips these items when counting: see
 * splice.c.
 */
#include "shuffle/shuffle.h"

static void fisher_yates_original_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    sb_item *const source = deck->a, *const result = deck->b;
    size_t m = deck->n;

    for (size_t i = 0; i < deck->deal; i++) {
        const size_t j = sb_draw_below(src, (uint32_t)m);

        result[i] = source[j];
        source[j] = source[--m];
    }
    sb_deck_exchange(deck);
}

/* Treats the result and the source as one array. The source follows the result in reverse order, so the
 * source's last item is next to the result. */
static size_t fisher_yates_original_origin(const struct sb_shuffle *self, size_t n, size_t step, size_t q,
                                           struct sb_source *src)
{
    const size_t hole = n - 1 - sb_draw_below(src, (uint32_t)(n - step));
    const size_t from = sb_origin_swap(q, step, hole);

    return step == 0 ? n - 1 - from : from;
}

const struct sb_shuffle_type sb_shuffle_fisher_yates_original = {
    .name = "fisher-yates-original",
    .title = "Fisher-Yates into a new array, the hole filled with the last item",
    .cite = "Fisher, Yates, Statistical Tables for Biological, Agricultural and Medical Research (1938)",
    .claim = SB_UNIFORM,
    .pseudocode = "for m = n down to 1:\n"
                  "    j = draw(m)\n"
                  "    append source[j] to the result\n"
                  "    source[j] = source[m-1]\n",
    .why = "Each card is drawn from all that are left, each equally likely; what fills the hole "
           "changes only where they stand. So there are as many series of answers as deals, one for "
           "each.",
    .run = fisher_yates_original_run,
    .origin = fisher_yates_original_origin,
};
