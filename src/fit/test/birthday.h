/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole decks that come up again: evidence that there are fewer of them than there should be. */
#ifndef SB_FIT_TEST_BIRTHDAY_H
#define SB_FIT_TEST_BIRTHDAY_H

#include <stdbool.h>
#include <stdint.h>

enum { SB_BIRTHDAY_ALTERNATIVES = 4 };

/* The test, after some decks. */
struct sb_birthday {
    double
        ln_pair; /* ln of the probability that a fair shuffle's deck is one given other; below -log(2^48) */
    double ln_part; /* where only decks of a part of them all are compared, ln of its share; else 0 */
    uint64_t decks, repeats;
    double pairs; /* of decks that were compared, all with all: N(N-1)/2; 0 where only a part is */
    double ln_e[SB_BIRTHDAY_ALTERNATIVES];
};

/* One more deck; `known` different ones were there to compare it with, and it was `again` one of these. */
void sb_birthday_step(struct sb_birthday *birthday, uint64_t known, bool again);

/* Of the average of the alternatives: under a fair shuffle E ever reaches 1/alpha with probability alpha at
 * most. 0 at first. */
double sb_birthday_ln_e(const struct sb_birthday *birthday);

/*
 * Independent draws from m decks show no repeat in so many pairs with probability exp(-pairs/m) at most; so
 * with probability 1 - delta there are no fewer decks than this, at any time before the first repeat. 0
 * from then on.
 */
double sb_birthday_seeds_low(const struct sb_birthday *birthday, double delta);

/* How many decks it takes for that to be `seeds`, of which no more than `kept` are kept for comparison. */
double sb_birthday_decks_needed(double seeds, double delta, double kept);

/* How many repeats a fair shuffle has among so many decks, on average and at most: the pairs, N(N-1)/2, times
 * exp(ln_pair). */
double sb_birthday_expected(uint64_t decks, double ln_pair);

/* ln of the probability, at most, that a fair shuffle has so many repeats or more among so many decks. Near
 * it while N^2 is small beside D^(3/2), D the number of all decks. */
double sb_birthday_ln_p(const struct sb_birthday *birthday);

/* Garwood's interval at level 1 - alpha for the mean of a Poisson count. */
void sb_birthday_interval(uint64_t repeats, double alpha, double *low, double *high);

#endif
