/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A necessary condition on counts for a large e-value (fit/sequential/e_process.h), which needs no
 * logarithm per count. */
#ifndef SB_FIT_SEQUENTIAL_E_BOUND_H
#define SB_FIT_SEQUENTIAL_E_BOUND_H

#include "core/tally.h"

/* A cell of a null law. */
struct sb_e_cell {
    double p, inverse; /* its probability, and 1/p */
};

/* Computes the cells of a tally's null law, cell[tally->cells]; returns how many can occur. */
size_t sb_e_bound_cells(const struct sb_tally *tally, struct sb_e_cell cell[]);

/* The sum S of one member's counts, now[i] - then[i], of `total` deals, total > 0. */
double sb_e_bound_sum(const struct sb_e_cell cell[], size_t cells, const uint64_t now[],
                      const uint64_t then[], uint64_t total);

/* An upper bound of S that is faster to compute: sum x^2/(q t), since no count is negative. */
double sb_e_bound_square(const struct sb_e_cell cell[], size_t cells, const uint64_t now[],
                         const uint64_t then[], uint64_t total);

/* The least S that allows this ln E with `cells` possible cells; 0 if ln_e <= 1. */
double sb_e_bound_least(size_t cells, double ln_e);

#endif
