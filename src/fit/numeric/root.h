/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The zero of a rising function, by bisection with secants in between. */
#ifndef SB_FIT_NUMERIC_ROOT_H
#define SB_FIT_NUMERIC_ROOT_H

/* A function that rises with t; it may be infinite. */
typedef double sb_rising(const void *state, double t);

/*
 * The t in low..high at which f passes 0; that f(low) <= 0 <= f(high) is up to the caller. Ends at a step of
 * at most tolerance * (1 + |t|), which is several times what is still missing.
 */
double sb_root_find(sb_rising *f, const void *state, double low, double high, double tolerance);

#endif
