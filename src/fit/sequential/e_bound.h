/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What counts have to show before their e-value (fit/sequential/e_process.h) can be as large as is asked,
 * without a logarithm for each of them. */
#ifndef SB_FIT_SEQUENTIAL_E_BOUND_H
#define SB_FIT_SEQUENTIAL_E_BOUND_H

#include "core/tally.h"

/* A cell of a null law. */
struct sb_e_cell {
    double p, inverse; /* its probability, and 1/p */
};

/* The cells of the law behind a tally, cell[tally->cells]; how many of them can occur. */
size_t sb_e_bound_cells(const struct sb_tally *tally, struct sb_e_cell cell[]);

/* What the counts of one member show, now[i] - then[i] of `total` deals, total > 0. */
double sb_e_bound_sum(const struct sb_e_cell cell[], size_t cells, const uint64_t now[],
                      const uint64_t then[], uint64_t total);

/* At least as much, sooner: sum x^2/(q t), since no count is below 0. */
double sb_e_bound_square(const struct sb_e_cell cell[], size_t cells, const uint64_t now[],
                         const uint64_t then[], uint64_t total);

/* What they show at least where ln E is that, over so many cells that can occur; 0 where ln_e <= 1. */
double sb_e_bound_least(size_t cells, double ln_e);

#endif
