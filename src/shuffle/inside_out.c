/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside-out: the shuffle that fills an array with the items of a source while it shuffles. For i = 0 .. n-1
 * draw j in 0..i, move the item at j to i, and put the source's item i at j.
 *
 * Each of the n! series of draws gives a different permutation. Cost: n-1 draws, 4n array accesses (including
 * a read of the source's item, as if the source were an array). A deal of k costs the same, since every step
 * can change the first k positions.
 *
 * Knuth, The Art of Computer Programming, vol. 2, 3rd ed., 3.4.2, answer to exercise 16, shuffles items as
 * they arrive. Articles that measure speed usually measure this form, which has two assignments in each step.
 */
#include "shuffle/shuffle.h"

static void inside_out_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    struct sb_hand hand = sb_hand_take(src);
    sb_item *const a = deck->a;

    for (size_t i = 0; i < deck->n; i++) {
        const sb_item item = a[i];
        const size_t j = sb_hand_below(&hand, (uint32_t)i + 1);

        a[i] = a[j];
        a[j] = item;
    }
    sb_hand_give(&hand);
}

static size_t inside_out_origin(const struct sb_shuffle *self, size_t n, size_t step, size_t q, struct sb_source *src)
{
    return sb_origin_swap(q, step, sb_draw_below(src, (uint32_t)step + 1));
}

const struct sb_shuffle_type sb_shuffle_inside_out = {
    .name = "inside-out",
    .title = "inside-out Fisher-Yates, which fills an array as it shuffles",
    .claim = SB_UNIFORM,
    .pseudocode = "for i = 0 to n-1:\n"
                  "    j = draw(i + 1)\n"
                  "    a[i] = a[j]\n"
                  "    a[j] = source[i]\n",
    .why = "The new item comes to each of the i + 1 places with the same probability, and what stood "
           "there goes to the end: if the first i were in fair order, the first i + 1 are. There are "
           "n! series of answers, one for each order of the whole deck.",
    .run = inside_out_run,
    .origin = inside_out_origin,
};
