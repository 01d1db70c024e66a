/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rand() of Microsoft's C library: state = (214013 state + 2531011) mod 2^32; the word is bits 16..30 of the
 * state.
 *
 * srand(seed) sets the state to the low 32 bits of the seed. The top bit of the state never affects a word,
 * so there are 2^31 different series of words. Thirteen cards already have more than 2^31 orders.
 *
 * Check: srand(1) gives 41, 18467, 6334, 26500, 19169, 15724.
 *
 * Cost: one multiplication.
 *
 * Universal C Runtime of the Windows SDK, ucrt/misc/rand.cpp; the values as on Rosetta Code, "Linear
 * congruential generator".
 */
#include "rng/rng.h"

static uint64_t msvc_rand_next(struct sb_words *words)
{
    struct sb_rng_state *const stream = (struct sb_rng_state *)words;

    stream->state = (uint32_t)(stream->state * 214013 + 2531011);
    return stream->state >> 16 & 0x7fff;
}

const struct sb_rng_type sb_rng_msvc_rand = {
    .name = "msvc-rand",
    .title = "rand() of Microsoft's C library, 15 bits",
    .cite = "Universal C Runtime, ucrt/misc/rand.cpp",
    .largest = 0x7fff,
    .seeds = UINT64_C(1) << 31,
    .size = sizeof(struct sb_rng_state),
    .next = msvc_rand_next,
    .reseed = sb_rng_reseed_32,
};
