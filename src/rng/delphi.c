/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The function Random of Borland's Delphi: state = (134775813 state + 1) mod 2^32; the word is the whole
 * state.
 *
 * Delphi's variable RandSeed is the state; this file sets it to the low 32 bits of the seed. Random(n) is the
 * high half of state * n, which is the draw `multiply:32`. All states lie on one cycle of length 2^32, so
 * each seed is a starting point on this cycle. When the first online poker rooms opened, Delphi's procedure
 * Randomize set the seed to the number of milliseconds since midnight. So there were 86,400,000 seeds,
 * 0..86399999.
 *
 * Check: the states that follow state 0, as signed numbers, are 1, 134775814, -596792289, 870078620 (OEIS
 * A152960); and Random(255) gives 0, 8, 219, 51, 69, 171 (Delphi 2009).
 *
 * Cost: one multiplication.
 *
 * https://oeis.org/A152960; Borland, technical note TN619 (1998); the values of Random(255) from
 * https://stackoverflow.com/questions/537785. For the milliseconds: Arkin et al., cited in
 * shuffle/planet_poker.c.
 */
#include "rng/rng.h"

static uint64_t delphi_next(struct sb_words *words)
{
    struct sb_rng_state *const stream = (struct sb_rng_state *)words;

    return stream->state = (uint32_t)(stream->state * 134775813 + 1);
}

const struct sb_rng_type sb_rng_delphi = {
    .name = "delphi",
    .title = "Random of Borland's Delphi, 32 bits",
    .cite = "https://oeis.org/A152960",
    .largest = UINT32_MAX,
    .seeds = UINT64_C(1) << 32,
    .size = sizeof(struct sb_rng_state),
    .next = delphi_next,
    .reseed = sb_rng_reseed_32,
};
