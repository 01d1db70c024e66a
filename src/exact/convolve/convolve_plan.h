/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plan of `convolve`: each swap as weights of pairs of positions, and the layout of permutations in
 * memory.
 *
 * A layout is an order of the positions. The index of a permutation a is the lexicographic rank of its items,
 * read in that order. The first position is the step's centre, which the step exchanges with others. Next
 * come the `low` positions 0..m, without the centre, or, if the centre is not one of them, without one
 * `missing` position. Then come all other positions, in order. So the last K - 1 positions form one block of
 * (K-1)! cells, a run, which stays together when a step changes only positions before it. A tile consists of
 * all permutations with the same items at the m low positions; it is K runs.
 *
 * A step reads one layout and writes the next. The first m + 1 positions of the two layouts differ in only
 * one position, so a tile is K runs in both. After the last step the layout is the natural order of the
 * positions, so the counts are sorted by rank.
 */
#ifndef SB_EXACT_CONVOLVE_CONVOLVE_PLAN_H
#define SB_EXACT_CONVOLVE_CONVOLVE_PLAN_H

#include "core/wide.h"
#include "exact/convolve/convolve.h"

enum {
    SB_CONVOLVE_TILE = 7, /* K, unless n is smaller */
    SB_CONVOLVE_CELLS = 5040,
    SB_CONVOLVE_PAIRS = SB_CONVOLVE_ITEMS_MOST * (SB_CONVOLVE_ITEMS_MOST - 1) / 2,
    SB_CONVOLVE_INNER = SB_CONVOLVE_TILE * (SB_CONVOLVE_TILE - 1) / 2,
};

/* One swap of the plan. */
struct sb_convolve_swap {
    size_t centre; /* a position that occurs in every pair; 0 if there is none */
    size_t pairs;
    struct {
        uint8_t x, y; /* positions, x < y */
        sb_wide weight;
    } pair[SB_CONVOLVE_PAIRS];
    sb_wide stay;             /* the weight of no exchange */
    sb_wide common;           /* the common factor, by which all weights were divided */
    sb_wide sum_at, sum_from; /* the two sums whose product is the sum of all weights times `common` */
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
    mpz_t denominator;             /* the product of the steps' sums */
};

/* The caller closes the plan. 2 <= n <= SB_CONVOLVE_ITEMS_MOST; the shuffler has steps. SB_NO_MEMORY. */
enum sb_status sb_convolve_plan_open(const struct sb_law *law, struct sb_convolve_plan *plan);
void sb_convolve_plan_close(struct sb_convolve_plan *plan);

/* An order of the positions. */
struct sb_convolve_layout {
    size_t missing; /* the low position that is not among the first m + 1; the centre if that is low */
    sb_item position[SB_CONVOLVE_ITEMS_MOST];
};

/* Makes the layout around a centre, after a layout with this `missing`; the first layout follows plan->m. */
void sb_convolve_layout(const struct sb_convolve_plan *plan, size_t centre, size_t missing,
                        struct sb_convolve_layout *layout);

/*
 * A step with its tables: how it combines the cells of a tile, in coordinates of the layout that it reads.
 * Coordinate 0 is the centre, 1..m are the low positions, m+1..n-1 the others.
 */
struct sb_convolve_step {
    const struct sb_convolve_plan *plan;
    const struct sb_convolve_swap *swap;
    /* [x][y] weight of the pair x < y, in coordinates */
    sb_wide weight[SB_CONVOLVE_ITEMS_MOST][SB_CONVOLVE_ITEMS_MOST];
    bool mixed[SB_CONVOLVE_ITEMS_MOST]; /* a low coordinate is exchanged with one above m */
    /* [m+1] the first coordinates of the layout that the step writes, as coordinates of the layout that it
     * reads: 1..m, or 0 for the one that comes from the tile. */
    size_t source[SB_CONVOLVE_TILE];
    size_t inner; /* number of pairs within the tile, ... */
    sb_wide inner_weight[SB_CONVOLVE_INNER];
    /* [K!] the cell of the tile as read that becomes this cell as written. */
    uint16_t order[SB_CONVOLVE_CELLS];
    uint16_t *index; /* [K! * inner] ... and the cells that they exchange it with; owned */
    uint16_t *front; /* [K! * (K-1)] exchanges of the tile's first coordinate with every other; owned */
};

/* Allocates the tables for all steps of the plan; the caller closes them. SB_NO_MEMORY. */
enum sb_status sb_convolve_step_open(const struct sb_convolve_plan *plan, struct sb_convolve_step *step);
void sb_convolve_step_close(struct sb_convolve_step *step);

/* Sets the tables for a swap, from one layout to the next. */
void sb_convolve_step_set(const struct sb_convolve_swap *swap, const struct sb_convolve_layout *from,
                          const struct sb_convolve_layout *to, struct sb_convolve_step *step);

#endif
