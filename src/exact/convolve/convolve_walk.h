/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The walk of `convolve` in one arithmetic, and the conversion of its final cells. */
#ifndef SB_EXACT_CONVOLVE_CONVOLVE_WALK_H
#define SB_EXACT_CONVOLVE_CONVOLVE_WALK_H

#include "exact/convolve/convolve_cells.h"

/* A walk to do; `done` and `rounds` are for the progress of several walks. */
struct sb_convolve_walk {
    const struct sb_law *law;
    const struct sb_convolve_plan *plan;
    const struct sb_convolve_cells *cells;
    uint64_t modulus;    /* modulus of the counts; 0: the cell type's own */
    size_t narrow;       /* steps to do in 16 bits, fewer than the plan's; only if `cells` has 32 bits */
    size_t done, rounds; /* number of walks before this one, and in total */
};

/* Runs the walk. The cells, [n!] by rank, belong to the caller. SB_NO_MEMORY; SB_STOPPED. */
enum sb_status sb_convolve_walk_run(const struct sb_convolve_walk *walk, void **cells);

/* The number of bytes that a walk takes, rounded up slightly. */
double sb_convolve_walk_bytes(const struct sb_convolve_plan *plan, const struct sb_convolve_cells *cells);

/* Adds up the permutations that begin with the same deal, in place: cells[0..deals-1]. */
void sb_convolve_deals_count(const struct sb_convolve_plan *plan, uint64_t cells[]);
void sb_convolve_deals_share(const struct sb_convolve_plan *plan, double cells[]);

/*
 * Counts of any size: one walk modulo each of several primes, combined by the Chinese remainder theorem. Sets
 * the wide counts of the evidence. SB_NO_MEMORY; SB_STOPPED; SB_BROKEN.
 */
enum sb_status sb_convolve_residues(const struct sb_law *law, const struct sb_convolve_plan *plan,
                                    struct sb_evidence *evidence);

#endif
