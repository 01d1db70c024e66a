/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cut as a person makes it: a packet of about half the deck goes from the top to the bottom. The size of
 * the packet is binomial: it is the number of heads among n coins. A size of 0 or n leaves the deck
 * unchanged.
 *
 * Biased: of the n! permutations only the n rotations ever occur, and rotations by about n/2 occur more often
 * than the other rotations. `rotate` is a cut at a uniform place.
 * Cost: n draws and n array accesses. The deck starts as 0..n-1, so the shuffle writes the items without
 * reading any.
 *
 * The cut is the first half of the riffle of Gilbert, Shannon and Reeds: D. Bayer and P. Diaconis, Annals of
 * Applied Probability 2 (1992) 294, doi:10.1214/aoap/1177005705.
 */
#include "shuffle/shuffle.h"

static void cut_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    const size_t n = deck->n;
    size_t item = 0;

    for (size_t k = 0; k < n; k++)
        item += sb_draw_below(src, 2) == 0;
    for (size_t j = 0; j < n; j++, item++)
        deck->a[j] = (sb_item)(item < n ? item : item - n);
}

static size_t cut_origin(const struct sb_shuffle *self, size_t n, size_t step, size_t q, struct sb_source *src)
{
    return (q + sb_draw_zeros(src, 2, n)) % n;
}

const struct sb_shuffle_type sb_shuffle_cut = {
    .name = "cut",
    .title = "one cut, near the middle",
    .cite = "doi:10.1214/aoap/1177005705",
    .claim = SB_BIASED,
    .pseudocode = "h = 0\n"
                  "repeat n times:\n"
                  "    if draw(2) = 0: h = h + 1\n"
                  "move the top h cards to the bottom\n",
    .why = "A cut is a rotation, and there are only n of those. The size of the packet is a number "
           "of heads, so cuts near the middle are by far the likeliest.",
    .run = cut_run,
    .origin = cut_origin,
    .steps = sb_steps_one,
};
