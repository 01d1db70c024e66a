/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores and reads runs of counts in 16 or 20 bits. */
#include "exact/convolve/convolve_run.h"

enum { RUN = SB_CONVOLVE_RUN, RUN20 = SB_CONVOLVE_RUN20 };

void sb_convolve_run16_put(size_t number, const uint32_t run[RUN], void *cells)
{
    uint16_t *const to = (uint16_t *)cells + number * RUN;

    for (size_t i = 0; i < RUN; i++)
        to[i] = (uint16_t)run[i];
}

void sb_convolve_run20_put(size_t number, const uint32_t run[RUN], void *cells)
{
    uint16_t *const low = (uint16_t *)cells + number * RUN20, *const high = low + RUN;

    for (size_t i = 0; i < RUN; i++)
        low[i] = (uint16_t)run[i];
    for (size_t b = 0; b < RUN / 16; b++)
        for (size_t j = 0; j < 4; j++) {
            const uint32_t *const at = run + 16 * b + j;

            high[4 * b + j] = (uint16_t)((at[0] >> 16 & 15) | (at[4] >> 16 & 15) << 4 |
                                         (at[8] >> 16 & 15) << 8 | (at[12] >> 16 & 15) << 12);
        }
}

void sb_convolve_run_add(size_t number, bool packed, const void *cells, uint32_t weight, uint32_t sum[RUN])
{
    const uint16_t *const low = (const uint16_t *)cells + number * (packed ? RUN20 : RUN);
    const uint16_t *const high = low + RUN;

    if (!packed) {
        for (size_t i = 0; i < RUN; i++)
            sum[i] += weight * low[i];
        return;
    }
    for (size_t b = 0; b < RUN / 16; b++)
        for (size_t k = 0; k < 4; k++)
            for (size_t j = 0; j < 4; j++) {
                const size_t i = 16 * b + 4 * k + j;

                sum[i] += weight * (low[i] | ((uint32_t)high[4 * b + j] >> 4 * k & 15) << 16);
            }
}

void sb_convolve_run_set(size_t index, bool packed, uint32_t value, void *cells)
{
    const size_t number = index / RUN, i = index % RUN;
    uint16_t *const low = (uint16_t *)cells + number * (packed ? RUN20 : RUN);

    low[i] = (uint16_t)value;
    if (packed)
        low[RUN + i / 16 * 4 + i % 4] |= (uint16_t)((value >> 16 & 15) << i % 16 / 4 * 4);
}
