/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Interleaves runs of cells of several tiles. A vector holds the same cell of LANES tiles, and PARTS vectors
 * are adjacent, so that one look-up of an index serves LANES * PARTS tiles. Every processor has vectors of 16
 * bytes; wider vectors gain little, because the walk waits for memory.
 *
 * A square of LANES by LANES cells is transposed in log2(LANES) rounds. Each round interleaves rows i and i +
 * LANES / 2 into rows 2i and 2i + 1. Cost: log2(LANES) operations per vector of cells.
 *
 * Only convolve_tile.h includes this header.
 */
#ifndef SB_EXACT_CONVOLVE_CONVOLVE_TURN_H
#define SB_EXACT_CONVOLVE_CONVOLVE_TURN_H

#ifndef CONVOLVE_OLD
#define CONVOLVE_OLD CONVOLVE_CELL
#endif

typedef CONVOLVE_OLD tile_old; /* the type that a step reads */
typedef CONVOLVE_CELL tile_cell;
typedef tile_cell tile_lanes __attribute__((vector_size(16)));

enum {
    LANES = CONVOLVE_LANES,
    PARTS = 2,
    SIDE = LANES * PARTS, /* number of interleaved tiles */
};

/* A vector that may start at any address in memory. */
typedef tile_cell tile_loose
    __attribute__((vector_size(LANES * sizeof(tile_cell)), aligned(sizeof(tile_cell)), may_alias));
typedef tile_old tile_loose_old
    __attribute__((vector_size(LANES * sizeof(tile_old)), aligned(sizeof(tile_old)), may_alias));

/* turn_low() interleaves the first halves of a and b (a0 b0 a1 b1 ...). turn_high() interleaves the second
 * halves. */
static inline tile_lanes turn_low(tile_lanes a, tile_lanes b)
{
#if CONVOLVE_LANES == 8
    return (tile_lanes) { a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3] };
#elif CONVOLVE_LANES == 4
    return (tile_lanes) { a[0], b[0], a[1], b[1] };
#else
    return (tile_lanes) { a[0], b[0] };
#endif
}

static inline tile_lanes turn_high(tile_lanes a, tile_lanes b)
{
#if CONVOLVE_LANES == 8
    return (tile_lanes) { a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7] };
#elif CONVOLVE_LANES == 4
    return (tile_lanes) { a[2], b[2], a[3], b[3] };
#else
    return (tile_lanes) { a[1], b[1] };
#endif
}

static inline void turn_square(tile_lanes square[LANES])
{
#pragma GCC unroll 3
    for (int round = 1; round < LANES; round *= 2) {
        tile_lanes row[LANES];

#pragma GCC unroll 8
        for (int i = 0; i < LANES; i++)
            row[i] = square[i];
#pragma GCC unroll 4
        for (int i = 0; i < LANES / 2; i++) {
            square[2 * i] = turn_low(row[i], row[i + LANES / 2]);
            square[2 * i + 1] = turn_high(row[i], row[i + LANES / 2]);
        }
    }
}

static inline tile_lanes turn_load(const tile_cell *from, size_t left)
{
    tile_lanes lanes = { 0 };

    if (left >= LANES)
        return *(const tile_loose *)from;
    for (size_t l = 0; l < left; l++)
        lanes[l] = from[l];
    return lanes;
}

static inline void turn_store(tile_lanes lanes, size_t left, tile_cell *to)
{
    if (left >= LANES)
        *(tile_loose *)to = lanes;
    else
        for (size_t l = 0; l < left; l++)
            to[l] = lanes[l];
}

/* Interleaves a run of each tile into to[0..run-1]. Writes up to LANES - 1 elements beyond the end. */
static void turn_runs(size_t run, const tile_cell *const from[SIDE], tile_lanes to[][PARTS])
{
    for (size_t i = 0; i < run; i += LANES)
#pragma GCC unroll 2
        for (size_t p = 0; p < PARTS; p++) {
            tile_lanes square[LANES];

#pragma GCC unroll 8
            for (size_t l = 0; l < LANES; l++)
                square[l] = turn_load(from[p * LANES + l] + i, run - i);
            turn_square(square);
#pragma GCC unroll 8
            for (size_t k = 0; k < LANES; k++)
                to[i + k][p] = square[k];
        }
}

#endif
