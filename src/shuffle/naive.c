/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The naive swap: for i = 0 .. n-1 swap a[i] with any of a[0..n-1].
 *
 * Biased: n^n equally likely series of draws cannot be divided evenly among n! permutations, as n-1
 * divides n! but has no factor in common with n. At n = 3 the 27 series give 132, 213 and 231 five times
 * each, and the other orders four times each. Cost: n draws, 4n array accesses.
 *
 * J. Atwood, The Danger of Naivete (2007), https://blog.codinghorror.com/the-danger-of-naivete/. D. P.
 * Robbins and E. D. Bolker, The bias of three pseudo-random shuffles, Aequationes Mathematicae 22 (1981)
 * 268.
 */
#include "shuffle/shuffle.h"

static size_t naive_plan(const struct sb_shuffle *self, size_t n, size_t deal, struct sb_swap steps[])
{
    for (size_t i = 0; steps && i < n; i++)
        steps[i] = (struct sb_swap) { .at = i, .at_bound = 1, .from = 0, .bound = n };
    return n;
}

const struct sb_shuffle_type sb_shuffle_naive = {
    .name = "naive",
    .title = "the naive swap: each position in turn with any",
    .cite = "https://blog.codinghorror.com/the-danger-of-naivete/",
    .claim = SB_BIASED,
    .pseudocode = "for i = 0 to n-1:\n"
                  "    j = draw(n)\n"
                  "    swap a[i], a[j]\n",
    .why = "Each step draws from the whole deck, and so takes items away again from positions that "
           "were settled. From n = 3 on the n^n series of answers cannot be shared out evenly among "
           "n! orders: n-1 divides n! but has no factor in common with n. With j = i + draw(n - i) "
           "it would be Fisher-Yates, and fair.",
    .plan = naive_plan,
};
