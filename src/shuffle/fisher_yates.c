/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fisher-Yates, Durstenfeld's in-place form: for i = n-1 .. 1 swap a[i] with one of a[0..i].
 *
 * Each of the n! series of draws gives a different permutation, so each permutation has exactly one series.
 * Cost: n-1 draws, 4(n-1) array accesses. A deal of k costs the same, because the steps that determine the
 * first k positions come last.
 *
 * R. Durstenfeld, Algorithm 235: Random permutation, CACM 7 (1964) 420, doi:10.1145/364520.364540.
 */
#include "shuffle/shuffle.h"

static size_t fisher_yates_plan(const struct sb_shuffle *self, size_t n, size_t deal, struct sb_swap steps[])
{
    size_t k = 0;

    for (size_t i = n; i-- > 1; k++)
        if (steps)
            steps[k] = (struct sb_swap) { .at = i, .at_bound = 1, .from = 0, .bound = i + 1 };
    return k;
}

const struct sb_shuffle_type sb_shuffle_fisher_yates = {
    .name = "fisher-yates",
    .title = "Fisher-Yates, Durstenfeld's in-place form",
    .cite = "doi:10.1145/364520.364540",
    .claim = SB_UNIFORM,
    .pseudocode = "for i = n-1 down to 1:\n"
                  "    j = draw(i + 1)\n"
                  "    swap a[i], a[j]\n",
    .why = "Position i takes its item from the i + 1 that are not settled yet, each equally likely, "
           "and is never touched again. So the draws have n (n-1) ... 2 = n! series of answers, one "
           "for each order of the whole deck.",
    .plan = fisher_yates_plan,
};
