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

/* Computes the cells of a tally's null law, cell[tally->cells]. Returns how many of them can occur. */
size_t sb_e_bound_cells(const struct sb_tally *tally, struct sb_e_cell cell[]);

/* The sum S (see e_bound.c) for the counts now[i] - then[i] of one member, from `total` deals; total > 0. */
double sb_e_bound_sum(const struct sb_e_cell cell[], size_t cells, const uint64_t now[],
                      const uint64_t then[], uint64_t total);

/* An upper bound on S that is faster to compute: sum x^2/(q t), with the x, q and t of e_bound.c. It is a
 * bound because no count is negative. */
double sb_e_bound_square(const struct sb_e_cell cell[], size_t cells, const uint64_t now[],
                         const uint64_t then[], uint64_t total);

/* The least S that allows this ln E with `cells` possible cells; 0 if ln_e <= 1. */
double sb_e_bound_least(size_t cells, double ln_e);

#endif
