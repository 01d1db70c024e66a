/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of `convolve` for cells of 64 bits. The counts are modulo 2^64 or modulo a prime. */
#define CONVOLVE_CELL uint64_t
#define CONVOLVE_LANES 2

#include "exact/convolve/convolve_start.h"

const struct sb_convolve_cells sb_convolve_count = {
    .width = sizeof(tile_cell),
    .start = start_steps,
    .open = tile_open,
    .tiles = inner_steps,
};
