/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A condition that counts must meet if the e-value is large (fit/sequential/e_process.h). The check needs no
 * logarithm for each count. */
#ifndef SB_FIT_SEQUENTIAL_E_BOUND_H
#define SB_FIT_SEQUENTIAL_E_BOUND_H

#include "core/tally.h"

/* A cell of a null law. */
struct sb_e_cell {
    double p, inverse; /* the probability of the cell, and 1/p */
};

/* Computes the cells of a tally's null law, cell[tally->cells]. Returns how many of them have a probability above
 * 1e-100. */
size_t sb_e_bound_cells(const struct sb_tally *tally, struct sb_e_cell cell[]);

/* The sums S and D of e_bound.c. */
struct sb_e_bound {
    double sum;   /* S */
    double empty; /* D, which counts empty cells, and in part those with too few deals */
};

/* The sums for the counts now[i] - then[i] of one member, from `total` deals; total > 0. */
struct sb_e_bound sb_e_bound_of(const struct sb_e_cell cell[], size_t cells, const uint64_t now[],
                                const uint64_t then[], uint64_t total);

/* An upper bound on ln E. `possible` is the result of sb_e_bound_cells(). Rounding may make it too small by 1e-14 of
 * the sum. */
double sb_e_bound_ln_e(const struct sb_e_bound *bound, size_t possible);

#endif
