/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts decks by item and position with an instruction that counts the 1 bits in each word of a vector. Only
 * sample/lanes/lanes_wide.c includes this header. That file is compiled once per instruction set.
 *
 * At one position, eight vectors of bytes, with a deck in each byte, are transposed into eight vectors of
 * bits: vector b has bit b of the items of all these decks. Item 8 h + l has the low three bits l and the
 * high bits h. For each l, one vector marks the decks whose item has these low bits; for each h, one vector
 * marks the decks whose item has these high bits. The count of an item is the number of decks that both
 * vectors of this item mark.
 *
 * Cost for each position and vector of bits: 60 operations for the transposition, about 20 for the marks, and
 * three for each item.
 */
#ifndef SB_SAMPLE_LANES_LANES_BITS_H
#define SB_SAMPLE_LANES_LANES_BITS_H

#include "rng/philox_vector.h"
#include "sample/lanes/lanes.h"

#include <string.h>

#if defined __AVX512BW__

enum {
    BITS_GROUP = 8 * SB_VECTOR_BYTES,          /* number of decks in a vector of bits */
    BITS_GROUPS = SB_LANES_QUEUE / BITS_GROUP, /* number of vectors of bits for a full queue */
    BITS_LOW = 8,                              /* number of values of the three low bits */
};

/* Marks of the decks in the queue, for one position. low[l] marks the decks whose item has the low bits l.
 * high[b], b = 0..4, marks the decks whose item has a 1 as bit 3 + b. */
struct lanes_bits {
    sb_vector64 low[BITS_LOW][BITS_GROUPS], high[5][BITS_GROUPS];
};

/* Exchanges the bits of y in `mask` with the bits of x that are `shift` places higher. */
static inline void lanes_exchange_bits(sb_vector64 *x, sb_vector64 *y, int shift, uint64_t mask)
{
    const sb_vector64 differ = ((*x >> shift) ^ *y) & mask;

    *y ^= differ;
    *x ^= differ << shift;
}

/* Sets x[b] to bit b of all bytes of x[0..7], by transposing matrices of 8 by 8 bits. */
static inline void lanes_transpose(sb_vector64 x[8])
{
#pragma GCC unroll 3
    for (int half = 4; half > 0; half /= 2)
#pragma GCC unroll 8
        for (int i = 0; i < 8; i++)
            if ((i & half) == 0)
                lanes_exchange_bits(&x[i], &x[i + half], half, UINT64_MAX / ((1 << half) + 1));
}

static inline void lanes_bits_read(const uint8_t queue[SB_LANES_QUEUE], struct lanes_bits *bits)
{
    for (size_t g = 0; g < BITS_GROUPS; g++) {
        sb_vector64 x[8];

        memcpy(x, queue + g * BITS_GROUP, sizeof x);
        lanes_transpose(x);
#pragma GCC unroll 8
        for (int b = 0; b < 5; b++)
            bits->high[b][g] = x[3 + b];
#pragma GCC unroll 8
        for (int l = 0; l < BITS_LOW; l++)
            bits->low[l][g] = (l & 1 ? x[0] : ~x[0]) & (l & 2 ? x[1] : ~x[1]) & (l & 4 ? x[2] : ~x[2]);
    }
}

/* Marks the decks whose item has the high bits `high`. */
static inline void lanes_bits_high(const struct lanes_bits *bits, size_t high, sb_vector64 decks[BITS_GROUPS])
{
    const sb_vector64 zero = { 0 };
    sb_vector64 flip[5];

    for (int b = 0; b < 5; b++)
        flip[b] = zero + ((uint64_t)(high >> b & 1) - 1);
#pragma GCC unroll 16
    for (size_t g = 0; g < BITS_GROUPS; g++)
        decks[g] = (bits->high[0][g] ^ flip[0]) & (bits->high[1][g] ^ flip[1]) &
                   (bits->high[2][g] ^ flip[2]) & (bits->high[3][g] ^ flip[3]) & (bits->high[4][g] ^ flip[4]);
}

/* Returns the number of decks that both x and y mark. */
__attribute__((target("avx512vpopcntdq"))) static inline uint64_t
lanes_bits_ones(const sb_vector64 x[BITS_GROUPS], const sb_vector64 y[BITS_GROUPS])
{
    __m512i ones = _mm512_setzero_si512();

#pragma GCC unroll 16
    for (size_t g = 0; g < BITS_GROUPS; g++)
        ones = _mm512_add_epi64(ones, _mm512_popcnt_epi64((__m512i)(x[g] & y[g])));
    return (uint64_t)_mm512_reduce_add_epi64(ones);
}

/* Counts the decks of a full queue. */
__attribute__((target("avx512vpopcntdq"))) static void lanes_count_bits(struct sb_lanes_matrix *matrix)
{
    const size_t n = matrix->n, deal = matrix->deal;
    struct lanes_bits bits;
    sb_vector64 decks[BITS_GROUPS];

    for (size_t j = 0; j < deal; j++) {
        lanes_bits_read(matrix->queue + j * SB_LANES_QUEUE_ROW, &bits);
        for (size_t i = 0; i < n; i += BITS_LOW) {
            lanes_bits_high(&bits, i / BITS_LOW, decks);
            for (size_t l = 0; l < BITS_LOW && i + l < n; l++)
                matrix->count[(i + l) * deal + j] += lanes_bits_ones(bits.low[l], decks);
        }
    }
    matrix->waiting = 0;
}

#endif

/* Counts the decks of a full queue, by the fastest method of this instruction set. */
static void lanes_count_matrix(struct sb_lanes_matrix *matrix)
{
#if defined __AVX512BW__
    if (__builtin_cpu_supports("avx512vpopcntdq")) {
        lanes_count_bits(matrix);
        return;
    }
#endif
    sb_lanes_matrix_count(matrix);
}

#endif
