/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps at one lag to 64 permutations that lie side by side, for up to 64 items. */
#ifndef SB_TALLY_LAG_STEPS_H
#define SB_TALLY_LAG_STEPS_H

#include "statistic/rows/rows.h"

/* [item][t]: the position of each item in the last 64 permutations and then in the current 64. */
typedef uint8_t sb_lag_places[2 * SB_ROWS_DEALS];

/* For each of the current 64 permutations, finds the number of fixed points and the displacement of the step from the
 * permutation `lag` earlier, 1 <= lag <= 64, of n items. */
typedef void sb_lag_steps(const sb_lag_places place[], size_t n, size_t lag, uint16_t fixed[SB_ROWS_DEALS],
                          uint16_t displacement[SB_ROWS_DEALS]);

/* The function for each instruction set. tally/lag_steps_wide.c is compiled once for each. */
sb_lag_steps sb_lag_steps_plain;
#if defined __x86_64__ || defined __i386__
sb_lag_steps sb_lag_steps_avx2, sb_lag_steps_avx512;
#endif

/* Returns function `index` of those that this machine can run; function 0 is the fastest. NULL if `index` is
 * beyond the last. */
sb_lag_steps *sb_lag_steps_get(size_t index);

#endif
