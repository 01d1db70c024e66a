/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A step of `convolve` on one tile; m and K are as in convolve_plan.h. A tile consists of all permutations
 * with the same items q at the m low positions. The permutations of a tile with the same item c at the centre
 * form the run (c, q) of (K-1)! cells. If a low position takes part in an exchange, the exchange maps this
 * run to other runs:
 *
 *   centre and a low position    the run of (q_j, q with c in place of q_j)
 *   two low positions            the run of (c, q exchanged)
 *   a low and another position   K runs, (c, q with u in place of q_j) for each u; 1/K of each run is used
 *
 * These runs are added cell by cell. The other exchanges stay within the tile. They use a table of indices,
 * which is the same for all tiles. So several tiles are interleaved, and one look-up in the table serves all
 * these tiles (convolve_inner.h). Cost: an addition for each cell and pair. The tiles and their tables stay
 * in the second-level cache.
 *
 * One file for each type of cell includes this header. That file defines CONVOLVE_CELL, the type of a cell,
 * and CONVOLVE_LANES, the number of cells in 16 bytes. It also defines CONVOLVE_SHARE if cells are
 * probabilities, and CONVOLVE_OLD if the type that a step reads is not the type that it writes.
 */
#ifndef SB_EXACT_CONVOLVE_CONVOLVE_TILE_H
#define SB_EXACT_CONVOLVE_CONVOLVE_TILE_H

#include "exact/convolve/convolve_cells.h"

#include <stdlib.h>
#include <string.h>

#include "exact/convolve/convolve_turn.h"

enum {
    ITEMS = SB_CONVOLVE_ITEMS_MOST,
    CELLS = SB_CONVOLVE_CELLS,
    RUN = SB_CONVOLVE_CELLS / SB_CONVOLVE_TILE,
    LINE = LANES < 8 ? 4 * LANES : 2 * LANES, /* number of cells per prefetch: at most a cache line */
    SOURCES = 1 + (ITEMS - SB_CONVOLVE_TILE + 1) * (ITEMS - SB_CONVOLVE_TILE) / 2,
};

#include "exact/convolve/convolve_load.h"

/* The source runs that are added up to make one new run, each with a weight. The first source is the old run
 * itself; the other sources result from exchanges among the centre and the low positions. */
struct tile_sources {
    size_t count;
    const tile_old *run[SOURCES];
    tile_cell weight[SOURCES];
};

/* SIDE interleaved tiles, of which the first `count` are used. */
struct tile_scratch {
    size_t count;
    sb_item s[SIDE][ITEMS];      /* [m+1] the current item at the centre, and then the items q */
    sb_item centre[SIDE][ITEMS]; /* [K] the items that are not in q */
    /* [K * count] the sources with centre[0] for all tiles, then the sources with centre[1] for all tiles,
     * ... */
    struct tile_sources sources[SB_CONVOLVE_TILE * SIDE];
    tile_lanes own[CELLS + LANES][PARTS]; /* the tiles before the step, cell by cell */
    tile_lanes sum[CELLS + LANES][PARTS]; /* contributions from other tiles, and from making no exchange */
    tile_cell own_flat[SIDE][RUN], sum_flat[SIDE][RUN]; /* one run of each tile, not interleaved yet */
    tile_cell beside[CELLS];                            /* K runs from other tiles */
    uint64_t modulus;                                   /* modulus of cells; 0: the modulus of tile_cell */
    tile_cell stay, inner[SB_CONVOLVE_INNER], weight[ITEMS][ITEMS];
};

/* Converts a weight to the type of a cell. */
static tile_cell tile_weight(const struct sb_convolve_swap *swap, sb_wide weight, uint64_t modulus)
{
#ifdef CONVOLVE_SHARE
    (void)modulus;
    return sb_wide_double(sb_wide_multiply(weight, swap->common)) /
           (sb_wide_double(swap->sum_at) * sb_wide_double(swap->sum_from));
#else
    sb_wide rest = weight;

    (void)swap;
    if (modulus)
        (void)sb_wide_divide(weight, sb_wide_from(modulus), &rest);
    return (tile_cell)sb_wide_low(rest);
#endif
}

