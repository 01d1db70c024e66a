/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks from the identity to the exact law, with one type of cell, and turns the cells of permutations into
 * counts of deals. */
#ifndef SB_EXACT_CONVOLVE_CONVOLVE_WALK_H
#define SB_EXACT_CONVOLVE_CONVOLVE_WALK_H

#include "exact/convolve/convolve_cells.h"

/* A walk to do. `done` and `rounds` are for reporting the progress of several walks. */
struct sb_convolve_walk {
    const struct sb_law *law;
    const struct sb_convolve_plan *plan;
    const struct sb_convolve_cells *cells;
    uint64_t modulus;    /* modulus of the counts; 0: the modulus of the cell type, such as 2^32 */
    size_t narrow;       /* number of steps to do in 16 bits, below plan->count; only if cells have 32 bits */
    size_t done, rounds; /* number of walks before this one, and number of all walks */
};

/* Runs the walk. Sets *cells to the result, [n!] by rank, which the caller frees. SB_NO_MEMORY;
 * SB_STOPPED. */
enum sb_status sb_convolve_walk_run(const struct sb_convolve_walk *walk, void **cells);

/* Returns the number of bytes that a walk takes, rounded up slightly. */
double sb_convolve_walk_bytes(const struct sb_convolve_plan *plan, const struct sb_convolve_cells *cells);

/* For each deal, adds up the cells of the permutations that begin with this deal. The sums replace
 * cells[0..deals-1]. The first function is for counts, and the second for probabilities. */
void sb_convolve_deals_count(const struct sb_convolve_plan *plan, uint64_t cells[]);
void sb_convolve_deals_share(const struct sb_convolve_plan *plan, double cells[]);

/*
 * Computes counts of any size: does a walk modulo each of several primes, and combines the results by the
 * Chinese remainder theorem. Sets the counts of the evidence, as GMP integers. SB_NO_MEMORY; SB_STOPPED;
 * SB_BROKEN.
 */
enum sb_status sb_convolve_residues(const struct sb_law *law, const struct sb_convolve_plan *plan,
                                    struct sb_evidence *evidence);

#endif
