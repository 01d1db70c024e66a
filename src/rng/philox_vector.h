/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Philox4x32-10 on the widest vectors of the instruction set, for many counters at once.
 *
 * A round maps (x0, x1, x2, x3) to (hi(C x2) ^ x1 ^ k0, lo(C x2), hi(A x0) ^ x3 ^ k1, lo(A x0)). Here A and C
 * are constants, k0 and k1 are the keys of the round, and hi and lo are the halves of a product. The ten
 * rounds use only the low half of each 64-bit lane. So lo of a product is already in place. A full 32 x
 * 32-bit multiplication of all 32-bit lanes, which no instruction set offers, is not needed. Cost: 2
 * multiplications, 2 shifts and 4 exclusive ors per round for one vector, which holds one counter in each
 * 64-bit lane; about half of that for each of the first two rounds.
 *
 * J. Salmon, M. Moraes, R. Dror, D. Shaw, Parallel random numbers: as easy as 1, 2, 3, SC 2011,
 * doi:10.1145/2063384.2063405. Only files that are compiled once per instruction set may include this header.
 */
#ifndef SB_RNG_PHILOX_VECTOR_H
#define SB_RNG_PHILOX_VECTOR_H

#include "core/vector.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SB_VECTOR_COUNTERS = SB_VECTOR_BYTES / 4, /* counters in two vectors; 32-bit lanes in one */
    SB_PHILOX_ROUNDS = 10,
    SB_PHILOX_CHAINS_MOST = 4, /* the largest number of vectors whose rounds run side by side */
};

/* The constants A and C of a round. */
#define SB_PHILOX_A UINT32_C(0xD2511F53)
#define SB_PHILOX_C UINT32_C(0xCD9E8D57)

/* The keys of all rounds, which depend only on the seed. */
struct sb_philox_keys {
    uint64_t round[SB_PHILOX_ROUNDS][2];
};

static inline struct sb_philox_keys sb_philox_keys(uint64_t seed)
{
    struct sb_philox_keys keys;
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);

    for (int r = 0; r < SB_PHILOX_ROUNDS; r++) {
        keys.round[r][0] = k0;
        keys.round[r][1] = k1;
        k0 += UINT32_C(0x9E3779B9);
        k1 += UINT32_C(0xBB67AE85);
    }
    return keys;
}

/* Returns, in each 64-bit lane, the product of `constant` and the low half of this lane of x. */
static inline sb_vector64 sb_vector_multiply(sb_vector64 x, uint32_t constant)
{
#if defined __AVX2__
    return (sb_vector64)_mm256_mul_epu32((__m256i)x, _mm256_set1_epi64x(constant));
#elif defined __SSE2__
    return (sb_vector64)_mm_mul_epu32((__m128i)x, _mm_set1_epi64x(constant));
#else
    return (x & UINT32_MAX) * (uint64_t)constant;
#endif
}

/* Returns, in each 16-bit lane, the high half of the product of `factor` and this lane of x. */
static inline sb_vector16 sb_vector_multiply_high(sb_vector16 x, uint16_t factor)
{
#if defined __AVX2__
    return (sb_vector16)_mm256_mulhi_epu16((__m256i)x, _mm256_set1_epi16((short)factor));
#elif defined __SSE2__
    return (sb_vector16)_mm_mulhi_epu16((__m128i)x, _mm_set1_epi16((short)factor));
#else
    const sb_vector32 even = ((sb_vector32)x & UINT16_MAX) * factor >> 16, odd = ((sb_vector32)x >> 16) * factor;

    return (sb_vector16)(even | (odd & ~(uint32_t)UINT16_MAX));
#endif
}

/* Returns, in each lane, the smaller of x and y. */
static inline sb_vector16 sb_vector_least(sb_vector16 x, sb_vector16 y)
{
#if defined __AVX2__
    return (sb_vector16)_mm256_min_epu16((__m256i)x, (__m256i)y);
#elif defined __SSE2__
    return x - (sb_vector16)_mm_subs_epu16((__m128i)x, (__m128i)y);
#else
    const sb_vector16 below = (sb_vector16)(x < y);

    return (below & x) | (~below & y);
#endif
}

/* Returns whether any lane of x is below `bound`. */
static inline bool sb_vector_any_below(sb_vector16 x, uint16_t bound)
{
    const sb_vector64 below = (sb_vector64)(x < bound);
    uint64_t any = 0;

    for (int i = 0; i < SB_VECTOR_BYTES / 8; i++)
        any |= below[i];
    return any;
}

/* Returns, in each lane, `yes` if x = y, else `no`. */
static inline sb_vector8 sb_vector_where_equal(sb_vector8 x, sb_vector8 y, sb_vector8 yes, sb_vector8 no)
{
#if defined __AVX2__
    return (sb_vector8)_mm256_blendv_epi8((__m256i)no, (__m256i)yes, (__m256i)(x == y));
#else
    const sb_vector8 equal = (sb_vector8)(x == y);

    return (equal & yes) | (~equal & no);
#endif
}

/* Returns the low halves of the 64-bit lanes of `even` and `odd`, alternately: lane 0 of `even`, lane 0 of
 * `odd`, lane 1 of `even`, and so on. */
static inline sb_vector32 sb_vector_pack_low(sb_vector64 even, sb_vector64 odd)
{
    const sb_vector64 low = SB_BIG_ENDIAN ? odd : even, high = SB_BIG_ENDIAN ? even : odd;

    return (sb_vector32)((low & UINT32_MAX) | high << 32);
}

/* Returns the high halves of the 64-bit lanes of `even` and `odd`, alternately. */
static inline sb_vector32 sb_vector_pack_high(sb_vector64 even, sb_vector64 odd)
{
    const sb_vector64 low = SB_BIG_ENDIAN ? odd : even, high = SB_BIG_ENDIAN ? even : odd;

    return (sb_vector32)(low >> 32 | (high & ~(uint64_t)UINT32_MAX));
}

