/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tallies the decks of consecutive seeds as a stream. If the decks do not depend on each other, the step from
 * each deck to the next is fair. If the first words of a generator are too simple a function of the seed,
 * these steps are not fair. One thread deals the decks in order. Cost: the cost of sb_seeds_reach() for these
 * seeds, and the cost of the tallies.
 */
#include "sample/seeds/seeds.h"

#include "core/core.h"
#include "sample/sample.h"

#include <stdlib.h>

enum sb_status sb_seeds_tally(const struct sb_seeds *seeds, uint64_t most, struct sb_tallies *tallies,
                              struct sb_error *error)
{
    const volatile sig_atomic_t *const stop = seeds->recipe.stop;
    const uint64_t last = seeds->last - seeds->first < most ? seeds->last : seeds->first + most - 1;
    struct sb_plain *const plain = calloc(1, sizeof *plain);
    struct sb_recipe recipe = seeds->recipe;
    struct sb_lanes_program program;
    enum sb_status status = SB_NO_MEMORY;

    recipe.seed = 1; /* a seed that every generator accepts */
    const bool side_by_side = sb_sample_side_by_side(&recipe, &program);

    if (plain)
        status = sb_plain_open(&recipe, plain);
    for (uint64_t seed = seeds->first; status == SB_OK && !(stop && *stop); seed++) {
        enum sb_status shuffled = SB_OK;

        if (side_by_side)
            sb_lanes_best()->deal(&program, seed, 0, 1, plain->deck.a);
        else
            shuffled = sb_plain_reseed(plain, seed);
        if (!side_by_side && shuffled == SB_OK)
            shuffled = sb_plain_next(plain);
        if (shuffled == SB_OK)
            sb_tallies_add(tallies, plain->deck.a, 1);
        else
            sb_tallies_begin(tallies, 0); /* this seed has no deck, so no step leads to the next deck */
        if (seed == last)
            break;
    }
    if (plain)
        sb_plain_close(plain);
    free(plain);
    return status ? sb_error_memory(error, "the decks of the seeds") : SB_OK;
}
