/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mulberry32, the usual generator of JavaScript programs that need a seed: a counter that grows by 0x6D2B79F5
 * modulo 2^32, and a hash of the counter with two multiplications. The word is the hash.
 *
 * The counter starts at the low 32 bits of the seed. Each seed is a starting point on the one cycle of 2^32
 * states. The hash maps different states to the same word: only 1,893,145,848 of the 2^32 words, 44%, come up (counted
 * over the whole cycle).
 *
 * Check: mulberry32(0) gives 1144304738, 1416247, 958946056; divided by 2^32, 0.26642920868471265 and so on.
 *
 * Cost: two multiplications.
 *
 * T. Ettinger, mulberry32.c (2017); in JavaScript by bryc, github.com/bryc/code, jshash/PRNGs.md.
 */
#include "rng/rng.h"

static uint64_t mulberry32_next(struct sb_words *words)
{
    struct sb_rng_state *const stream = (struct sb_rng_state *)words;
    uint32_t hash = (uint32_t)(stream->state += 0x6D2B79F5);

    hash = (hash ^ hash >> 15) * (hash | 1);
    hash ^= hash + (hash ^ hash >> 7) * (hash | 61);
    return hash ^ hash >> 14;
}

const struct sb_rng_type sb_rng_mulberry32 = {
    .name = "mulberry32",
    .title = "mulberry32, 32 bits, of JavaScript programs",
    .cite = "github.com/bryc/code, PRNGs.md",
    .largest = UINT32_MAX,
    .seeds = UINT64_C(1) << 32,
    .size = sizeof(struct sb_rng_state),
    .next = mulberry32_next,
    .reseed = sb_rng_reseed_32,
};
