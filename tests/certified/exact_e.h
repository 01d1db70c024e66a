/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random tallies of one member, and their e-values, enclosed. */
#ifndef CERTIFIED_EXACT_E_H
#define CERTIFIED_EXACT_E_H

#include "certified/certify.h"

#include "core/evidence.h"

enum { CELLS_MOST = 5040 };

/* The present tally, with its counts and its law. */
extern struct sb_tally drawn;
extern uint64_t drawn_count[CELLS_MOST];
extern double drawn_ln_p[CELLS_MOST];

/* Begins a tally with a random law: all cells equally likely, or probabilities of up to seven powers of ten.
 * */
void random_law(uint64_t *seed, size_t cells, bool even);

/* Begins a tally with the law drawn_ln_p[0..cells-1]. */
void given_law(size_t cells);

/* Sets ln_p[] to the drawn law, where each number is off by `error` at random. */
void law_off(uint64_t *seed, double error, double ln_p[]);

/* Draws about `total` deals of a law whose cells differ from the null law by random factors of up to 1 +
 * bias. Counts have a spread as in a sample. */
void random_counts(uint64_t *seed, double total, double bias);

/* The probability of a cell: its share of the sum of exp(ln_p), which rounding makes differ from 1. */
void exact_probability(size_t cell, slong bits, arb_t p);

/* ln of the average of E_g over the concentrations 10^5 K, 10^4 K, ..., K and, with more than six cells,
 * K/10, for counts times `part`. */
void exact_ln_e(double part, slong bits, arb_t ln_e);

/* The sum of c ln(c/(q t)). */
void exact_ln_best(slong bits, arb_t best);

/* Multiplies the likelihood ratio against m decks by that of a step after d >= 1 different decks, q/p for a repeat and
 * (1-q)/(1-p) otherwise; or, if m < 1, against this share of copies. `each` is 1/D, and m >= 1 a power of two. */
void exact_repeat(double m, const arb_t each, double d, bool again, arb_t ratio);

/* The sum of (O - E)^2/E over the counts of a member. */
void exact_pearson(const uint64_t counts[], slong bits, arb_t sum);

#endif
