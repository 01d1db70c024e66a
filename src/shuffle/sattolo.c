/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sattolo's algorithm: for i = n-1 .. 1 swap a[i] with one of a[0..i-1]. This is Fisher-Yates, except that no
 * item is swapped with itself.
 *
 * Biased as a shuffle, but exact for its purpose: its (n-1)! series of draws give each of the (n-1)! cyclic
 * permutations (one cycle of length n) exactly once, and no other permutation.
 * Cost: n-2 draws, 4(n-1) array accesses.
 *
 * S. Sattolo, An algorithm to generate a random cyclic permutation, Information Processing Letters 22 (1986)
 * 315, doi:10.1016/0020-0190(86)90073-6.
 */
#include "shuffle/shuffle.h"

static size_t sattolo_plan(const struct sb_shuffle *self, size_t n, size_t deal, struct sb_swap steps[])
{
    size_t k = 0;

    for (size_t i = n; i-- > 1; k++)
        if (steps)
            steps[k] = (struct sb_swap) { .at = i, .at_bound = 1, .from = 0, .bound = i };
    return k;
}

const struct sb_shuffle_type sb_shuffle_sattolo = {
    .name = "sattolo",
    .title = "Sattolo's algorithm: a random cycle",
    .cite = "doi:10.1016/0020-0190(86)90073-6",
    .claim = SB_BIASED,
    .pseudocode = "for i = n-1 down to 1:\n"
                  "    j = draw(i)\n"
                  "    swap a[i], a[j]\n",
    .why = "j is below i, never i itself, so no item may stay: the (n-1)! series of answers lead to "
           "the orders of the deck that are one single cycle, one each, and the others, the unshuffled deck "
           "among them, never come up. As a random cycle it is exact; as a shuffle it is "
           "Fisher-Yates off by one, and draw(i + 1) was meant.",
    .plan = sattolo_plan,
};
