/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does the second half of a step, on SIDE adjacent tiles: adds the contributions of the exchanges within the
 * tiles, and writes the tiles run by run, in the next layout. A table of indices says which cells of a tile
 * contribute to each cell of the tile. Cost: PARTS vector additions for each pair and each cell of a tile.
 *
 * A file must include convolve_tile.h before this header.
 */
#ifndef SB_EXACT_CONVOLVE_CONVOLVE_INNER_H
#define SB_EXACT_CONVOLVE_CONVOLVE_INNER_H

#include "exact/convolve/convolve_tile.h"

/* Computes cell `order` of all tiles. The value of this cell is sum[order] plus the sum of all inner[k] *
 * own[index[k]], k < count. The result goes to square[p][row], with LANES tiles in each vector. */
__attribute__((always_inline)) static inline void inner_cell(const struct tile_scratch *scratch, size_t count,
                                                             bool weighted, size_t order,
                                                             const uint16_t index[], size_t row,
                                                             tile_lanes square[PARTS][LANES])
{
    tile_lanes sum[PARTS];

#pragma GCC unroll 2
    for (size_t p = 0; p < PARTS; p++)
        sum[p] = scratch->sum[order][p];
#pragma GCC unroll 6
    for (size_t k = 0; k < count; k++)
#pragma GCC unroll 2
        for (size_t p = 0; p < PARTS; p++)
            sum[p] += weighted ? scratch->inner[k] * scratch->own[index[k]][p] : scratch->own[index[k]][p];
#pragma GCC unroll 2
    for (size_t p = 0; p < PARTS; p++)
        square[p][row] = sum[p];
}

/* Computes run r of each tile. */
__attribute__((always_inline)) static inline void inner_some(const struct sb_convolve_step *step,
                                                             const struct tile_scratch *scratch, size_t r,
                                                             size_t count, bool weighted,
                                                             tile_cell *const to[])
{
    const size_t run = step->plan->run;
    const uint16_t *const order = step->order + r * run, *const index = step->index + r * run * count;

    for (size_t i = 0; i < run; i += LANES) {
        const size_t left = run - i < LANES ? run - i : LANES;
        tile_lanes square[PARTS][LANES] = { 0 };

#pragma GCC unroll 8
        for (size_t k = 0; k < LANES; k++)
            if (k < left)
                inner_cell(scratch, count, weighted, order[i + k], index + (i + k) * count, k, square);
#pragma GCC unroll 2
        for (size_t p = 0; p < PARTS; p++) {
            turn_square(square[p]);
#pragma GCC unroll 8
            for (size_t l = 0; l < LANES; l++)
                if (p * LANES + l < scratch->count)
                    turn_store(square[p][l], left, to[p * LANES + l] + i);
        }
    }
}

/* Two cases are common: all weights are 1, or there are SB_CONVOLVE_TILE - 1 pairs. In these cases,
 * inner_some() gets constant arguments, so that the compiler makes separate code for each case. */
static void inner_run(const struct sb_convolve_step *step, const struct tile_scratch *scratch, size_t r,
                      tile_cell *const to[])
{
    bool weighted = false;

    for (size_t k = 0; k < step->inner; k++)
        weighted = weighted || scratch->inner[k] != 1;
    if (step->inner == SB_CONVOLVE_TILE - 1 && weighted)
        inner_some(step, scratch, r, SB_CONVOLVE_TILE - 1, true, to);
    else if (step->inner == SB_CONVOLVE_TILE - 1)
        inner_some(step, scratch, r, SB_CONVOLVE_TILE - 1, false, to);
    else if (weighted)
        inner_some(step, scratch, r, step->inner, true, to);
    else
        inner_some(step, scratch, r, step->inner, false, to);
}

/* Writes the tiles, run by run, in the next layout. */
static void inner_write(const struct sb_convolve_step *step, struct tile_scratch *scratch, void *new)
{
    const struct sb_convolve_plan *const plan = step->plan;

    for (size_t r = 0; r < plan->size; r++) {
        tile_cell *to[SIDE];

        for (size_t l = 0; l < scratch->count; l++) {
            sb_item s[ITEMS];

            for (size_t c = 0; c <= plan->m; c++)
                s[c] = step->source[c] ? scratch->s[l][step->source[c]] : scratch->centre[l][r];
            to[l] = (tile_cell *)new + tile_run_number(plan, s) * plan->run;
        }
        inner_run(step, scratch, r, to);
        for (size_t l = 0; scratch->modulus && l < scratch->count; l++)
            for (size_t i = 0; i < plan->run; i++)
                to[l][i] = tile_reduce(to[l][i], scratch->modulus);
    }
}

static void inner_steps(const struct sb_convolve_step *step, void *held, size_t first, size_t end,
                        const void *old, void *new)
{
    struct tile_scratch *const scratch = held;

    for (size_t tile = first; tile < end; tile += SIDE) {
        scratch->count = end - tile < SIDE ? end - tile : SIDE;
        tile_read(step, scratch, tile, old);
        inner_write(step, scratch, new);
    }
}

#endif
