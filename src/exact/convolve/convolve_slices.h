/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact law of a shuffle made of swaps, if the counts of all permutations do not fit in memory. Each swap
 * exchanges one position, which is the centre of the step, with another position.
 *
 * One item is the tracked item. The permutations with the tracked item at position x form slice x: (n-1)!
 * arrangements of the other items at the other positions. A step with centre t computes
 *
 *   new slice x = (old slice x after the step on the other items) + weight(t, x) * (old slice t, moved)
 *   new slice t = stay * (old slice t) + sum over x of weight(t, x) * (old slice x, moved)
 *
 * "Moved" means that t and x exchange their items. So new slice x, x != t, needs only the old slices x and t.
 * As soon as the new slice x is computed, it replaces the old slice x. So a step needs memory for the slices
 * that it reads and for two more. The tracked item is the item that starts at the centre of the last step.
 * Suppose that a shuffle makes each position the centre at most once. Then, before the last step, each slice
 * except the first is empty until its own position is the centre; the first slice is the one where the
 * tracked item starts. This halves the work.
 *
 * Counts have 16 bits in the first steps, and 20 bits after that. The sum of all counts shows whether this is
 * enough, because no stored count exceeds the true count. The last step passes its counts to a census and
 * stores none.
 *
 * The common order is an order of all positions that begins with the centre. The layout of slice x (see
 * convolve_plan.h) is the common order without x. The layout of slice t begins with the places m + 1, 1, 2,
 * ..., m of the common order, where m = n - 1 - K and K is SB_CONVOLVE_TILE. From one step to the next, the
 * old centre and the new centre change places in the common order. So a move between slices moves whole runs,
 * or permutes the cells of tiles.
 *
 * Several MPI ranks can share a law. Each rank has some of the slices. In each step, the ranks add up what
 * their slices contribute to the new slice of the centre, and one of the ranks stores this slice. If the old
 * slice of the centre is not empty, one rank has this old slice and sends it to all ranks.
 */
#ifndef SB_EXACT_CONVOLVE_CONVOLVE_SLICES_H
#define SB_EXACT_CONVOLVE_CONVOLVE_SLICES_H

#include "core/ranks.h"
#include "exact/convolve/convolve_cells.h"
#include "exact/convolve/convolve_run.h"

enum { SB_SLICES_ITEMS_LEAST = SB_CONVOLVE_TILE + 1 };

/* How a walk by slices divides the permutations, and how many bits the counts have. */
struct sb_slices_plan {
    const struct sb_convolve_plan *plan; /* the plan of all n items */
    struct sb_convolve_plan inner;       /* n - 1 items, no swaps */
    size_t item;                         /* the tracked item */
    size_t narrow;                       /* number of initial steps whose results have 16 bits */
};

/* Returns whether the slices can compute the law of this plan: the swaps have centres, all items are dealt,
 * and the mean counts are small enough. Weights are then so small that sums of 20-bit counts are below
 * 2^24. */
bool sb_slices_possible(const struct sb_convolve_plan *plan);

/* Makes the plan of a walk; the mean counts decide how many steps have 16 bits. The caller need not close the
 * plan. */
struct sb_slices_plan sb_slices_plan(const struct sb_convolve_plan *plan);

/* Returns the set of the slices that are not empty before step k. Bit x stands for slice x. */
unsigned sb_slices_filled(const struct sb_slices_plan *slices, size_t k);

/* Returns the set of the slices that are empty before step k and receive counts from the slice of the centre
 * in this step. Bit x stands for slice x. */
unsigned sb_slices_opened(const struct sb_slices_plan *slices, size_t k);

/* Returns whether the counts after k steps have 20 bits instead of 16. */
bool sb_slices_packed(const struct sb_slices_plan *slices, size_t k);

/* Returns the number of bytes of a slice. Its counts have 20 bits if `packed`, else 16 bits. */
size_t sb_slices_width(const struct sb_slices_plan *slices, bool packed);

/* Returns the set of the slices of this rank. Bit x stands for slice x, which belongs to the rank whose
 * number is x modulo the number of ranks. Returns all slices if `ranks` is NULL. */
