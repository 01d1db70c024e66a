/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The confidence interval of an effect, from the counts on, by the definitions in fit/spread.c and in the
 * tests' files. */
#ifndef CERTIFIED_EXACT_SPREAD_H
#define CERTIFIED_EXACT_SPREAD_H

#include "certified/exact_e.h"

#include "core/evidence.h"

enum { SPREAD_BITS = 640 };

/* The fields of struct sb_spread. */
struct exact_spread {
    arb_t effect, noise, trace, slope, curve;
};

void exact_spread_init(struct exact_spread *spread);
void exact_spread_clear(struct exact_spread *spread);

/* Replaces a negative x by 0. */
void exact_not_below_0(arb_t x);

/* Divides x by N (N-1) .. (N-k+1), where N is the number of deals. */
void exact_per_tuple(arb_t x, ulong k);

/* The spread of Pearson's statistic over the counts of a member of the present tally. */
void exact_spread_cells(const uint64_t count[], struct exact_spread *spread);

/* The spread of G = 2 sum c ln(c/(q t)) over the present tally of one member, where `g` is G. */
void exact_spread_g(const arb_t g, struct exact_spread *spread);

/* The spread of a matrix of n items by n positions, if only the matrix is known: the rows are the members of the
 * present tally, and `value` is the test statistic. */
void exact_spread_matrix(const arb_t value, struct exact_spread *spread);

/* Replaces trace, slope and curve by those of counts by rank; n is at most 5. */
void exact_spread_ranks(const uint64_t by_rank[], struct exact_spread *spread);

/* Checks the effect of a finding about the present tally, and the ends of its interval at 1 - level, against three
 * claims. Errors count as shares of the upper end. An end that is nearly 0 is not checked. Returns whether the ends are
 * in closed form, which approximates the noncentral law. */
bool certify_interval(struct claim claim[3], const struct sb_finding *finding, const struct exact_spread *spread,
                      double level);

#endif
