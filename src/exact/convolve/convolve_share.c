/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of `convolve` for cells that are doubles. These doubles are probabilities. */
#define CONVOLVE_CELL double
#define CONVOLVE_LANES 2
#define CONVOLVE_SHARE
#include "exact/convolve/convolve_start.h"

const struct sb_convolve_cells sb_convolve_share = {
    .width = sizeof(tile_cell),
    .start = start_steps,
    .open = tile_open,
    .tiles = inner_steps,
};
