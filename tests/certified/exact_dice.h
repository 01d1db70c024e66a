/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rolls of a die, what a detector sees of them, and the true sum over its levels. */
#ifndef CERTIFIED_EXACT_DICE_H
#define CERTIFIED_EXACT_DICE_H

#include "certified/exact_e.h"

#include "fit/fit.h"

/* What a detector follows. */
enum { USE_SIDES = 1, USE_LAW = 2, USE_REPEATS = 4, USE_BETS = 8, USE_ALL = 15 };
enum { SIDES = 3, ROLLS = 4096, STATISTICS = 4, BETS = 2, ROUND = 64 };

/*
 * What is tallied of a die: its sides; whether it was the first, and the second; its rolls as decks of cards, of which
 * some come again; and bets that come in rounds, and multiply their wealth by a fraction after each roll.
 */
struct dice {
    uint64_t total, side[SIDES], is[4];
    struct sb_birthday birthday;
    double wealth[BETS];
    arb_struct repeat[SB_BIRTHDAY_ALTERNATIVES], bet[BETS]; /* the true likelihood ratios */
};

/* The dice after each number of rolls. */
extern struct dice dice_at[ROLLS + 1];

/* Begins with no rolls. The second statistic's law is off by `error`, as far as a detector knows: laws may be off by
 * 1e-11 (fit/e_process.c). */
void dice_begin(double error);

/* Adds roll t. The first side comes up with the probability `first`. */
void dice_roll(uint64_t t, double first, uint64_t *seed);

void dice_clear(void);

/* Fills in the tallies of the statistics in `use`, and their weights. Returns the number of tallies. */
size_t dice_tally(uint64_t t, unsigned use, double ln_bet[BETS], double weight[], struct sb_tally tally[STATISTICS]);

/* ln of the sum of 2^k/L E_k over the levels that are due after t rolls, if the last look was after `before` rolls: the
 * definition in fit/detector.c. */
void exact_ln_sum(unsigned use, uint64_t t, uint64_t before, arb_t sum);

#endif
