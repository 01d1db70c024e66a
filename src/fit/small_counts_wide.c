/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations on counts that fit in bytes. Compiled once per instruction set; SB_SMALL_COUNTS_ISA is the name
 * of the resulting variable, and SB_LANES_NAME is the name of the instruction set.
 *
 * Cost for each cell with 64-byte vectors: a load and an addition for the sums, and 2/64 operations for each
 * level of the excess. The additions for several members overlap.
 */
#include "fit/small_counts.h"

#include "core/vector.h"

#include <string.h>

enum {
    SMALL_PARTS = SB_SMALL_TERMS * 8 / SB_VECTOR_BYTES, /* number of vectors that hold the terms of a count */
    /* number of members that are added up together: the additions of one member have to wait for each other,
     * but additions of different members overlap */
    SMALL_TOGETHER = SB_VECTOR_BYTES / 8,
    SMALL_WORDS = SB_VECTOR_BYTES / 8,
    SMALL_LEVELS =
        4, /* number of levels that are added up together, so that each count is loaded once for them */
};

typedef double small_doubles __attribute__((vector_size(SB_VECTOR_BYTES), may_alias));

/* Loads the next vector of counts. If the counts that are left do not fill the vector, zeroes follow them. */
static inline sb_vector8 small_load(const uint8_t count[], size_t left)
{
    sb_vector8 bytes = { 0 };

    if (left >= sizeof bytes)
        memcpy(&bytes, count, sizeof bytes);
    else
        memcpy(&bytes, count, left);
    return bytes;
}

static uint8_t small_largest(const uint8_t count[], size_t cells)
{
    sb_vector8 most = { 0 };
    uint8_t largest = 0;

    for (size_t i = 0; i < cells; i += SB_VECTOR_BYTES) {
        const sb_vector8 bytes = small_load(count + i, cells - i), more = (sb_vector8)(bytes > most);

        most = (bytes & more) | (most & ~more);
    }
    for (size_t i = 0; i < SB_VECTOR_BYTES; i++)
        largest = most[i] > largest ? most[i] : largest;
    return largest;
}

/* Computes max(x - y, 0) for each byte. */
static inline sb_vector8 small_above(sb_vector8 x, sb_vector8 y)
{
#if defined __AVX512BW__
    return (sb_vector8)_mm512_subs_epu8((__m512i)x, (__m512i)y);
#elif defined __AVX2__
    return (sb_vector8)_mm256_subs_epu8((__m256i)x, (__m256i)y);
#elif defined __SSE2__
    return (sb_vector8)_mm_subs_epu8((__m128i)x, (__m128i)y);
#else
    return (x - y) & (sb_vector8)(x > y);
#endif
}

/* Adds up each group of eight bytes. */
static inline sb_vector64 small_eights(sb_vector8 bytes)
{
#if defined __AVX512BW__
    return (sb_vector64)_mm512_sad_epu8((__m512i)bytes, _mm512_setzero_si512());
#elif defined __AVX2__
    return (sb_vector64)_mm256_sad_epu8((__m256i)bytes, _mm256_setzero_si256());
#elif defined __SSE2__
    return (sb_vector64)_mm_sad_epu8((__m128i)bytes, _mm_setzero_si128());
#else
    uint64_t sums[SMALL_WORDS] = { 0 };
    sb_vector64 sum;

    for (size_t i = 0; i < SB_VECTOR_BYTES; i++)
        sums[i / 8] += bytes[i];
    memcpy(&sum, sums, sizeof sum);
    return sum;
#endif
}

/* The excesses at SMALL_LEVELS levels from `level` on. No byte is above `most`, so 255/most vectors can be added up in
 * bytes. */
static inline void small_excess_at(const uint8_t count[], size_t cells, size_t level, size_t most,
                                   uint32_t excess[SMALL_LEVELS])
{
    const size_t step = UINT8_MAX / most * SB_VECTOR_BYTES;
    sb_vector64 eights[SMALL_LEVELS];

    memset(eights, 0, sizeof eights);
    for (size_t from = 0; from < cells; from += step) {
        const size_t end = cells - from < step ? cells : from + step;
        sb_vector8 sum[SMALL_LEVELS];

        memset(sum, 0, sizeof sum);
        for (size_t i = from; i < end; i += SB_VECTOR_BYTES) {
            const sb_vector8 bytes = small_load(count + i, end - i);

            for (size_t j = 0; j < SMALL_LEVELS; j++)
                sum[j] += small_above(bytes, (sb_vector8) { 0 } + (uint8_t)(level + j));
        }
        for (size_t j = 0; j < SMALL_LEVELS; j++)
            eights[j] += small_eights(sum[j]);
    }
    for (size_t j = 0; j < SMALL_LEVELS; j++) {
        excess[j] = 0;
        for (size_t i = 0; i < SMALL_WORDS; i++)
            excess[j] += (uint32_t)eights[j][i];
    }
}

static void small_excess(const uint8_t count[], size_t cells, size_t levels, uint8_t most, uint32_t excess[])
{
    for (size_t from = 0, next; from < levels; from += next) {
        uint32_t found[SMALL_LEVELS] = { 0 };

        next = levels - from < SMALL_LEVELS ? levels - from : SMALL_LEVELS;
        if (from < most) /* at the other levels, no count is above the level */
            small_excess_at(count, cells, from, most, found);
        memcpy(excess + from, found, next * sizeof excess[0]);
    }
}

/* Computes the sums of `together` members at once. */
static inline void small_sum_together(const uint8_t count[], size_t together, size_t cells,
                                      double term[][SB_SMALL_TERMS], double sum[][SB_SMALL_TERMS])
{
    small_doubles at[SMALL_TOGETHER][SMALL_PARTS];

    memset(at, 0, sizeof at);
    for (size_t i = 0; i < cells; i++)
        for (size_t member = 0; member < together; member++) {
            const double *const row = term[count[member * cells + i]];

            for (size_t part = 0; part < SMALL_PARTS; part++) {
                small_doubles terms;

                memcpy(&terms, row + part * SMALL_WORDS, sizeof terms);
                at[member][part] += terms;
            }
        }
    memcpy(sum, at, together * sizeof sum[0]);
}

static void small_sum(const uint8_t count[], size_t members, size_t cells, double term[][SB_SMALL_TERMS],
                      double sum[][SB_SMALL_TERMS])
{
    size_t member = 0;

    for (; member + SMALL_TOGETHER <= members; member += SMALL_TOGETHER)
        small_sum_together(count + member * cells, SMALL_TOGETHER, cells, term, sum + member);
    for (; member < members; member++)
        small_sum_together(count + member * cells, 1, cells, term, sum + member);
}

const struct sb_small_counts SB_SMALL_COUNTS_ISA = {
    .name = SB_LANES_NAME,
    .largest = small_largest,
    .excess = small_excess,
    .sum = small_sum,
};
