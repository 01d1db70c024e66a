/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations on counts that fit in bytes. Cost for each cell and each level up to the largest count: a part of a
 * comparison and an addition of vectors of 32 bytes.
 */
#include "core/system.h"
#include "fit/sequential.h"

enum {
    SMALL_BYTES = 32, /* counts in a vector */
    SMALL_LEVELS = 4, /* levels that are added up together, so that each count is loaded once for them */
};

typedef int8_t small_bytes __attribute__((vector_size(SMALL_BYTES), may_alias));

uint8_t sb_small_counts_largest(const struct sb_tally *tally)
{
    uint8_t largest = tally->small_most;

    for (size_t i = 0; tally->small_most == 0 && i < tally->members * tally->cells; i++)
        largest = tally->small[i] > largest ? tally->small[i] : largest;
    return largest;
}

/* For each of SMALL_LEVELS levels from `level` on, adds the number of cells with a larger count to above[]. A byte
 * holds the sum of 255 comparisons. No count is above 127. */
__attribute__((always_inline)) static inline void small_above(const uint8_t count[], size_t cells, size_t level,
                                                              uint32_t above[SMALL_LEVELS])
{
    enum { STEP = UINT8_MAX * SMALL_BYTES };

    for (size_t from = 0; from < cells; from += STEP) {
        small_bytes sum[SMALL_LEVELS] = { { 0 } };
        uint8_t byte[SMALL_LEVELS][SMALL_BYTES];

        for (size_t i = from; i < from + STEP && i < cells; i += SMALL_BYTES) {
            small_bytes counts = { 0 };

            if (cells - i >= SMALL_BYTES)
                memcpy(&counts, count + i, SMALL_BYTES);
            else
                memcpy(&counts, count + i, cells - i);
            for (size_t j = 0; j < SMALL_LEVELS; j++)
                sum[j] -= counts > (int8_t)(level + j); /* true is -1 */
        }
        memcpy(byte, sum, sizeof byte);
        for (size_t j = 0; j < SMALL_LEVELS; j++)
            for (size_t i = 0; i < SMALL_BYTES; i++)
                above[j] += byte[j][i];
    }
}

/* For each level below `levels`. The versions of a function for instruction sets would be exported if it were
 * external. */
SB_VERSIONS static void small_counts_above(const uint8_t count[], size_t cells, size_t levels, uint32_t above[])
{
    for (size_t from = 0; from < levels; from += SMALL_LEVELS)
        small_above(count, cells, from, above + from);
}

/* The excess at a level is the number of cells with larger counts, plus the excess at the next level. */
void sb_small_counts_excess(const uint8_t count[], size_t cells, size_t levels, uint32_t excess[])
{
    uint32_t above[SB_SMALL_LEVELS_MOST + SMALL_LEVELS] = { 0 }, next = 0;

    small_counts_above(count, cells, levels, above);
    for (size_t j = levels; j-- > 0;)
        excess[j] = next += above[j];
}

/* Cells with equal counts have equal terms. */
void sb_small_counts_sum(const uint8_t count[], size_t members, size_t cells, size_t most,
                         double term[][SB_SMALL_TERMS], double sum[][SB_SMALL_TERMS])
{
    for (size_t member = 0; member < members; member++) {
        uint32_t above[SB_SMALL_COUNT_MOST + SMALL_LEVELS] = { 0 };
        uint32_t more = (uint32_t)cells; /* cells that have this count or more */

        small_counts_above(count + member * cells, cells, most, above);
        memset(sum[member], 0, sizeof sum[member]);
        for (size_t c = 0; c <= most; more = above[c++])
            for (size_t j = 0; j < SB_SMALL_TERMS; j++)
                sum[member][j] += (double)(more - above[c]) * term[c][j];
    }
}
