/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What `convolve` walks: each swap of a plan as weights of pairs of positions, and how permutations are laid
 * out in memory while it is done.
 *
 * A layout is an order of the positions; a permutation a has the index that is the lexicographic rank of the
 * items at them in that order. The first position is the step's centre: the one that it exchanges with
 * others. The next ones are the `low` positions 0..m, without the centre or, where the centre is none of
 * them, without one that is missing; then all others, in order. So the last K - 1 positions, in one block of
 * memory of (K-1)! cells, a run, stay together whatever the step does with those before; and a tile, all
 * permutations with the same items at the m low positions, is K runs.
 *
 * A step reads one layout and writes the next one. What the two have in common is that their first m + 1
 * positions differ by one alone, so that a tile is K runs in both, and after the last step the layout is the
 * natural order of the positions: the counts then stand by rank.
 */
#ifndef SB_EXACT_CONVOLVE_CONVOLVE_PLAN_H
#define SB_EXACT_CONVOLVE_CONVOLVE_PLAN_H

#include "core/wide.h"
#include "exact/convolve/convolve.h"

enum {
    SB_CONVOLVE_TILE = 7, /* K, where n is not less */
    SB_CONVOLVE_CELLS = 5040,
    SB_CONVOLVE_PAIRS = SB_CONVOLVE_ITEMS_MOST * (SB_CONVOLVE_ITEMS_MOST - 1) / 2,
    SB_CONVOLVE_INNER = SB_CONVOLVE_TILE * (SB_CONVOLVE_TILE - 1) / 2,
};

/* One swap of the plan. */
struct sb_convolve_swap {
    size_t centre; /* a position that is in every pair; 0 where there is none */
    size_t pairs;
    struct {
        uint8_t x, y; /* positions, x < y */
        sb_wide weight;
    } pair[SB_CONVOLVE_PAIRS];
    sb_wide stay;             /* weight of no exchange */
    sb_wide common;           /* factor that has been taken out of all weights */
    sb_wide sum_at, sum_from; /* their product is the sum of all weights, times that factor */
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
    mpz_t denominator;             /* product of the sums */
};

/* Owned by the caller. 2 <= n <= SB_CONVOLVE_ITEMS_MOST; the shuffler has steps. SB_NO_MEMORY. */
enum sb_status sb_convolve_plan_open(const struct sb_law *law, struct sb_convolve_plan *plan);
void sb_convolve_plan_close(struct sb_convolve_plan *plan);

/* An order of the positions. */
struct sb_convolve_layout {
    size_t missing; /* the low position that is not among the first m + 1; the centre where that is low */
    sb_item position[SB_CONVOLVE_ITEMS_MOST];
};

/* The layout around a centre, after one of which `missing` is given; after none, plan->m. */
void sb_convolve_layout(const struct sb_convolve_plan *plan, size_t centre, size_t missing,
                        struct sb_convolve_layout *layout);

/*
 * One step made ready: which cells a tile is made of, in coordinates of the layout that it reads: 0 the
 * centre, 1..m the low positions, m+1..n-1 the others.
 */
struct sb_convolve_step {
    const struct sb_convolve_plan *plan;
    const struct sb_convolve_swap *swap;
    sb_wide weight[SB_CONVOLVE_ITEMS_MOST][SB_CONVOLVE_ITEMS_MOST]; /* of x < y in coordinates */
    bool mixed[SB_CONVOLVE_ITEMS_MOST]; /* a low coordinate is exchanged with one above m */
    size_t source[SB_CONVOLVE_TILE];    /* [m+1] what the first coordinates of the layout that it writes are
                                           here: 1..m, or 0 for the one that comes from the tile */
    size_t inner;                       /* pairs within the tile, ... */
    sb_wide inner_weight[SB_CONVOLVE_INNER];
    uint16_t order[SB_CONVOLVE_CELLS]; /* [K!] which cell of the tile as read is that cell as written */
    uint16_t *index;                   /* [K! * inner] ... and which cells they exchange it with; owned */
    uint16_t *front; /* [K! * (K-1)] exchanges of the tile's first coordinate with each other one; owned */
};

/* Owned by the caller, for all steps of the plan. SB_NO_MEMORY. */
enum sb_status sb_convolve_step_open(const struct sb_convolve_plan *plan, struct sb_convolve_step *step);
void sb_convolve_step_close(struct sb_convolve_step *step);

/* Makes it the step that does the swap, from one layout to the next. */
void sb_convolve_step_set(const struct sb_convolve_swap *swap, const struct sb_convolve_layout *from,
                          const struct sb_convolve_layout *to, struct sb_convolve_step *step);

#endif
