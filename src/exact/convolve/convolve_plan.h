/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plan of `convolve`: each swap as weights of pairs of positions, and the layout of permutations in
 * memory.
 *
 * A layout is an order of the positions. The index of a permutation is the lexicographic rank of its items,
 * read in the order of the layout. The first position is the centre of the step: the step exchanges the item
 * there with items at other positions. Next come the m low positions, where m = n - K, and K is 7 or, if n is
 * smaller, n. The low positions are 0..m without the centre or, if the centre is above m, without one
 * `missing` position. Then come all other positions, in ascending order. The permutations with the same items
 * at the first m + 1 positions form a run: a block of (K-1)! cells. An exchange of two of the first m + 1
 * positions moves a run as a whole. A tile consists of all permutations with the same items at the m low
 * positions. So a tile is K runs.
 *
 * A step reads cells in one layout, and writes cells in the next layout. The low positions of a layout are
 * all among the first m + 1 positions of the next layout, so a tile is K runs in both layouts. After the last
 * step, the layout is the natural order of the positions, so the counts are sorted by rank.
 */
#ifndef SB_EXACT_CONVOLVE_CONVOLVE_PLAN_H
#define SB_EXACT_CONVOLVE_CONVOLVE_PLAN_H

#include "core/numbers.h"
#include "exact/convolve/convolve.h"

enum {
    SB_CONVOLVE_TILE = 7, /* K, unless n is smaller */
    SB_CONVOLVE_CELLS = 5040,
    SB_CONVOLVE_PAIRS = SB_CONVOLVE_ITEMS_MOST * (SB_CONVOLVE_ITEMS_MOST - 1) / 2,
    SB_CONVOLVE_INNER = SB_CONVOLVE_TILE * (SB_CONVOLVE_TILE - 1) / 2,
};

/* One swap of the plan. */
struct sb_convolve_swap {
    size_t centre; /* a position that occurs in every pair; 0 if there is no such position */
    size_t pairs;
    struct {
        uint8_t x, y; /* positions, x < y */
        sb_wide weight;
    } pair[SB_CONVOLVE_PAIRS];
    sb_wide stay;   /* the weight of no exchange */
    sb_wide common; /* the common factor by which all weights were divided */
    /* the sums of the weights of the two draws; their product is `common` times the sum of all weights */
    sb_wide sum_at, sum_from;
};

struct sb_convolve_plan {
    size_t n, deal;
    size_t size;  /* K */
    size_t m;     /* n - K */
    size_t run;   /* (K-1)! cells */
    size_t tile;  /* K! cells */
    size_t cells; /* n! */
    size_t count;
    struct sb_convolve_swap *swap; /* [count] owned */
    mpz_t denominator;             /* the product of sum_at and sum_from of all swaps */
};

/* Opens a plan, which the caller closes. The shuffler must have steps, and 2 <= n <= SB_CONVOLVE_ITEMS_MOST.
 * SB_NO_MEMORY. */
enum sb_status sb_convolve_plan_open(const struct sb_law *law, struct sb_convolve_plan *plan);
void sb_convolve_plan_close(struct sb_convolve_plan *plan);

/* An order of the positions. */
struct sb_convolve_layout {
    size_t missing; /* the one of 0..m that is not a low position: the centre, if it is at most m */
    sb_item position[SB_CONVOLVE_ITEMS_MOST];
};

/* Makes the layout with this centre. The argument `missing` is the `missing` of the previous layout, or
 * plan->m for the first layout. */
void sb_convolve_layout(const struct sb_convolve_plan *plan, size_t centre, size_t missing,
                        struct sb_convolve_layout *layout);

/* A step with its tables, which say how the step combines the cells of a tile. Coordinates are indexes into
 * the layout that the step reads: coordinate 0 is the centre, coordinates 1..m are the low positions, and
 * coordinates m+1..n-1 are all other positions. */
struct sb_convolve_step {
    const struct sb_convolve_plan *plan;
    const struct sb_convolve_swap *swap;
    /* [x][y] weight of the pair of coordinates x < y */
    sb_wide weight[SB_CONVOLVE_ITEMS_MOST][SB_CONVOLVE_ITEMS_MOST];
    bool mixed[SB_CONVOLVE_ITEMS_MOST]; /* whether the step exchanges this low coordinate with one above m */
    /* [m+1] where the first m + 1 coordinates of the new layout come from. Each coordinate stands for a
     * position. The entry is the low coordinate that has this position in the old layout, or 0 if the
     * position is within the tile. */
    size_t source[SB_CONVOLVE_TILE];
    size_t inner; /* number of pairs of coordinates within the tile */
    sb_wide inner_weight[SB_CONVOLVE_INNER];
    /* [K!] for each cell of a tile in the new layout: the index of the same permutation in the old layout. */
    uint16_t order[SB_CONVOLVE_CELLS];
    /* [K! * inner] for each cell of a tile and each pair of coordinates within the tile: the cell after the
     * exchange; owned */
    uint16_t *index;
    /* [K! * (K-1)] for each cell: the cells after exchanging the tile's first coordinate with every other
     * coordinate of the tile; owned */
    uint16_t *front;
};

/* Opens a step for the swaps of this plan: allocates its tables. The caller closes the step. SB_NO_MEMORY. */
enum sb_status sb_convolve_step_open(const struct sb_convolve_plan *plan, struct sb_convolve_step *step);
void sb_convolve_step_close(struct sb_convolve_step *step);

/* Sets the tables of a step that makes this swap, reads the layout `from` and writes the layout `to`. */
void sb_convolve_step_set(const struct sb_convolve_swap *swap, const struct sb_convolve_layout *from,
                          const struct sb_convolve_layout *to, struct sb_convolve_step *step);

#endif
