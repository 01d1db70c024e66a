/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shuffle that ASF Software published for its online poker rooms: swap each of the n positions, in turn,
 * with a position drawn from the first n-1. (The draw was `random(51) + 1` in Pascal, where `random(n)` is
 * below n.)
 *
 * Biased: (n-1)^n equally likely series of draws cannot be divided evenly among n! permutations, as n
 * divides n! but has no factor in common with n-1. Besides, the last card never stays last: only the last
 * step touches the last position, and always moves that card away. Cost: n draws (none for n = 2), 4n array
 * accesses.
 *
 * B. Arkin, F. Hill, S. Marks, M. Schmid, T. J. Walls and G. McGraw, How We Learned to Cheat at Online
 * Poker: A Study in Software Security (1999),
 * https://www.developer.com/guides/how-we-learned-to-cheat-at-online-poker-a-study-in-software-security/.
 */
#include "shuffle/shuffle.h"

static size_t planet_poker_plan(const struct sb_shuffle *self, size_t n, size_t deal, struct sb_swap steps[])
{
    for (size_t i = 0; steps && i < n; i++)
        steps[i] = (struct sb_swap) { .at = i, .at_bound = 1, .from = 0, .bound = n - 1 };
    return n;
}

const struct sb_shuffle_type sb_shuffle_planet_poker = {
    .name = "planet-poker",
    .title = "ASF's online poker: each position with one of the first n-1",
    .cite = "Arkin, Hill, Marks, Schmid, Walls, McGraw, How We Learned to Cheat at Online Poker (1999)",
    .claim = SB_BIASED,
    .pseudocode = "for i = 0 to n-1:\n"
                  "    j = draw(n - 1)\n"
                  "    swap a[i], a[j]\n",
    .why = "draw(n - 1) never gives the last position. Only the last step touches that, and it "
           "always takes away what stands there: the last card is never dealt last. Nor would "
           "draw(n) mend it: that is the naive swap.",
    .plan = planet_poker_plan,
};
