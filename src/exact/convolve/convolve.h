/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact law of a shuffle made of swaps, as a random walk on the n! permutations, step by step:
 *
 *   new[a] = stay * old[a] + sum over pairs of positions x, y of weight(x, y) * old[a with x and y exchanged]
 *
 * So n steps of n! cells, with a few additions each, replace n^n series of draws.
 *
 * Counts are integers over the product of the steps' sums. They have 32 or 64 bits if their sum is correct,
 * which proves that none overflowed, however large the denominator is. Otherwise they are exact up to 9
 * items, and doubles with a stated error above.
 */
#ifndef SB_EXACT_CONVOLVE_CONVOLVE_H
#define SB_EXACT_CONVOLVE_CONVOLVE_H

#include "exact/law.h"

enum { SB_CONVOLVE_ITEMS_MOST = 12 };

/*
 * Computes the law as exact evidence, which the caller closes. SB_INVALID: the shuffle is not made of swaps;
 * SB_TOO_LARGE: n is too large for the engine or for the machine's memory; SB_NO_MEMORY; SB_STOPPED.
 */
enum sb_status sb_convolve_law(const struct sb_law *law, struct sb_error *error,
                               struct sb_evidence *evidence);

#endif
