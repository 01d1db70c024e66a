/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads, copies and adds runs of cells. The type of the cells may differ from the type in which a step
 * computes. Each loop also prefetches the run that is needed next, because the walk waits for memory more
 * than for anything else.
 *
 * Only convolve_tile.h includes this header.
 */
#ifndef SB_EXACT_CONVOLVE_CONVOLVE_LOAD_H
#define SB_EXACT_CONVOLVE_CONVOLVE_LOAD_H

/* Multiplies as unsigned numbers, since C would promote narrow numbers to signed int. */
static inline tile_cell tile_product(tile_cell a, tile_cell b)
{
    return (tile_cell)(1U * a * b);
}

/* Loads LANES cells of a run, from index `first` + `offset` on. */
static inline tile_lanes tile_load(const tile_old *run, size_t first, size_t offset)
{
    return __builtin_convertvector(*(const tile_loose_old *)(run + first + offset), tile_lanes);
}

/* Prefetches the cache line of cell i. */
static inline void tile_prefetch(const tile_old *run, size_t i)
{
    __builtin_prefetch(run + i);
}

/* Sets to[i] = from[i], for each i < run. Also prefetches `next`, the run that is needed next. */
static void tile_copy(size_t run, const tile_old *restrict from, const tile_old *next, tile_cell *restrict to)
{
    size_t i = 0;

    for (; i + LINE <= run; i += LINE) {
        tile_prefetch(next, i);
#pragma GCC unroll 4
        for (size_t k = 0; k < LINE; k += LANES)
            *(tile_loose *)(to + i + k) = tile_load(from, i, k);
    }
    for (; i < run; i++)
        to[i] = from[i];
}

/* Sets to[i] = weight * from[i], for each i < run. */
static void tile_multiply(size_t run, tile_cell weight, const tile_cell *restrict from,
                          tile_cell *restrict to)
{
    if (weight == 1)
        memcpy(to, from, run * sizeof *to);
    else
        for (size_t i = 0; i < run; i++)
            to[i] = tile_product(weight, from[i]);
}

/* Adds weight * from[i] to sum[i], for each i < run. Other tiles exist only if the runs are whole lines. */
static void tile_add(size_t run, tile_cell weight, const tile_old *restrict from, const tile_old *next,
                     tile_cell *restrict sum)
{
    _Static_assert(RUN % LINE == 0, "there is no rest of a run");

    for (size_t i = 0; i < run; i += LINE) {
        tile_prefetch(next, i);
#pragma GCC unroll 4
        for (size_t k = 0; k < LINE; k += LANES) {
            const tile_lanes lanes = tile_load(from, i, k);

            *(tile_loose *)(sum + i + k) += weight == 1 ? lanes : weight * lanes;
        }
    }
}

#endif
