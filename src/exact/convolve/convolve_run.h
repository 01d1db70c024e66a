/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs of counts in 16 or 20 bits. A run has 720 counts. With 20 bits, a run has 900 units of 16 bits. The
 * first 720 units are the low 16 bits of all counts, and the other 180 units are the high bits. For j < 4,
 * unit 4 b + j of the high bits holds the four high bits of the counts 16 b + j, 16 b + j + 4, 16 b + j + 8
 * and 16 b + j + 12. Count 16 b + j is in the lowest four bits of the unit, the next count in the next four
 * bits, and so on. So the high bits of four consecutive counts, from 16 b + 4 k on, are at the same place in
 * the units 4 b to 4 b + 3, and one shift of a vector of units gets them.
 */
#ifndef SB_EXACT_CONVOLVE_CONVOLVE_RUN_H
#define SB_EXACT_CONVOLVE_CONVOLVE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SB_CONVOLVE_RUN = 720,
    SB_CONVOLVE_RUN20 = SB_CONVOLVE_RUN + SB_CONVOLVE_RUN / 4, /* units of 16 bits */
};

/* Each function stores run `number`, with only the low 16 or 20 bits of each count. */
void sb_convolve_run16_put(size_t number, const uint32_t run[SB_CONVOLVE_RUN], void *cells);
void sb_convolve_run20_put(size_t number, const uint32_t run[SB_CONVOLVE_RUN], void *cells);

/* Adds weight * (count i of run `number`) to sum[i], for each i. The cells have 16 bits, or 20 bits if
 * `packed`. */
void sb_convolve_run_add(size_t number, bool packed, const void *cells, uint32_t weight,
                         uint32_t sum[SB_CONVOLVE_RUN]);

/* Sets one cell, which must be 0 before the call. */
void sb_convolve_run_set(size_t index, bool packed, uint32_t value, void *cells);

#endif
