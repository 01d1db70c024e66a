/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tails of laws, for p-values of a single observation. Each function returns ln p of both sides together: twice the
 * probability of a value at least as far from the mean on the same side, at most 1. So p is small with at most its
 * probability.
 */
#ifndef SB_FIT_NUMERIC_TAILS_H
#define SB_FIT_NUMERIC_TAILS_H

#include <stddef.h>

/* Poisson's law with mean 1. */
double sb_tails_poisson(size_t value);

/* The number of wanted items among `width` positions, if `width` of n items are wanted; 2 width <= n. */
double sb_tails_hypergeometric(size_t n, size_t width, size_t value);

/* The cells of a law, ln_p[cells], in the order of their values, of which `cell` was observed. */
double sb_tails_cells(const double ln_p[], size_t cells, size_t cell);

/*
 * An upper bound for any strictly sub-Gaussian law, whose ln E exp(s (X - mean)) is at most s^2 variance/2: a sum of
 * independent uniform numbers, continuous or from 0 to m - 1. z is the distance from the mean in standard deviations.
 */
double sb_tails_subgaussian(double z);

/* The same from above, by Chernoff's bound, for a sum of independent bits with this mean: the value is above it. */
double sb_tails_bits_above(double mean, double value);

#endif
