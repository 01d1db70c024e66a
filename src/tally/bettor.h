/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bettor that learns. The bettor predicts each card of each permutation from what came before. After each
 * card, the bettor's wealth is multiplied by (predicted probability of the card) x (number of cards that were
 * left). If the shuffle is fair and starts afresh each time, no prediction gains on average, so the wealth is
 * an e-process.
 */
#ifndef SB_TALLY_BETTOR_H
#define SB_TALLY_BETTOR_H

#include "core/calls.h"
#include "core/permutation.h"
#include "core/tally.h"

enum {
    SB_BETTOR_LEAST = 6,  /* the fewest items for which a bettor is worth its cost */
    SB_BETTOR_MOST = 128, /* the most items */
    /* the most decks that a bettor learns from; if it bets in rounds, the most in each round */
    SB_BETTOR_DECKS = 65535,
    /* number of decks in a round; a bettor learns from all decks of a round but the last */
    SB_BETTOR_ROUND = 65536,
    SB_BETTOR_CONTEXTS = 12,
    SB_BETTOR_PSEUDO = 3, /* number of pseudo-counts of each context */
    SB_BETTOR_WEALTHS = SB_BETTOR_CONTEXTS * SB_BETTOR_PSEUDO,
};

/* The bettor's wealths so far, one for each context and pseudo-count. Wealth i equals part[i] * 2^power[i].
 * Its context has the index i / SB_BETTOR_PSEUDO. */
struct sb_bettor_wealth {
    uint64_t decks;                 /* number of permutations on which the bettor has bet */
    double part[SB_BETTOR_WEALTHS]; /* in [0.5, 1) */
    int64_t power[SB_BETTOR_WEALTHS];
    uint64_t round; /* index of the current round, from 1; 0: there are no rounds */
    /* ln of the sum, over all earlier rounds, of share times final wealth; not used in round 1 */
    double ln_won;
};

struct sb_bettor;

/* The statistic's name in the bettor's tally. The registry does not list this name, because a bettor is not a
 * function of one permutation. */
extern const char sb_bettor_name[];

/* Whether `context`, which may be NULL, is what a bettor bases its bets on, and concerns single decks: the place in the
 * deck, or the previous cards. */
bool sb_bettor_single(const char *context);
/* The same for the last deck. */
bool sb_bettor_last(const char *context);

/* Makes a bettor for permutations of 2 to SB_BETTOR_MOST items. All wealths start at 1. The caller frees the
 * bettor; freeing NULL is allowed. SB_NO_MEMORY. */
enum sb_status sb_bettor_new(size_t n, struct sb_bettor **bettor);

/* Makes a new bettor bet in an unlimited number of rounds (tally/bettor_wealth.h). */
void sb_bettor_begin_rounds(struct sb_bettor *bettor);
void sb_bettor_free(struct sb_bettor *bettor);

/* Bets on valid permutations, items[count * n], and learns from them. Without rounds, ignores all
 * permutations after the first SB_BETTOR_DECKS. */
void sb_bettor_add(struct sb_bettor *bettor, const sb_item items[], size_t count);

/* Learns from permutations without betting on them. */
void sb_bettor_learn(struct sb_bettor *bettor, const sb_item items[], size_t count);

/* The bettor's tally, which has no cells. E of the tally is the average wealth or, if the bettor bets in
 * rounds, E of all rounds together. The bets of the tally are the wealths, and its context is that of the
 * largest wealth. The tally is valid until the next permutations are added. */
struct sb_tally sb_bettor_read(struct sb_bettor *bettor);

/* The wealths; borrowed. */
const struct sb_bettor_wealth *sb_bettor_wealth(const struct sb_bettor *bettor);
/* Sets the wealths of a bettor that resumes. The bettor keeps what it has learnt. */
void sb_bettor_resume(struct sb_bettor *bettor, const struct sb_bettor_wealth *wealth);

#endif
