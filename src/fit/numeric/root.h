/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The zero of a rising function, by secants and bisection. */
#ifndef SB_FIT_NUMERIC_ROOT_H
#define SB_FIT_NUMERIC_ROOT_H

/* A function that rises with t. Its values may be infinite. */
typedef double sb_rising(const void *state, double t);

/*
 * Returns the t in low..high at which f crosses 0. f(low) <= 0 <= f(high) is required. The search ends after
 * a step of at most tolerance * (1 + |t|). The remaining error is several times smaller than this step. If
 * f(low) and f(high) are finite, their ratio must be far below 1/tolerance. Otherwise the first secants move
 * less than the tolerance, far from the root.
 */
double sb_root_find(sb_rising *f, const void *state, double low, double high, double tolerance);

#endif
