/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lower bound on total variation that holds at all times together, however often one looks. */
#ifndef SB_FIT_SEQUENTIAL_TV_LOW_H
#define SB_FIT_SEQUENTIAL_TV_LOW_H

#include "fit/sequential/e_process.h"
#include "shufflebias.h"

/*
 * Lower bounds on the total variation between the law behind each member's counts and its null law,
 * low[tally->members], from the members' e-values. The probability that low[i] is ever above the truth is
 * at most e^-ln_level; ln_level > 0. A bound is 0 before anything was tallied, and once a cell that cannot
 * occur was counted.
 *
 * Where tally->lag is not 0, the counts are of steps X[t]^-1 X[t+lag] between independent permutations of
 * one law. Steps that share a permutation depend on each other then, unless the law is fair; the bounds
 * allow for that. SB_NO_MEMORY.
 */
enum sb_status sb_tv_low(const struct sb_tally *tally, const struct sb_e_value e[], double ln_level,
                         double low[]);

#endif
