/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A step of `convolve` on one tile: all permutations with the same items q at the m low positions. For each
 * item c at the centre they are a run of (K-1)! cells, and so are their neighbours by an exchange that does
 * not touch the tile's other positions:
 *
 *   centre and a low position    the run of (q_j, q with c for q_j)
 *   two low positions            the run of (c, q exchanged)
 *   a low and another position   K runs, (c, q with u for q_j) for each u, of which a K-th is needed
 *
 * Runs are added up as they stand. Exchanges within the tile go by a table of indices, the same for all
 * tiles. Cost: an addition for each cell and pair; a tile and its tables stay in the second-level cache.
 *
 * Included by one file for each type of cell, which says CONVOLVE_CELL, and CONVOLVE_SHARE for probabilities.
 */
#ifndef SB_ENGINE_CONVOLVE_TILE_H
#define SB_ENGINE_CONVOLVE_TILE_H

#include "engine/convolve_cells.h"

#include <stdlib.h>
#include <string.h>

typedef CONVOLVE_CELL tile_cell;

enum { ITEMS = SB_CONVOLVE_ITEMS_MOST, CELLS = SB_CONVOLVE_CELLS };

struct tile_scratch {
    uint64_t modulus; /* 0: none */
    tile_cell stay, inner[SB_CONVOLVE_INNER], weight[ITEMS][ITEMS];
    tile_cell own[CELLS];    /* the tile as it was */
    tile_cell sum[CELLS];    /* what came from outside of it, and from staying */
    tile_cell beside[CELLS]; /* another K runs */
};

