/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The walk of `convolve` in one arithmetic, and what is made of the cells at its end. */
#ifndef SB_EXACT_CONVOLVE_CONVOLVE_WALK_H
#define SB_EXACT_CONVOLVE_CONVOLVE_WALK_H

#include "exact/convolve/convolve_cells.h"

/* A walk to be done; `done` and `rounds` are for the progress where there are several. */
struct sb_convolve_walk {
    const struct sb_law *law;
    const struct sb_convolve_plan *plan;
    const struct sb_convolve_cells *cells;
    uint64_t modulus;    /* 0: the cell's own */
    size_t narrow;       /* steps to be done in 16 bits, below the plan's count; only where `cells` has 32 */
    size_t done, rounds; /* walks before this one, and in all */
};

/* The cells at its end by rank, [n!], which the caller frees. SB_NO_MEMORY; SB_STOPPED. */
enum sb_status sb_convolve_walk_run(const struct sb_convolve_walk *walk, void **cells);

/* Bytes that it takes, rounded up a little. */
double sb_convolve_walk_bytes(const struct sb_convolve_plan *plan, const struct sb_convolve_cells *cells);

/* Adds up the permutations that begin with the same deal, in place: cells[0..deals-1]. */
void sb_convolve_deals_count(const struct sb_convolve_plan *plan, uint64_t cells[]);
void sb_convolve_deals_share(const struct sb_convolve_plan *plan, double cells[]);

/*
 * Counts of any size: one walk modulo each of several primes, put together by the Chinese remainder theorem.
 * Sets the counts of the evidence, wide. SB_NO_MEMORY; SB_STOPPED; SB_BROKEN.
 */
enum sb_status sb_convolve_residues(const struct sb_law *law, const struct sb_convolve_plan *plan,
                                    struct sb_evidence *evidence);

#endif
