/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps at one lag. Compiled once per instruction set; SB_LAG_STEPS names the resulting function. Cost: for each
 * item, a few operations for a vector of permutations.
 */
#include "tally/lag_steps.h"

#include "core/vector.h"

#include <string.h>

enum {
    STEPS_ITEMS = 4, /* four distances, each below 64, have a sum that fits in a byte */
};

/* |x - y| of positions. */
static inline sb_vector8 steps_distance(sb_signed8 x, sb_signed8 y)
{
#if defined __AVX512BW__
    return (sb_vector8)_mm512_abs_epi8((__m512i)(x - y));
#elif defined __AVX2__
    return (sb_vector8)_mm256_abs_epi8((__m256i)(x - y));
#else
    const sb_signed8 by = x - y, back = by < 0;

    return (sb_vector8)((by ^ back) - back);
#endif
}

void SB_LAG_STEPS(const sb_lag_places place[], size_t n, size_t lag, uint16_t fixed[SB_ROWS_DEALS],
                  uint16_t displacement[SB_ROWS_DEALS])
{
    for (size_t u = 0; u < SB_ROWS_DEALS; u += SB_VECTOR_BYTES) {
        sb_vector16 low = { 0 }, high = { 0 }; /* the displacements in every other byte */
        sb_signed8 points = { 0 };

        for (size_t i = 0; i < n;) {
            sb_vector8 distances = { 0 };

            for (const size_t end = n - i < STEPS_ITEMS ? n : i + STEPS_ITEMS; i < end; i++) {
                sb_signed8 now, old;

                memcpy(&now, place[i] + SB_ROWS_DEALS + u, sizeof now);
                memcpy(&old, place[i] + SB_ROWS_DEALS + u - lag, sizeof old);
                points -= now == old; /* true is -1 */
                distances += steps_distance(now, old);
            }
            low += (sb_vector16)distances & 0xFF;
            high += (sb_vector16)distances >> 8;
        }
        for (size_t t = 0; t < SB_VECTOR_BYTES; t++) {
            fixed[u + t] = (uint8_t)points[t];
            displacement[u + t] = sb_part_in_memory(t % 2, 2) ? high[t / 2] : low[t / 2];
        }
    }
}
