/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of `convolve` for cells of 32 bits. The counts are modulo 2^32. They are exact if their sum
 * is correct. */
#define CONVOLVE_CELL uint32_t
#define CONVOLVE_LANES 4

#include "exact/convolve/convolve_start.h"

const struct sb_convolve_cells sb_convolve_small = {
    .width = sizeof(tile_cell),
    .start = start_steps,
    .open = tile_open,
    .tiles = inner_steps,
};
