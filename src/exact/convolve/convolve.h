/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact law of a shuffle made of swaps. The shuffle is a random walk on the n! permutations, and each
 * step computes
 *
 *   new[a] = stay * old[a] + sum over pairs of positions x, y of weight(x, y) * old[a with x and y exchanged]
 *
 * So n steps, each with a few additions for each of n! cells, replace n^n series of draws.
 *
 * Here `stay` is the weight of no exchange. Counts are integers. Their denominator is the product of the
 * total weights of all steps. If the sum of 32-bit or 64-bit counts is correct, this proves that no count
 * overflowed, however large the denominator is. Then these counts are used. Otherwise the law of up to 9
 * items has integers of any size, and the law of more items has doubles with a stated error.
 */
#ifndef SB_EXACT_CONVOLVE_CONVOLVE_H
#define SB_EXACT_CONVOLVE_CONVOLVE_H

#include "exact/law.h"

enum { SB_CONVOLVE_ITEMS_MOST = 12 }; /* the largest n: two arrays of 12! counts of 32 bits take 3.6 GiB */

/*
 * Computes the law as exact evidence, which the caller closes. SB_INVALID: the shuffle is not made of swaps.
 * SB_TOO_LARGE: n is too large for this engine. SB_NO_MEMORY: the error says how much memory the law takes.
 * SB_STOPPED.
 */
enum sb_status sb_convolve_law(const struct sb_law *law, struct sb_error *error,
                               struct sb_evidence *evidence);

#endif
