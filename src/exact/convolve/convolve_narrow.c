/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of `convolve` for cells of 16 bits, for the first steps. The counts are modulo 2^16. Cells of
 * 16 bits take half the memory traffic of cells of 32 bits. */
#define CONVOLVE_CELL uint16_t
#define CONVOLVE_LANES 8

#include "exact/convolve/convolve_start.h"

const struct sb_convolve_cells sb_convolve_narrow = {
    .width = sizeof(tile_cell),
    .start = start_steps,
    .open = tile_open,
    .tiles = inner_steps,
};
