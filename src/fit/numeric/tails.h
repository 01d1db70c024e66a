/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tails of laws, for p-values of a single observation. Each function returns ln p for both sides together. p
 * is twice the probability of a value at least as far out on the same side, but at most 1. So P(p <= x) <= x
 * for every x. The error of ln p is at most 1e-14 of its value, and 1e-12 more, if a function does not state
 * another error.
 */
#ifndef SB_FIT_NUMERIC_TAILS_H
#define SB_FIT_NUMERIC_TAILS_H

#include <stddef.h>

/* Poisson's law with mean 1. */
double sb_tails_poisson(size_t value);

/* The law of how many of `width` given items are at `width` given positions, in a random order of n items. 2
 * width <= n. For n up to 10^6, the error of ln p is at most 1e-14 of its value, and 1e-8 more, because ln of
 * a factorial has up to eight digits before the point. */
double sb_tails_hypergeometric(size_t n, size_t width, size_t value);

/* A law on `cells` values in ascending order: ln_p[i] is ln of the probability of value i. `cell` is the
 * index of the observed value. Tails may be far below the smallest double. */
double sb_tails_cells(const double ln_p[], size_t cells, size_t cell);

/*
 * An upper bound on p for any strictly sub-Gaussian law, that is, a law for which ln E exp(s (X - mean)) is
 * at most s^2 variance/2. Sums of independent uniform numbers have such a law; the numbers may be continuous,
 * or integers from 0 to m - 1. z is the distance from the mean in standard deviations.
 */
double sb_tails_subgaussian(double z);

/* An upper bound on p for a sum of independent bits with this mean, by Chernoff's bound. `value` must be
 * above the mean. */
double sb_tails_bits_above(double mean, double value);

#endif
