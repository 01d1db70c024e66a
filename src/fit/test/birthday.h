/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The test of repeated decks. Repeats are evidence that a shuffle has fewer distinct decks than it should
 * have. */
#ifndef SB_FIT_TEST_BIRTHDAY_H
#define SB_FIT_TEST_BIRTHDAY_H

#include <stdbool.h>
#include <stdint.h>

enum { SB_BIRTHDAY_ALTERNATIVES = 4 };

/* The state of the test after the decks so far. */
struct sb_birthday {
    double ln_pair; /* ln of the probability that a deck of a fair shuffle equals a given other deck */
    double ln_part; /* ln of the share of possible decks that are compared; 0 if all decks are compared */
    uint64_t decks, repeats;
    double pairs; /* number of compared pairs of decks; 0 if only a part of the decks is compared */
    double ln_e[SB_BIRTHDAY_ALTERNATIVES];
    /* for each alternative, the last x of a step, and ln(1 - x); the next step often has the same x */
    struct {
        double x, ln;
    } last[SB_BIRTHDAY_ALTERNATIVES];
    /* the last ln_pair of a step, and its exponential; `ln` is 0 before the first step */
    struct {
        double ln, pair;
    } last_pair;
};

/* Adds a deck that was compared with `known` distinct decks. `again` says whether the deck equals one of
 * these decks. */
void sb_birthday_step(struct sb_birthday *birthday, uint64_t known, bool again);

/* ln E, where E is the average of the e-processes against all alternatives. For a fair shuffle, the
 * probability that E ever reaches 1/alpha is at most alpha. ln E is 0 at the start. */
double sb_birthday_ln_e(const struct sb_birthday *birthday);

/* An upper bound on the rounding error of sb_birthday_ln_e(). */
double sb_birthday_ln_e_error(const struct sb_birthday *birthday);

/* bet_range of core/tally.h: no partial sum of an alternative's steps is larger than |ln E| plus this. So the
 * rounding error of `steps` steps is at most 2 (steps + 2^13) 2^-53 (|ln E| + range). */
double sb_birthday_range(const struct sb_birthday *birthday);

/*
 * A lower bound on the number of equally likely decks. The probability that the bound is ever wrong is at
 * most delta, however often it is computed before the first repeat. The reason: independent draws from m
 * decks show no repeat in `pairs` pairs with probability at most exp(-pairs/m). After a repeat, the bound is
 * 0.
 */
double sb_birthday_seeds_low(const struct sb_birthday *birthday, double delta);

/* The number of decks after which sb_birthday_seeds_low() is `seeds`, if no deck repeats and each deck is
 * compared only with the first `kept` decks. */
double sb_birthday_decks_needed(double seeds, double delta, double kept);

/* An upper bound on the average number of repeats for a fair shuffle: the number of pairs, N(N-1)/2, times
 * exp(ln_pair). */
double sb_birthday_expected(uint64_t decks, double ln_pair);

/* ln of an upper bound on the probability that a fair shuffle has this many repeats or more. The bound is
 * close to this probability as long as N^2 is small relative to D^(3/2), where N is the number of decks so
 * far, and D is the number of possible decks. The bound is ln P(X >= r) for a Poisson variable X whose mean
 * is the sum of -ln(1 - t/D) over t < N. It is never smaller than that, except by a rounding error of at most
 * 1e-11 of itself, and 1e-11 more; and it is larger by at most r (N/D)^2/6. */
double sb_birthday_ln_p(const struct sb_birthday *birthday);

/* Garwood's interval at level 1 - alpha for the mean of a Poisson count. Each end has a relative error of at
 * most 1e-12. */
void sb_birthday_interval(uint64_t repeats, double alpha, double *low, double *high);

#endif
