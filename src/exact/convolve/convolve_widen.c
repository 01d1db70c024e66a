/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The step of `convolve` that reads cells of 16 bits and writes cells of 32 bits. */
#define CONVOLVE_OLD uint16_t
#define CONVOLVE_CELL uint32_t
#define CONVOLVE_LANES 4

#include "exact/convolve/convolve_inner.h"

const struct sb_convolve_cells sb_convolve_widen = {
    .width = sizeof(tile_cell),
    .open = tile_open,
    .tiles = inner_steps,
};