static tile_cell tile_reduce(tile_cell value, uint64_t modulus)
{
#ifdef CONVOLVE_SHARE
    (void)modulus;
    return value;
#else
    return modulus ? (tile_cell)(value % modulus) : value;
#endif
}

static void *tile_open(const struct sb_convolve_step *step, uint64_t modulus)
{
    struct tile_scratch *const scratch = calloc(1, sizeof *scratch);
    const size_t n = step->plan->n;

    if (!scratch)
        return NULL;
    scratch->modulus = modulus;
    scratch->stay = tile_weight(step->swap, step->swap->stay, modulus);
    for (size_t k = 0; k < step->inner; k++)
        scratch->inner[k] = tile_weight(step->swap, step->inner_weight[k], modulus);
    for (size_t x = 0; x < n; x++)
        for (size_t y = x + 1; y < n; y++)
            scratch->weight[x][y] = tile_weight(step->swap, step->weight[x][y], modulus);
    return scratch;
}

/* Returns the index of the run of the permutations that begin with s[0..m]. */
static size_t tile_run_number(const struct sb_convolve_plan *plan, const sb_item s[])
{
    return (size_t)sb_permutation_rank(plan->n, plan->m + 1, s);
}

/* Returns where the counts of the permutations that begin with s[0..m] start, in the array that a step
 * reads. */
static const tile_old *tile_run(const struct sb_convolve_plan *plan, const tile_old *old, const sb_item s[])
{
    return old + tile_run_number(plan, s) * plan->run;
}

/* Sets others[0..n-count-1] to the items that are not in s[0..count-1], in ascending order. */
static void tile_others(size_t n, const sb_item s[], size_t count, sb_item others[])
{
    size_t found = 0;

    for (size_t v = 0; v < n; v++) {
        bool taken = false;

        for (size_t i = 0; i < count; i++)
            taken = taken || s[i] == v;
        if (!taken)
            others[found++] = (sb_item)v;
    }
}

/* For each i < run, adds the products weight[k] * from[index[i][k]], k = 0..count-1, to sum[i], in the order
 * of k. */
__attribute__((always_inline)) static inline void
tile_gather_some(size_t run, size_t count, bool weighted, const tile_cell weight[], const uint16_t index[],
                 const tile_cell *restrict from, tile_cell *restrict sum)
{
    for (size_t i = 0; i < run; i++, index += count) {
        tile_cell all = sum[i];

#pragma GCC unroll 6
        for (size_t k = 0; k < count; k++)
            all = (tile_cell)(all + (weighted ? tile_product(weight[k], from[index[k]]) : from[index[k]]));
        sum[i] = all;
    }
}

/* Does what tile_gather_some() does, with separate code for tiles of full size. */
static void tile_gather(size_t run, size_t count, const tile_cell weight[], const uint16_t index[],
                        const tile_cell *from, tile_cell *sum)
{
    bool weighted = false;

    for (size_t k = 0; k < count; k++)
        weighted = weighted || weight[k] != 1;
    if (count != SB_CONVOLVE_TILE - 1)
        tile_gather_some(run, count, true, weight, index, from, sum);
    else if (weighted)
        tile_gather_some(run, SB_CONVOLVE_TILE - 1, true, weight, index, from, sum);
    else
        tile_gather_some(run, SB_CONVOLVE_TILE - 1, false, weight, index, from, sum);
}

/* Adds to `sum`, the run of s, what the exchanges of low coordinate j with coordinates above m contribute. */
static void tile_mixed(const struct sb_convolve_step *step, struct tile_scratch *scratch, size_t j,
                       const sb_item s[], const tile_old *old, tile_cell *sum)
{
    const struct sb_convolve_plan *const plan = step->plan;
    const size_t run = plan->run, others = plan->size - 1;
    const tile_old *from[SB_CONVOLVE_TILE];
    sb_item t[ITEMS], item[ITEMS];
    size_t mine = 0;

    memcpy(t, s, (plan->m + 1) * sizeof t[0]);
    t[j] = t[0]; /* t now lacks s[j], so item[] becomes the items that can be at coordinate j */
    tile_others(plan->n, t, plan->m + 1, item);
    for (size_t u = 0; u < plan->size; u++) {
        t[j] = item[u];
        mine = item[u] == s[j] ? u : mine;
        from[u] = tile_run(plan, old, t);
    }
    for (size_t u = 0; u < plan->size; u++)
        if (u != mine) /* skips the tile's own run */
            tile_copy(run, from[u], from[u + 1 < plan->size ? u + 1 : u], scratch->beside + u * run);
    tile_gather(run, others, &scratch->weight[j][plan->m + 1], step->front + mine * run * others,
                scratch->beside, sum);
}

