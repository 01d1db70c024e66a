/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arithmetic for the first steps of `convolve`, for counts of 16 bits, modulo 2^16. These counts take
 * half the memory traffic of counts of 32 bits. */
#define CONVOLVE_CELL uint16_t
#define CONVOLVE_LANES 8

#include "exact/convolve/convolve_start.h"

const struct sb_convolve_cells sb_convolve_narrow = {
    .width = sizeof(tile_cell),
    .start = start_steps,
    .open = tile_open,
    .tiles = inner_steps,
};