/* The weight of one pair in this arithmetic. */
static tile_cell tile_weight(const struct sb_convolve_swap *swap, sb_convolve_mass weight, uint64_t modulus)
{
#ifdef CONVOLVE_SHARE
    (void)modulus;
    return (double)weight / ((double)swap->sum_at * (double)swap->sum_from);
#else
    (void)swap;
    return (tile_cell)(modulus ? weight % modulus : weight);
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

/* to[i] += weight * from[i] */
static void tile_add(size_t run, tile_cell weight, const tile_cell *restrict from, tile_cell *restrict to)
{
    if (weight == 1)
        for (size_t i = 0; i < run; i++)
            to[i] += from[i];
    else
        for (size_t i = 0; i < run; i++)
            to[i] += weight * from[i];
}

/* to[i] += sum of weight[k] * from[index[i][k]], k < count, in the order of k. */
__attribute__((always_inline)) static inline void
tile_gather_some(size_t run, size_t count, bool weighted, const tile_cell weight[], const uint16_t index[],
                 const tile_cell *restrict from, tile_cell *restrict to)
{
    for (size_t i = 0; i < run; i++, index += count) {
        tile_cell sum = to[i];

#pragma GCC unroll 6
        for (size_t k = 0; k < count; k++)
            sum += weighted ? weight[k] * from[index[k]] : from[index[k]];
        to[i] = sum;
    }
}

/* The same, with the case in which all weights are 1 and that of a full set of exchanges in code of their
 * own. */
static void tile_gather(size_t run, size_t count, const tile_cell weight[], const uint16_t index[],
                        const tile_cell *restrict from, tile_cell *restrict to)
{
    bool weighted = false;

    for (size_t k = 0; k < count; k++)
        weighted = weighted || weight[k] != 1;
    if (count == SB_CONVOLVE_TILE - 1 && weighted)
        tile_gather_some(run, SB_CONVOLVE_TILE - 1, true, weight, index, from, to);
    else if (count == SB_CONVOLVE_TILE - 1)
        tile_gather_some(run, SB_CONVOLVE_TILE - 1, false, weight, index, from, to);
    else if (count == SB_CONVOLVE_INNER)
        tile_gather_some(run, SB_CONVOLVE_INNER, true, weight, index, from, to);
    else
        tile_gather_some(run, count, weighted, weight, index, from, to);
}

/* The run of the permutations that begin with s[0..m]. */
static size_t tile_run_at(const struct sb_convolve_plan *plan, const sb_item s[])
{
    return (size_t)sb_permutation_rank(plan->n, plan->m + 1, s) * plan->run;
}

/* The items that are none of s[0..count-1], in order: [n - count]. */
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

/* Adds the exchanges of low coordinate j with those above m to the run of s. */
static void tile_mixed(const struct sb_convolve_step *step, struct tile_scratch *scratch, size_t j,
                       const sb_item s[], const tile_cell *old, tile_cell *sum)
{
    const struct sb_convolve_plan *const plan = step->plan;
    const size_t run = plan->run, others = plan->size - 1;
    sb_item t[ITEMS], item[ITEMS];
    size_t mine = 0;

    memcpy(t, s, (plan->m + 1) * sizeof t[0]);
    t[j] = t[0]; /* all but s[j]: the items that can stand there */
    tile_others(plan->n, t, plan->m + 1, item);
    for (size_t u = 0; u < plan->size; u++) {
        t[j] = item[u];
        mine = item[u] == s[j] ? u : mine;
        memcpy(scratch->beside + u * run, old + tile_run_at(plan, t), run * sizeof *old);
    }
    tile_gather(run, others, &scratch->weight[j][plan->m + 1], step->front + mine * run * others,
                scratch->beside, sum);
}

/* Adds what comes from other tiles, and from staying, to the run of s. */
static void tile_outer(const struct sb_convolve_step *step, struct tile_scratch *scratch, sb_item s[],
                       const tile_cell *old, tile_cell *sum)
{
    const struct sb_convolve_plan *const plan = step->plan;

    for (size_t x = 0; x <= plan->m; x++)
        for (size_t y = x + 1; y <= plan->m; y++) {
            const sb_item a = s[x], b = s[y];

            if (step->weight[x][y] == 0)
                continue;
            s[x] = b;
            s[y] = a;
            tile_add(plan->run, scratch->weight[x][y], old + tile_run_at(plan, s), sum);
            s[x] = a;
            s[y] = b;
        }
    for (size_t j = 1; j <= plan->m; j++)
        if (step->mixed[j])
            tile_mixed(step, scratch, j, s, old, sum);
}

/* Writes the tile: run after run of the layout that comes next. */
static void tile_write(const struct sb_convolve_step *step, const struct tile_scratch *scratch,
                       const sb_item q[], const sb_item centre[], tile_cell *new)
{
    const struct sb_convolve_plan *const plan = step->plan;
    const size_t run = plan->run;

    for (size_t r = 0; r < plan->size; r++) {
        const uint16_t *const order = step->order + r * run;
        sb_item s[ITEMS];

        for (size_t c = 0; c <= plan->m; c++)
            s[c] = step->source[c] ? q[step->source[c] - 1] : centre[r];

        tile_cell *const to = new + tile_run_at(plan, s);

        for (size_t i = 0; i < run; i++)
            to[i] = scratch->sum[order[i]];
        tile_gather(run, step->inner, scratch->inner, step->index + r * run * step->inner, scratch->own, to);
        for (size_t i = 0; scratch->modulus && i < run; i++)
            to[i] = tile_reduce(to[i], scratch->modulus);
    }
}

static void tile_steps(const struct sb_convolve_step *step, void *held, size_t first, size_t end,
                       const void *old, void *new)
{
    const struct sb_convolve_plan *const plan = step->plan;
    struct tile_scratch *const scratch = held;
    const size_t run = plan->run;

    for (size_t tile = first; tile < end; tile++) {
        sb_item s[ITEMS] = { 0 }, centre[ITEMS]; /* s: the centre, then q */

        sb_permutation_unrank(plan->n, plan->m, tile, s + 1);
        tile_others(plan->n, s + 1, plan->m, centre);
        for (size_t r = 0; r < plan->size; r++) {
            tile_cell *const own = scratch->own + r * run, *const sum = scratch->sum + r * run;

            s[0] = centre[r];
            memcpy(own, (const tile_cell *)old + tile_run_at(plan, s), run * sizeof *own);
            for (size_t i = 0; i < run; i++)
                sum[i] = scratch->stay * own[i];
            tile_outer(step, scratch, s, old, sum);
        }
        tile_write(step, scratch, s + 1, centre, new);
    }
}

#endif
