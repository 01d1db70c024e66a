/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the new slice of the centre from all slices (see convolve_slices.h). A tile has the permutations
 * with the same items at the places 1..m of the common order. In each slice, the tile is K runs. The order of
 * these runs differs from slice to slice, and sometimes the order of the cells in a run differs, too. Cost:
 * an addition for each cell of each slice.
 */
#include "exact/convolve/convolve_slices.h"

#include <string.h>

enum {
    K = SB_CONVOLVE_TILE,
    CELLS = SB_CONVOLVE_CELLS,
    RUN = SB_CONVOLVE_RUN,
    ITEMS = SB_CONVOLVE_ITEMS_MOST
};

/* The items of a tile. */
struct pull_tile {
    sb_item low[ITEMS]; /* [m] low[i] is at place i + 1 */
    sb_item other[K];   /* the other items, ascending */
};

static void pull_tile(const struct sb_convolve_plan *inner, size_t number, struct pull_tile *tile)
{
    bool taken[ITEMS] = { false };
    size_t count = 0;

    sb_permutation_unrank(inner->n, inner->m, number, tile->low);
    for (size_t i = 0; i < inner->m; i++)
        taken[tile->low[i]] = true;
    for (size_t v = 0; v < inner->n; v++)
        if (!taken[v])
            tile->other[count++] = (sb_item)v;
}

/* Returns the index of one run of the tile in a layout. The layout begins with `place`, and the other places
 * follow, from 1 on. u is one of tile->other. The run has item u at place m + 1 if `place` <= m, else at
 * place `place`. */
static size_t pull_run(const struct sb_convolve_plan *inner, const struct pull_tile *tile, size_t place,
                       sb_item u)
{
    const size_t m = inner->m;
    sb_item s[ITEMS];
    size_t count = 1;

    s[0] = place <= m ? tile->low[place - 1] : u;
    for (size_t k = 1; k <= m; k++)
        if (k != place)
            s[count++] = tile->low[k - 1];
    if (place <= m)
        s[count] = u;
    return (size_t)sb_permutation_rank(inner->n, m + 1, s);
}

/* Adds the cells of slice pull->from[k] to the tile. */
static void pull_add(const struct sb_slices_pull *pull, size_t k, const struct pull_tile *tile,
                     struct sb_slices_scratch *scratch)
{
    const struct sb_convolve_plan *const inner = &pull->slices->inner;
    const size_t place = pull->from[k].place, m = inner->m;
    const bool moved = place > m + 1;
    uint32_t *const to = moved ? scratch->moved : scratch->sum;

    if (moved)
        memset(scratch->moved, 0, sizeof scratch->moved);
    for (size_t r = 0; r < K; r++)
        sb_convolve_run_add(pull_run(inner, tile, place, tile->other[r]), pull->packed, pull->from[k].cells,
                            pull->from[k].weight, to + r * RUN);
    if (moved) {
        const uint16_t *const extract = pull->tables->extract + (place - m - 1) * CELLS;

        for (size_t cell = 0; cell < CELLS; cell++)
            scratch->sum[cell] += scratch->moved[extract[cell]];
    }
}

/* Stores the tile in the layout of the next step. */
static void pull_store(const struct sb_slices_pull *pull, const struct pull_tile *tile,
                       struct sb_slices_scratch *scratch, void *to)
{
    const struct sb_convolve_plan *const inner = &pull->slices->inner;
    const size_t place = pull->to_place, m = inner->m;
    const bool moved = place > m + 1;

    if (moved) {
        const uint16_t *const insert = pull->tables->insert + (place - m - 1) * CELLS;

        for (size_t cell = 0; cell < CELLS; cell++)
            scratch->moved[cell] = scratch->sum[insert[cell]];
    }
    for (size_t r = 0; r < K; r++)
        pull->put(pull_run(inner, tile, place, tile->other[r]),
                  (moved ? scratch->moved : scratch->sum) + r * RUN, to);
}

void sb_slices_pull_sum(const struct sb_slices_pull *pull, size_t number, struct sb_slices_scratch *scratch)
{
    struct pull_tile tile;

    pull_tile(&pull->slices->inner, number, &tile);
    memset(scratch->sum, 0, sizeof scratch->sum);
    for (size_t k = 0; k < pull->count; k++)
        pull_add(pull, k, &tile, scratch);
}

void sb_slices_pull_store(const struct sb_slices_pull *pull, size_t number, struct sb_slices_scratch *scratch,
                          void *to)
{
    struct pull_tile tile;

    pull_tile(&pull->slices->inner, number, &tile);
    pull_store(pull, &tile, scratch, to);
}
