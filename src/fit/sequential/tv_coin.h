/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests whether a coin shows heads with a given probability or more. Heads are the deals in a set of
 * cells. */
#ifndef SB_FIT_SEQUENTIAL_TV_COIN_H
#define SB_FIT_SEQUENTIAL_TV_COIN_H

#include "core/tally.h"

/* The number of steps. A step is a value of theta - v (see tv_coin.c). The smallest step is 2^-20, so no
 * bound falls below about 2^-21: SB_TV_HIGH_LEAST of tv_high.h. */
enum { SB_TV_COIN_STEPS = 29 };

/* What the tests of all coins have in common. For E, L_v, theta and v, see tv_coin.c. */
struct sb_tv_coin {
    double step[SB_TV_COIN_STEPS]; /* the values of theta - v, in descending order */
    double ln_level;               /* ln(SB_TV_COIN_STEPS/delta), which ln of the sum of the L_v must reach */
    double share;                  /* the factor of each count: 1/2 if tally->lag is not 0, else 1 */
    double total;                  /* number of deals, times `share` */
};

/* A set of cells, or a point between two sets. `count` is the number of deals in the set, times `share`. `q`
 * is the probability of the set under the null law. */
struct sb_tv_set {
    double count, q;
};

/* Prepares the tests for a tally at the level delta = e^-ln_level. If tally->lag is not 0, the tests use half
 * of each count, and delta/2. */
void sb_tv_coin_open(const struct sb_tally *tally, double ln_level, struct sb_tv_coin *coin);

/* Whether the set is settled for `bound`, which means that E of the set at theta = q + bound reaches
 * 1/delta. */
bool sb_tv_coin_settles(const struct sb_tv_coin *coin, struct sb_tv_set set, double bound);

/* Whether every point between two sets is known to be settled for `bound`. The function compares a lower
 * limit of E over all these points with 1/delta. */
bool sb_tv_coin_settles_part(const struct sb_tv_coin *coin, struct sb_tv_set one, struct sb_tv_set other,
                             double bound);

/* Does the same with only the best term of E: compares a lower limit of this term with e^margin/delta. This
 * is faster than sb_tv_coin_settles_part() if the answer is no. */
bool sb_tv_coin_settles_soon(const struct sb_tv_coin *coin, struct sb_tv_set one, struct sb_tv_set other,
                             double bound, double margin);

/* Returns a value above `bound` at which E of the set has reached 1/delta: the least such value, up to rounding. At
 * `bound` itself, E must be below 1/delta. */
double sb_tv_coin_raise(const struct sb_tv_coin *coin, struct sb_tv_set set, double bound);

#endif
