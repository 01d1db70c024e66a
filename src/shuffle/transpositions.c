/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random transpositions: n times, swap two positions. Both are drawn from all n positions, and may be the
 * same.
 *
 * Biased for n >= 3: n^(2n) equally likely series of draws cannot be divided evenly among n! permutations, as
 * n-1 divides n! but has no factor in common with n. Besides, n swaps are too few: in a large deck, n swaps
 * leave about e^-2 = 14% of the positions untouched. It takes (n/2) ln n swaps to come close to uniform.
 * Cost: 2n draws, 4n array accesses.
 *
 * P. Diaconis and M. Shahshahani, Generating a random permutation with random transpositions, Zeitschrift
 * fuer Wahrscheinlichkeitstheorie und verwandte Gebiete 57 (1981) 159, doi:10.1007/BF00535487.
 */
#include "shuffle/shuffle.h"

static size_t transpositions_plan(const struct sb_shuffle *self, size_t n, size_t deal, struct sb_swap steps[])
{
    for (size_t k = 0; steps && k < n; k++)
        steps[k] = (struct sb_swap) { .at = 0, .at_bound = n, .from = 0, .bound = n };
    return n;
}

const struct sb_shuffle_type sb_shuffle_transpositions = {
    .name = "transpositions",
    .title = "n swaps of two random positions",
    .cite = "doi:10.1007/BF00535487",
    .claim = SB_BIASED,
    .pseudocode = "repeat n times:\n"
                  "    i = draw(n)\n"
                  "    j = draw(n)\n"
                  "    swap a[i], a[j]\n",
    .why = "From n = 3 on n^(2n) series of answers cannot be shared out evenly among n! orders. "
           "Besides, n swaps are too few: in a large deck about e^-2 = 14% of the positions are "
           "never touched, and it takes some (n/2) ln n swaps to come close to fair.",
    .plan = transpositions_plan,
};
