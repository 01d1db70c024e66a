/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bettor that learns: predicts each card of each permutation from what came before, and multiplies its
 * wealth by (predicted probability) x (number of cards left). Under a fair shuffle that starts afresh each
 * time, no prediction gains on average, so the wealth is an e-process.
 */
#ifndef SB_TALLY_BETTOR_H
#define SB_TALLY_BETTOR_H

#include "core/permutation.h"
#include "core/tally.h"
#include "shufflebias.h"

enum {
    SB_BETTOR_LEAST = 6,     /* the fewest items for which it is worth its cost */
    SB_BETTOR_MOST = 128,    /* the most items */
    SB_BETTOR_DECKS = 65535, /* the most decks that it learns from */
    SB_BETTOR_ROUND = 65536, /* decks in a round: it learns from all but the last */
    SB_BETTOR_LAGS = 5,      /* decks that it looks back */
    SB_BETTOR_CONTEXTS = 12,
    SB_BETTOR_PSEUDO = 3, /* pseudo-counts of each context */
    SB_BETTOR_WEALTHS = SB_BETTOR_CONTEXTS * SB_BETTOR_PSEUDO,
};

/* What the bettor has won so far. Wealth i, of context i / SB_BETTOR_PSEUDO, is part[i] * 2^power[i]. */
struct sb_bettor_wealth {
    uint64_t decks;                 /* permutations bet on */
    double part[SB_BETTOR_WEALTHS]; /* in [0.5, 1) */
    int64_t power[SB_BETTOR_WEALTHS];
    uint64_t round; /* from 1: the round that these wealths are of; 0: there are no rounds */
    double ln_won;  /* ln of what the earlier rounds have won, by their shares; 0 in round 1 */
};

struct sb_bettor;

/* The name of its tallies. It is not a function of one permutation, so the registry does not list it. */
extern const char sb_bettor_name[];

/* Makes a bettor for permutations of 2 to SB_BETTOR_MOST items, whose wealths are all 1. The caller frees
 * it; freeing NULL is allowed. SB_NO_MEMORY. */
enum sb_status sb_bettor_new(size_t n, struct sb_bettor **bettor);

/* Lets a new bettor bet in rounds (tally/bettor_wealth.h), without an end. */
void sb_bettor_begin_rounds(struct sb_bettor *bettor);
void sb_bettor_free(struct sb_bettor *bettor);

/* Bets on valid permutations, items[count * n], and learns from them, up to SB_BETTOR_DECKS altogether, or in each
 * round; ignores later ones. */
void sb_bettor_add(struct sb_bettor *bettor, const sb_item items[], size_t count);

/* Learns from permutations without betting on them. */
void sb_bettor_learn(struct sb_bettor *bettor, const sb_item items[], size_t count);

/* Its tally, without cells: ln E is that of the average wealth, or of all rounds; the bets are the wealths, and the
 * context is the one that earned most. Valid until the next permutations are added. */
struct sb_tally sb_bettor_read(struct sb_bettor *bettor);

/* The wealths; borrowed. */
const struct sb_bettor_wealth *sb_bettor_wealth(const struct sb_bettor *bettor);
/* Sets the wealths of a bettor that continues. It keeps what it has learnt. */
void sb_bettor_resume(struct sb_bettor *bettor, const struct sb_bettor_wealth *wealth);

#endif
