/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The generator that many web pages suggest for repeatable random numbers: state = (9301 state + 49297) mod
 * 233280; the word is the state. Programs use state / 233280, so the draw is `multiply` without W.
 *
 * The first state is the seed modulo 233280. All states lie on one cycle, so there are 233,280 different series
 * of words, fewer than the 362,880 orders of nine cards.
 *
 * Programs compute in double precision. Seeds above 2^53 / 9301 = 968,411,918,583, such as the time in milliseconds,
 * are too large for this: the first product is rounded, and the words of such programs differ from those here. For
 * bounds up to 120, the draw differs from the exact one for 9 pairs of a state and a bound, with the bounds 45, 75, 90
 * and 108 (all pairs were tried).
 *
 * Check: the states that follow state 6 are 105103, 169100, 74637, 6754.
 *
 * Cost: one multiplication and one division.
 *
 * Press, Flannery, Teukolsky and Vetterling, Numerical Recipes (1986), section 7.1, "Constants for portable
 * random number generators".
 */
#include "rng/rng.h"

enum { LCG233280_STATES = 233280 };

static uint64_t lcg233280_next(struct sb_words *words)
{
    struct sb_rng_state *const stream = (struct sb_rng_state *)words;

    stream->state = (stream->state * 9301 + 49297) % LCG233280_STATES;
    return stream->state;
}

static enum sb_status lcg233280_reseed(struct sb_words *words, uint64_t seed)
{
    struct sb_rng_state *const stream = (struct sb_rng_state *)words;

    stream->state = (uint32_t)(seed % LCG233280_STATES);
    return SB_OK;
}

const struct sb_rng_type sb_rng_lcg233280 = {
    .name = "lcg233280",
    .title = "seed = (seed * 9301 + 49297) % 233280",
    .cite = "Numerical Recipes (1986), 7.1",
    .largest = LCG233280_STATES - 1,
    .seeds = LCG233280_STATES,
    .size = sizeof(struct sb_rng_state),
    .next = lcg233280_next,
    .reseed = lcg233280_reseed,
};
