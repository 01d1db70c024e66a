/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations on vectors of deals in rows. Only files that are compiled once per instruction set include this header. */
#ifndef SB_STATISTIC_ROWS_ROWS_VECTOR_H
#define SB_STATISTIC_ROWS_ROWS_VECTOR_H

#include "core/vector.h"
#include "statistic/rows/rows.h"

#include <string.h>

enum {
    ROWS_VECTORS = SB_ROWS_DEALS / SB_VECTOR_BYTES, /* vectors in a row */
    ROWS_WORDS = SB_VECTOR_BYTES / 8,               /* deals in a vector of words */
};

/* A vector with one byte for each 64-bit word of a full vector. */
typedef uint8_t rows_bytes __attribute__((vector_size(SB_VECTOR_BYTES / 8)));

/* Copies each of these bytes to a word. GCC converts vectors of bytes one by one, so there are intrinsics. */
static inline sb_vector64 rows_words(const uint8_t byte[ROWS_WORDS])
{
    rows_bytes bytes;

    memcpy(&bytes, byte, sizeof bytes);
#if defined __AVX512BW__
    return (sb_vector64)_mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)&bytes));
#elif defined __AVX2__
    return (sb_vector64)_mm256_cvtepu8_epi64(_mm_loadu_si32(&bytes));
#else
    return __builtin_convertvector(bytes, sb_vector64);
#endif
}

/* Vector u of a row. */
static inline sb_signed8 rows_load(const uint8_t row[SB_ROWS_DEALS], size_t u)
{
    sb_signed8 part;

    memcpy(&part, row + u * SB_VECTOR_BYTES, sizeof part);
    return part;
}

/* Writes the values of the deals in vector u. */
static inline void rows_store(sb_signed8 value, size_t u, uint16_t cell[SB_ROWS_DEALS])
{
    uint8_t byte[SB_VECTOR_BYTES];

    memcpy(byte, &value, sizeof byte);
    for (size_t i = 0; i < SB_VECTOR_BYTES; i++)
        cell[u * SB_VECTOR_BYTES + i] = byte[i];
}

/* Sums of 16 bits each, for the low and for the high byte of each 16-bit lane of one vector. */
struct rows_sums {
    sb_vector16 low, high;
};

static inline void rows_add(struct rows_sums *sums, sb_signed8 byte)
{
    sums->low += (sb_vector16)byte & 0xFF;
    sums->high += (sb_vector16)byte >> 8;
}

static inline void rows_store_sums(const struct rows_sums *sums, size_t u, uint16_t cell[SB_ROWS_DEALS])
{
    for (size_t i = 0; i < SB_VECTOR_BYTES / 2; i++) {
        cell[u * SB_VECTOR_BYTES + 2 * i + sb_part_in_memory(0, 2)] = sums->low[i];
        cell[u * SB_VECTOR_BYTES + 2 * i + sb_part_in_memory(1, 2)] = sums->high[i];
    }
}

/* Adds 1 to each byte of `sum` whose x is above its y. */
static inline sb_signed8 rows_count_above(sb_signed8 sum, sb_signed8 x, sb_signed8 y)
{
#if defined __AVX512BW__ /* GCC would turn the comparison's bits into bytes first */
    return (sb_signed8)_mm512_mask_add_epi8((__m512i)sum, _mm512_cmpgt_epi8_mask((__m512i)x, (__m512i)y),
                                            (__m512i)sum, _mm512_set1_epi8(1));
#else
    return sum - (x > y);
#endif
}

#endif
