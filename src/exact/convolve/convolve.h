/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact law of a shuffle made of swaps, as a random walk on the n! permutations. Each step computes
 *
 *   new[a] = stay * old[a] + sum over pairs of positions x, y of weight(x, y) * old[a with x and y exchanged]
 *
 * So n steps, each with a few additions for each of n! cells, replace n^n series of draws. convolve.c describes the
 * swaps and chooses the numbers, convolve_walk.c does the steps, and convolve_tile.c does the arithmetic of a step.
 * Only these files include this header.
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
#ifndef SB_EXACT_CONVOLVE_CONVOLVE_H
#define SB_EXACT_CONVOLVE_CONVOLVE_H

#include "exact/engine.h"

enum {
    SB_CONVOLVE_ITEMS_MOST = 12, /* the largest n: two arrays of 12! counts of 32 bits take 3.6 GiB */
    SB_CONVOLVE_TILE = 7,        /* K, unless n is smaller */
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
    sb_wide common; /* the common factor by which all weights were divided, so that most of them are 1 */
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

/* A weight, or the value of a cell: a count, or a probability. */
union sb_convolve_number {
    uint64_t count;
    double share;
};

/* A step with its tables, which say how the step combines the cells of a tile. Coordinates are indexes into
 * the layout that the step reads: coordinate 0 is the centre, coordinates 1..m are the low positions, and
 * coordinates m+1..n-1 are all other positions. */
struct sb_convolve_step {
    const struct sb_convolve_plan *plan;
    union sb_convolve_number stay;
    /* [x][y] weight of the pair of coordinates x < y; `exchanges`: whether it is not 0 */
    union sb_convolve_number weight[SB_CONVOLVE_ITEMS_MOST][SB_CONVOLVE_ITEMS_MOST];
    bool exchanges[SB_CONVOLVE_ITEMS_MOST][SB_CONVOLVE_ITEMS_MOST];
    bool mixed[SB_CONVOLVE_ITEMS_MOST]; /* whether the step exchanges this low coordinate with one above m */
    /* [m+1] where the first m + 1 coordinates of the new layout come from. Each coordinate stands for a position. The
     * entry is the low coordinate that has this position in the old layout, or 0 if the position is within the tile. */
    size_t source[SB_CONVOLVE_TILE];
    size_t inner; /* number of pairs of coordinates within the tile */
    union sb_convolve_number inner_weight[SB_CONVOLVE_INNER];
    /* [K!] for each cell of a tile in the new layout: the index of the same permutation in the old layout. */
    uint16_t order[SB_CONVOLVE_CELLS];
    /* [K! * inner] for each cell of a tile and each pair of coordinates within the tile: the cell after the
     * exchange; owned */
    uint16_t *index;
    /* [K! * (K-1)] for each cell: the cells after exchanging the tile's first coordinate with every other
     * coordinate of the tile; owned */
    uint16_t *front;
};

/* A type of cells. convolve_tile.c is compiled once for each. Counts are modulo a power of 2. */
struct sb_convolve_cells {
    size_t width; /* bytes of a cell */
    bool shares;  /* whether cells are probabilities */
    size_t room;  /* bytes of a thread's scratch space, which is zeroed */
    /* Does the step for tiles first..end-1. */
    void (*tiles)(const struct sb_convolve_step *step, void *scratch, size_t first, size_t end, const void *old,
                  void *new);
};

extern const struct sb_convolve_cells sb_convolve_narrow; /* uint16_t, for the first steps */
extern const struct sb_convolve_cells sb_convolve_small;  /* uint32_t */
extern const struct sb_convolve_cells sb_convolve_count;  /* uint64_t */
extern const struct sb_convolve_cells sb_convolve_share;  /* double */

/* A walk to do. `done` and `rounds` are for reporting the progress of several walks. */
struct sb_convolve_walk {
    const struct sb_law *law;
    const struct sb_convolve_plan *plan;
    const struct sb_convolve_cells *cells;
    size_t narrow;       /* number of steps in 16 bits, below plan->count; only if cells have 32 bits */
    uint64_t modulus;    /* modulus of 64-bit counts, below 2^28; 0: the modulus of the type */
    size_t done, rounds; /* number of walks before this one, and number of all walks */
};

/* Walks from the identity to the law. Sets *cells to the result, [n!] by rank, which the caller frees. SB_NO_MEMORY;
 * SB_STOPPED. */
enum sb_status sb_convolve_walk_run(const struct sb_convolve_walk *walk, void **cells);

#endif
