/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The step of convolve_slices.h that reads and stores cells of 20 bits. */
#define CONVOLVE_OLD uint16_t
#define CONVOLVE_CELL uint32_t
#define CONVOLVE_LANES 4
#define CONVOLVE_PACKED
#define CONVOLVE_PUT sb_convolve_run20_put
#include "exact/convolve/convolve_run.h"

#include "exact/convolve/convolve_inner.h"

const struct sb_convolve_cells sb_convolve_packed = {
    .open = tile_open,
    .tiles = inner_steps,
};