/* Finds the source runs for the run of s. */
static void tile_find(const struct sb_convolve_step *step, const struct tile_scratch *scratch, sb_item s[],
                      const tile_old *old, struct tile_sources *sources)
{
    const struct sb_convolve_plan *const plan = step->plan;
    size_t count = 0;

    sources->run[count] = tile_run(plan, old, s);
    sources->weight[count++] = scratch->stay;
    for (size_t x = 0; x <= plan->m; x++)
        for (size_t y = x + 1; y <= plan->m; y++) {
            const sb_item a = s[x], b = s[y];

            if (sb_wide_is_zero(step->weight[x][y]))
                continue;
            s[x] = b;
            s[y] = a;
            sources->run[count] = tile_run(plan, old, s);
            sources->weight[count++] = scratch->weight[x][y];
            s[x] = a;
            s[y] = b;
        }
    sources->count = count;
}

/* Computes the contributions from other tiles, and from making no exchange, to one run of tile l: the run
 * with the tile's r-th item at the centre. */
static void tile_outer(const struct sb_convolve_step *step, struct tile_scratch *scratch, size_t r, size_t l,
                       const tile_old *old)
{
    const struct sb_convolve_plan *const plan = step->plan;
    const size_t number = r * scratch->count + l, last = plan->size * scratch->count - 1;
    const struct tile_sources *const here = &scratch->sources[number];
    const struct tile_sources *const next = &scratch->sources[number < last ? number + 1 : last];
    tile_cell *const sum = scratch->sum_flat[l];

    tile_copy(plan->run, here->run[0], next->run[0], scratch->own_flat[l]);
    tile_multiply(plan->run, here->weight[0], scratch->own_flat[l], sum);
    for (size_t k = 1; k < here->count; k++)
        tile_add(plan->run, here->weight[k], here->run[k], next->run[k], sum);
    scratch->s[l][0] = scratch->centre[l][r];
    for (size_t j = 1; j <= plan->m; j++)
        if (step->mixed[j])
            tile_mixed(step, scratch, j, scratch->s[l], old, sum);
}

/* Reads and interleaves consecutive tiles, starting with tile `tile`. */
static void tile_read(const struct sb_convolve_step *step, struct tile_scratch *scratch, size_t tile,
                      const tile_old *old)
{
    const struct sb_convolve_plan *const plan = step->plan;
    const size_t count = scratch->count;

    for (size_t l = 0; l < count; l++) {
        sb_item *const s = scratch->s[l], *const centre = scratch->centre[l];

        sb_permutation_unrank(plan->n, plan->m, tile + l, s + 1);
        tile_others(plan->n, s + 1, plan->m, centre);
        for (size_t r = 0; r < plan->size; r++) {
            s[0] = centre[r];
            tile_find(step, scratch, s, old, &scratch->sources[r * count + l]);
        }
    }
    for (size_t r = 0; r < plan->size; r++) {
        const tile_cell *own[SIDE], *sum[SIDE];

        for (size_t l = 0; l < SIDE; l++) {
            const size_t some = l < count ? l : 0; /* any tile can take the place of a missing tile */

            own[l] = scratch->own_flat[some];
            sum[l] = scratch->sum_flat[some];
        }
        for (size_t l = 0; l < count; l++)
            tile_outer(step, scratch, r, l, old);
        turn_runs(plan->run, own, scratch->own + r * plan->run);
        turn_runs(plan->run, sum, scratch->sum + r * plan->run);
    }
}

#endif
