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

struct msvc_rand_stream {
    struct sb_words words;
    uint32_t state;
};

static uint64_t msvc_rand_next(struct sb_words *words)
{
    struct msvc_rand_stream *stream = (struct msvc_rand_stream *)words;

    stream->state = stream->state * 214013 + 2531011;
    return stream->state >> 16 & 0x7fff;
}

static enum sb_status msvc_rand_reseed(struct sb_words *words, uint64_t seed)
{
    struct msvc_rand_stream *stream = (struct msvc_rand_stream *)words;

    stream->state = (uint32_t)seed;
    return SB_OK;
}

const struct sb_rng_type sb_rng_msvc_rand = {
    .name = "msvc-rand",
    .title = "rand() of Microsoft's C library, 15 bits",
    .cite = "Universal C Runtime, ucrt/misc/rand.cpp",
    .largest = 0x7fff,
    .seeds = UINT64_C(1) << 31,
    .size = sizeof(struct msvc_rand_stream),
    .next = msvc_rand_next,
    .open = sb_rng_open,
    .close = sb_rng_close,
    .reseed = msvc_rand_reseed,
};