/* The state of all counters between two rounds, in the low halves of the 64-bit lanes. For w = 0..3, x[w][i]
 * holds word w of each counter in vector i. */
struct sb_philox_state {
    sb_vector64 x[4][SB_PHILOX_CHAINS_MOST];
};

/*
 * Computes the first two rounds of 2 * count vectors, count <= SB_PHILOX_CHAINS_MOST / 2. For v < count and i
 * < SB_VECTOR_COUNTERS, the counter {first + v SB_VECTOR_COUNTERS + i, c1, low half of block, high half of
 * block} is in vector 2 v if i is even, and in vector 2 v + 1 if i is odd. Only the first word differs
 * between these counters. So each of the two rounds takes one vector product and one scalar product, instead
 * of two vector products.
 */
static inline void sb_philox_begin(const struct sb_philox_keys *keys, uint32_t first, uint32_t c1, uint64_t block,
                                   size_t count, struct sb_philox_state *state)
{
    const uint64_t c = (block & UINT32_MAX) * SB_PHILOX_C;                              /* in round 1 */
    const uint64_t a = ((c >> 32 ^ c1 ^ keys->round[0][0]) & UINT32_MAX) * SB_PHILOX_A; /* in round 2 */
    const sb_vector64 zero = { 0 };
    sb_vector64 lane = zero;

#pragma GCC unroll 8
    for (int i = 0; i < SB_VECTOR_BYTES / 8; i++)
        lane[i] = (uint64_t)(2 * i);
#pragma GCC unroll 4
    for (size_t i = 0; i < 2 * count; i++) {
        const sb_vector64 a1 = sb_vector_multiply(lane + (first + i / 2 * SB_VECTOR_COUNTERS + i % 2), SB_PHILOX_A);
        const sb_vector64 c2 = sb_vector_multiply((a1 >> 32) ^ (block >> 32 ^ keys->round[0][1]), SB_PHILOX_C);

        state->x[0][i] = (c2 >> 32) ^ ((c & UINT32_MAX) ^ keys->round[1][0]);
        state->x[1][i] = c2;
        state->x[2][i] = a1 ^ (a >> 32 ^ keys->round[1][1]);
        state->x[3][i] = zero + (a & UINT32_MAX);
    }
}

/* Computes round r, 2..SB_PHILOX_ROUNDS - 2, of 2 * count vectors. Each round of a vector waits for the
 * previous round of this vector, so two independent vectors take little longer than one. */
static inline void sb_philox_round(const struct sb_philox_keys *keys, int r, size_t count,
                                   struct sb_philox_state *state)
{
    sb_vector64(*const x)[SB_PHILOX_CHAINS_MOST] = state->x;

#pragma GCC unroll 4
    for (size_t i = 0; i < 2 * count; i++) {
        const sb_vector64 a = sb_vector_multiply(x[0][i], SB_PHILOX_A);
        const sb_vector64 c = sb_vector_multiply(x[2][i], SB_PHILOX_C);

        x[0][i] = (c >> 32) ^ x[1][i] ^ keys->round[r][0];
        x[1][i] = c;
        x[2][i] = (a >> 32) ^ x[3][i] ^ keys->round[r][1];
        x[3][i] = a;
    }
}

/* Computes the last round of vectors 2 v and 2 v + 1, and puts the outputs for both vectors into the order of
 * the counters: 32-bit lane i of word[w] is output word w of counter i. */
static inline void sb_philox_end(const struct sb_philox_keys *keys, const struct sb_philox_state *state, size_t v,
                                 sb_vector32 word[4])
{
    const sb_vector64(*const x)[SB_PHILOX_CHAINS_MOST] = state->x;
    const size_t e = 2 * v, o = 2 * v + 1;
    const uint32_t k0 = (uint32_t)keys->round[SB_PHILOX_ROUNDS - 1][0],
                   k1 = (uint32_t)keys->round[SB_PHILOX_ROUNDS - 1][1];
    const sb_vector64 a_even = sb_vector_multiply(x[0][e], SB_PHILOX_A),
                      a_odd = sb_vector_multiply(x[0][o], SB_PHILOX_A),
                      c_even = sb_vector_multiply(x[2][e], SB_PHILOX_C),
                      c_odd = sb_vector_multiply(x[2][o], SB_PHILOX_C);

    word[0] = sb_vector_pack_high(c_even, c_odd) ^ sb_vector_pack_low(x[1][e], x[1][o]) ^ k0;
    word[1] = sb_vector_pack_low(c_even, c_odd);
    word[2] = sb_vector_pack_high(a_even, a_odd) ^ sb_vector_pack_low(x[3][e], x[3][o]) ^ k1;
    word[3] = sb_vector_pack_low(a_even, a_odd);
}

/* Sets 32-bit lane i of x[v][w] to output word w of the counter {first + v SB_VECTOR_COUNTERS + i, c1, low
 * half of block, high half of block}, for v < count <= SB_PHILOX_CHAINS_MOST / 2. */
static inline void sb_philox_vector(const struct sb_philox_keys *keys, uint32_t first, uint32_t c1, uint64_t block,
                                    size_t count, sb_vector32 x[][4])
{
    struct sb_philox_state state;

    sb_philox_begin(keys, first, c1, block, count, &state);
#pragma GCC unroll 10
    for (int r = 2; r < SB_PHILOX_ROUNDS - 1; r++)
        sb_philox_round(keys, r, count, &state);
#pragma GCC unroll 2
    for (size_t v = 0; v < count; v++)
        sb_philox_end(keys, &state, v, x[v]);
}

#endif
