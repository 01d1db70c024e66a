/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first steps of `convolve` in 16 bits, modulo 2^16. This takes half the memory traffic. */
#define CONVOLVE_CELL uint16_t
#define CONVOLVE_LANES 8

#include "exact/convolve/convolve_start.h"

const struct sb_convolve_cells sb_convolve_narrow = {
    .width = sizeof(tile_cell),
    .start = start_steps,
    .open = tile_open,
    .tiles = inner_steps,
};
