/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The naive swap from the back: for i = n-1 .. 0 swap a[i] with any of a[0..n-1].
 *
 * Biased like the naive swap, because n^n series of draws cannot be divided evenly among n! permutations. The
 * two shuffles are mirror images: if items and positions are both counted from the other end, one becomes the
 * other. The mirror image of a permutation is the permutation read backwards, with each item i replaced by
 * n-1-i. So a permutation is as likely here as its mirror image is under the naive swap. Cost: n draws, 4n
 * array accesses.
 */
#include "shuffle/shuffle.h"

static size_t naive_backward_plan(const struct sb_shuffle *self, size_t n, size_t deal, struct sb_swap steps[])
{
    for (size_t k = 0; steps && k < n; k++)
        steps[k] = (struct sb_swap) { .at = n - 1 - k, .at_bound = 1, .from = 0, .bound = n };
    return n;
}

const struct sb_shuffle_type sb_shuffle_naive_backward = {
    .name = "naive-backward",
    .title = "the naive swap from the back",
    .claim = SB_BIASED,
    .pseudocode = "for i = n-1 down to 0:\n"
                  "    j = draw(n)\n"
                  "    swap a[i], a[j]\n",
    .why = "It is the naive swap in a mirror, and no better: each step draws from the whole deck, "
           "also from what was settled, and n^n series of answers cannot be shared out evenly among "
           "n! orders from n = 3 on. With j = draw(i + 1) it would be Fisher-Yates, and fair.",
    .plan = naive_backward_plan,
};
