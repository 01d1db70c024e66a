/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wealths of a bettor: their average, and E of all rounds together. In a stream without an end, a bettor
 * bets in rounds of SB_BETTOR_ROUND decks. */
#ifndef SB_TALLY_BETTOR_WEALTH_H
#define SB_TALLY_BETTOR_WEALTH_H

#include "tally/bettor.h"

/* Sets all wealths of a round to 1. */
void sb_bettor_stakes(struct sb_bettor_wealth *wealth);

/* Returns ln of the average wealth. Fills in ln_wealth[SB_BETTOR_WEALTHS], and sets *best to the index of the
 * largest wealth. */
double sb_bettor_average(const struct sb_bettor_wealth *wealth, double ln_wealth[], size_t *best);

/* How many more decks the current round takes; 0 if the round is complete, UINT64_MAX without rounds. */
uint64_t sb_bettor_round_left(const struct sb_bettor_wealth *wealth);

/* Starts the next round. `ln_e` is ln of the average wealth at the end of the current round. */
void sb_bettor_round_next(double ln_e, struct sb_bettor_wealth *wealth);

/* Upper bounds on rounding errors: what a deck of n items adds to the error of ln of each wealth; and that of
 * ln_e, ln E of a bettor on n items. */
double sb_bettor_deck_error(size_t n);
double sb_bettor_error(const struct sb_bettor_wealth *wealth, size_t n, double ln_e);

/* ln E of all rounds together. `ln_e` is ln of the average wealth in the current round. */
double sb_bettor_rounds_ln_e(const struct sb_bettor_wealth *wealth, double ln_e);

#endif
