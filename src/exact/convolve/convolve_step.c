/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets up the weights and the tables of a step of `convolve`. The weights are in the coordinates of the
 * layout that the step reads. The tables are the same for all tiles. Cost of a step: computing the ranks of
 * K! arrangements of K items for each exchange within a tile.
 */
#include "exact/convolve/convolve_plan.h"

#include <stdlib.h>
#include <string.h>

enum { FRONT = SB_CONVOLVE_TILE - 1 };

/* Two coordinates within the tile. */
struct step_pair {
    uint8_t x, y;
};

/* Returns the rank of an arrangement of K items after the items at places x and y are exchanged. */
static uint16_t step_exchanged(size_t size, const sb_item a[], size_t x, size_t y)
{
    sb_item b[SB_CONVOLVE_TILE];

    memcpy(b, a, size * sizeof b[0]);
    b[x] = a[y];
    b[y] = a[x];
    return (uint16_t)sb_permutation_rank(size, size, b);
}

enum sb_status sb_convolve_step_open(const struct sb_convolve_plan *plan, struct sb_convolve_step *step)
{
    const size_t size = plan->size;
    struct sb_convolve_step made = {
        .plan = plan,
        .index = calloc(plan->tile * SB_CONVOLVE_INNER, sizeof *made.index),
        .front = calloc(plan->tile * FRONT, sizeof *made.front),
    };

    if (!made.index || !made.front) {
        sb_convolve_step_close(&made);
        return SB_NO_MEMORY;
    }
    for (size_t g = 0; g < plan->tile; g++) {
        sb_item a[SB_CONVOLVE_TILE];

        sb_permutation_unrank(size, size, g, a);
        for (size_t t = 1; t < size; t++)
            made.front[g * (size - 1) + t - 1] = step_exchanged(size, a, 0, t);
    }
    *step = made;
    return SB_OK;
}

void sb_convolve_step_close(struct sb_convolve_step *step)
{
    free(step->index);
    free(step->front);
    step->index = step->front = NULL;
}

/* Returns the coordinate of a position in a layout. */
static size_t step_coordinate(const struct sb_convolve_layout *layout, size_t position)
{
    size_t c = 0;

    while (layout->position[c] != position)
        c++;
    return c;
}

/* Returns the index of a coordinate within the tile: first the centre, then the coordinates above m. */
static size_t step_inner(const struct sb_convolve_plan *plan, size_t coordinate)
{
    return coordinate ? coordinate - plan->m : 0;
}

static bool step_in_tile(const struct sb_convolve_plan *plan, size_t coordinate)
{
    return coordinate == 0 || coordinate > plan->m;
}

/*
 * Sets where a tile's cells go, and the exchanges within the tile. The tile is read in the old layout and
 * written in the new layout. For each coordinate of the tile in the new layout, home[0..K-1] holds the index
 * of the same position in the old layout. The entries for the exchanges of one cell are adjacent, so that
 * they are read together.
 */
static void step_set_tile(struct sb_convolve_step *step, const size_t home[], const struct step_pair pair[])
{
    const size_t size = step->plan->size;

    for (size_t i = 0; i < step->plan->tile; i++) {
        sb_item written[SB_CONVOLVE_TILE], read[SB_CONVOLVE_TILE] = { 0 };
        uint16_t *const index = step->index + i * step->inner;

        sb_permutation_unrank(size, size, i, written);
        for (size_t k = 0; k < size; k++)
            read[home[k]] = written[k];
        step->order[i] = (uint16_t)sb_permutation_rank(size, size, read);
        for (size_t k = 0; k < step->inner; k++)
            index[k] = pair[k].x == 0 ? step->front[step->order[i] * (size - 1) + pair[k].y - 1]
                                      : step_exchanged(size, read, pair[k].x, pair[k].y);
    }
}

/* From the two layouts, sets step->source, and sets home[] for step_set_tile(). */
static void step_set_layouts(const struct sb_convolve_layout *from, const struct sb_convolve_layout *to,
                             struct sb_convolve_step *step, size_t home[])
{
    const struct sb_convolve_plan *const plan = step->plan;

    for (size_t c = 0; c < plan->n; c++) {
        const size_t coordinate = step_coordinate(from, to->position[c]);
        const bool in_tile = step_in_tile(plan, coordinate);

        if (c <= plan->m)
            step->source[c] = in_tile ? 0 : coordinate;
        /* if a coordinate of the tile is among the first m + 1 coordinates of the new layout, the tile of the
         * new layout has this coordinate at its centre */
        if (in_tile)
            home[c <= plan->m ? 0 : c - plan->m] = step_inner(plan, coordinate);
    }
}

void sb_convolve_step_set(const struct sb_convolve_swap *swap, const struct sb_convolve_layout *from,
                          const struct sb_convolve_layout *to, struct sb_convolve_step *step)
{
    const struct sb_convolve_plan *const plan = step->plan;
    struct step_pair inner[SB_CONVOLVE_INNER];
    size_t home[SB_CONVOLVE_TILE] = { 0 };

    step->swap = swap;
    step->inner = 0;
    memset(step->weight, 0, sizeof step->weight);
    memset(step->mixed, 0, sizeof step->mixed);
    for (size_t k = 0; k < swap->pairs; k++) {
        const size_t a = step_coordinate(from, swap->pair[k].x), b = step_coordinate(from, swap->pair[k].y);
        const size_t x = a < b ? a : b, y = a < b ? b : a;

        step->weight[x][y] = swap->pair[k].weight;
        if (step_in_tile(plan, x) && step_in_tile(plan, y)) {
            inner[step->inner] = (struct step_pair) {
                .x = (uint8_t)step_inner(plan, x),
                .y = (uint8_t)step_inner(plan, y),
            };
            step->inner_weight[step->inner++] = swap->pair[k].weight;
        } else if (x > 0 && y > plan->m) {
            step->mixed[x] = true;
        }
    }
    step_set_layouts(from, to, step, home);
    step_set_tile(step, home, inner);
}
