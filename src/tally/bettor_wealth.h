/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wealths of a bettor: their average, and what it wins in a stream without an end, in rounds of
 * SB_BETTOR_ROUND decks. */
#ifndef SB_TALLY_BETTOR_WEALTH_H
#define SB_TALLY_BETTOR_WEALTH_H

#include "tally/bettor.h"

/* Sets all wealths of a round to 1. */
void sb_bettor_stakes(struct sb_bettor_wealth *wealth);

/* ln of the average wealth; ln_wealth[SB_BETTOR_WEALTHS] of each, and which is the largest. */
double sb_bettor_average(const struct sb_bettor_wealth *wealth, double ln_wealth[], size_t *best);

/* How many more decks the current round takes; 0: it is complete. UINT64_MAX without rounds. */
uint64_t sb_bettor_round_left(const struct sb_bettor_wealth *wealth);

/* Starts the next round after one that won ln_e. */
void sb_bettor_round_next(double ln_e, struct sb_bettor_wealth *wealth);

/* ln E of all rounds, where the current one has won ln_e so far. */
double sb_bettor_rounds_ln_e(const struct sb_bettor_wealth *wealth, double ln_e);

#endif
