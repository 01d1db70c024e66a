/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations on counts that fit in bytes. Cost for each cell: a load and an addition of eight terms for the sums, and
 * for each level of the excess a part of a comparison and an addition of vectors of 32 bytes. The sums take a third of
 * the time of a gate on 1,000 items, and half as long with AVX2.
 */
#include "core/system.h"
#include "fit/sequential.h"

enum {
    SMALL_BYTES = 32,  /* counts in a vector */
    SMALL_LEVELS = 4,  /* levels that are added up together, so that each count is loaded once for them */
    SMALL_TOGETHER = 4 /* members that are added up together, since the additions of one member wait for each other */
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
static inline void small_above(const uint8_t count[], size_t cells, size_t level, uint32_t above[SMALL_LEVELS])
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

/* The excess at a level is the number of cells with larger counts, plus the excess at the next level. */
SB_VERSIONS static void small_counts_excess(const uint8_t count[], size_t cells, size_t levels, uint32_t excess[])
{
    uint32_t above[SB_SMALL_LEVELS_MOST + SMALL_LEVELS] = { 0 }, next = 0;

    for (size_t from = 0; from < levels; from += SMALL_LEVELS)
        small_above(count, cells, from, above + from);
    for (size_t j = levels; j-- > 0;)
        excess[j] = next += above[j];
}

/* The versions of a function for instruction sets would be exported if the function were external. */
void sb_small_counts_excess(const uint8_t count[], size_t cells, size_t levels, uint32_t excess[])
{
    small_counts_excess(count, cells, levels, excess);
}

/* The sums of the first `together` members. */
static inline void small_sum(const uint8_t count[], size_t together, size_t cells, double term[][SB_SMALL_TERMS],
                             double sum[][SB_SMALL_TERMS])
{
    double at[SMALL_TOGETHER][SB_SMALL_TERMS] = { { 0 } };

    for (size_t i = 0; i < cells; i++)
        for (size_t k = 0; k < together; k++)
            for (size_t j = 0; j < SB_SMALL_TERMS; j++)
                at[k][j] += term[count[k * cells + i]][j];
    memcpy(sum, at, together * sizeof at[0]);
}

SB_VERSIONS static void small_counts_sum(const uint8_t count[], size_t members, size_t cells,
                                         double term[][SB_SMALL_TERMS], double sum[][SB_SMALL_TERMS])
{
    size_t member = 0;

    for (; member + SMALL_TOGETHER <= members; member += SMALL_TOGETHER)
        small_sum(count + member * cells, SMALL_TOGETHER, cells, term, sum + member);
    for (; member < members; member++)
        small_sum(count + member * cells, 1, cells, term, sum + member);
}

void sb_small_counts_sum(const uint8_t count[], size_t members, size_t cells, double term[][SB_SMALL_TERMS],
                         double sum[][SB_SMALL_TERMS])
{
    small_counts_sum(count, members, cells, term, sum);
}
