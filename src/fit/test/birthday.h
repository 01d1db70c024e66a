/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Repeated decks: evidence that there are fewer different decks than there should be. */
#ifndef SB_FIT_TEST_BIRTHDAY_H
#define SB_FIT_TEST_BIRTHDAY_H

#include <stdbool.h>
#include <stdint.h>

enum { SB_BIRTHDAY_ALTERNATIVES = 4 };

/* The state of the test after some decks. */
struct sb_birthday {
    double
        /* ln of the probability that a fair shuffle's deck equals one given other deck; below -log(2^48) */
        ln_pair;
    double ln_part; /* ln of the share of all decks that is compared; 0: all decks are compared */
    uint64_t decks, repeats;
    double pairs; /* number of compared pairs, N(N-1)/2; 0 if only a part of the decks is compared */
    double ln_e[SB_BIRTHDAY_ALTERNATIVES];
};

/* Adds a deck that was compared with `known` different decks; `again`: it equals one of these. */
void sb_birthday_step(struct sb_birthday *birthday, uint64_t known, bool again);

/* ln E of the average over the alternatives. Under a fair shuffle, E ever reaches 1/alpha with probability
 * at most alpha. 0 at the start. */
double sb_birthday_ln_e(const struct sb_birthday *birthday);

/*
 * A lower bound of the number of equally likely decks, which holds with probability 1 - delta at any time
 * before the first repeat: independent draws from m decks show no repeat in `pairs` pairs with probability
 * at most exp(-pairs/m). 0 after a repeat.
 */
double sb_birthday_seeds_low(const struct sb_birthday *birthday, double delta);

/* How many decks it takes until that bound is `seeds`, if at most `kept` decks are kept for comparison. */
double sb_birthday_decks_needed(double seeds, double delta, double kept);

/* An upper bound of the average number of repeats of a fair shuffle: the number of pairs, N(N-1)/2, times
 * exp(ln_pair). */
double sb_birthday_expected(uint64_t decks, double ln_pair);

/* ln of an upper bound of the probability that a fair shuffle has this many repeats or more. The bound is
 * close as long as N^2 is small relative to D^(3/2), where D is the number of all decks. */
double sb_birthday_ln_p(const struct sb_birthday *birthday);

/* Garwood's interval at level 1 - alpha for the mean of a Poisson count. */
void sb_birthday_interval(uint64_t repeats, double alpha, double *low, double *high);

#endif
