/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arithmetic of `convolve` for counts of 32 bits, modulo 2^32. The counts are exact if their sum is
 * correct. */
#define CONVOLVE_CELL uint32_t
#define CONVOLVE_LANES 4

#include "exact/convolve/convolve_start.h"

const struct sb_convolve_cells sb_convolve_small = {
    .width = sizeof(tile_cell),
    .start = start_steps,
    .open = tile_open,
    .tiles = inner_steps,
};
