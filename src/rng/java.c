/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * java.util.Random: state = (25214903917 state + 11) mod 2^48; the word is bits 16..47 of the state. These are
 * the constants of drand48().
 *
 * Random(seed) sets the state to (seed xor 25214903917) mod 2^48, so there are 2^48 different series of words.
 * Java's next(b) is the high b bits of a word. nextInt(n) is the draw `java-nextint`, and (int)(nextFloat() * n)
 * is the draw `float24`. No draw is (int)(nextDouble() * n): nextDouble() takes 26 bits of one word and 27 bits of
 * the next, and a draw takes at most the 32 bits of one word, so `multiply:53` is refused.
 *
 * Check: new Random(42) gives nextInt() = -1170105035, 234785527; as unsigned numbers 3124862261, 234785527.
 *
 * Cost: one multiplication.
 *
 * Java SE API, java.util.Random; Knuth, TAOCP vol. 2, 3.2.1.
 */
#include "rng/rng.h"

static const uint64_t java_multiplier = UINT64_C(25214903917);

static uint64_t java_next(struct sb_words *words)
{
    struct sb_rng_state *const stream = (struct sb_rng_state *)words;

    stream->state = (stream->state * java_multiplier + 11) & sb_words_mask(48);
    return stream->state >> 16;
}

static enum sb_status java_reseed(struct sb_words *words, uint64_t seed)
{
    struct sb_rng_state *const stream = (struct sb_rng_state *)words;

    stream->state = (seed ^ java_multiplier) & sb_words_mask(48);
    return SB_OK;
}

const struct sb_rng_type sb_rng_java = {
    .name = "java",
    .title = "java.util.Random, 48 bits of state, words of 32 bits",
    .cite = "Java SE API, java.util.Random",
    .largest = UINT32_MAX,
    .seeds = UINT64_C(1) << 48,
    .size = sizeof(struct sb_rng_state),
    .next = java_next,
    .reseed = java_reseed,
};