unsigned sb_slices_mine(const struct sb_slices_plan *slices, const struct sb_ranks *ranks);

/* Returns the largest number of slices that are in the memory of this rank at the same time. */
size_t sb_slices_most(const struct sb_slices_plan *slices, const struct sb_ranks *ranks);

/* Returns the bytes that the walk takes at this rank, rounded up slightly. */
double sb_slices_bytes(const struct sb_slices_plan *slices, const struct sb_ranks *ranks);

/* Returns the weight of the exchange of positions x and y in a swap, or 0 if the swap never exchanges these
 * positions. */
sb_wide sb_slices_weight(const struct sb_convolve_swap *swap, size_t x, size_t y);

/*
 * Computes the law. Sets the census and the matrix of exact evidence; the caller has already set its `cells`,
 * `total` and `denominator`. Sets *certain to whether the sum of the counts is correct. If the sum is not
 * correct, there is no census. All MPI ranks must call this function, and only the root gets the evidence.
 * SB_NO_MEMORY; SB_STOPPED.
 */
enum sb_status sb_slices_law(const struct sb_law *law, const struct sb_slices_plan *slices,
                             struct sb_evidence *evidence, bool *certain);

/* Tells all MPI ranks whether the root's status is SB_OK. Returns SB_STOPPED if this rank's status is SB_OK
 * and the root's status is not; otherwise returns this rank's status. A rank must call this function before
 * it returns an error. */
enum sb_status sb_slices_agree(const struct sb_ranks *ranks, enum sb_status status);

/* ---- convolve_order.c ---- */

/* Sets the common order before the first step. `order` is [n]. */
void sb_slices_order(size_t n, size_t centre, sb_item order[]);

/* Makes `centre` the first position of the order, by exchanging it with the old centre. */
void sb_slices_order_next(size_t centre, sb_item order[]);

/* Returns the place of a position in the common order. */
size_t sb_slices_place(const sb_item order[], size_t position);

/* Sets the layout of slice x. */
void sb_slices_layout(const struct sb_slices_plan *slices, const sb_item order[], size_t x,
                      struct sb_convolve_layout *layout);

/* Tables for tiles in which places above m move, [K][K!] each. A cell of the common order is an arrangement
 * of K items at the places m + 1 to n - 1. extract[j] maps this cell to the cell of another arrangement, in
 * which the item at place m + 1 + j has been taken out and put first. insert[j] is the inverse of
 * extract[j]. */
struct sb_slices_tables {
    uint16_t *extract, *insert; /* owned */
};

enum sb_status sb_slices_tables_open(struct sb_slices_tables *tables);
void sb_slices_tables_close(struct sb_slices_tables *tables);

/* ---- convolve_pull.c ---- */

/* The slices that contribute to the new slice of the centre. */
struct sb_slices_pull {
    const struct sb_slices_plan *slices;
    const struct sb_slices_tables *tables;
    bool packed; /* whether the old slices have 20 bits */
    size_t count;
    struct {
        const void *cells;
        /* place of the slice's position in the common order; m + 1 for the slice of the centre */
        size_t place;
        uint32_t weight;
    } from[SB_CONVOLVE_ITEMS_MOST];
    size_t to_place; /* place of the next centre in the common order; m + 1 if the centre remains */
    void (*put)(size_t number, const uint32_t run[SB_CONVOLVE_RUN], void *to);
};

/* The scratch space of a thread. */
struct sb_slices_scratch {
    uint32_t sum[SB_CONVOLVE_CELLS], moved[SB_CONVOLVE_CELLS];
};

/* Sets scratch->sum to a tile of the new slice of the centre. */
void sb_slices_pull_sum(const struct sb_slices_pull *pull, size_t number, struct sb_slices_scratch *scratch);

/* Stores scratch->sum as a tile of the new slice, in the layout of the next step. */
void sb_slices_pull_store(const struct sb_slices_pull *pull, size_t number, struct sb_slices_scratch *scratch,
                          void *to);

#endif
