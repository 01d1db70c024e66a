/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole decks that come up again: evidence that there are fewer of them than there should be. */
#ifndef SB_FIT_BIRTHDAY_H
#define SB_FIT_BIRTHDAY_H

#include <stdbool.h>
#include <stdint.h>

enum { SB_BIRTHDAY_ALTERNATIVES = 4 };

/* The test, after some decks. */
struct sb_birthday {
    double
        ln_pair; /* ln of the probability that a fair shuffle's deck is one given other; below -log(2^48) */
    uint64_t decks, repeats;
    double ln_e[SB_BIRTHDAY_ALTERNATIVES];
};

/* One more deck; `known` different ones were there to compare it with, and it was `again` one of these. */
void sb_birthday_step(struct sb_birthday *birthday, uint64_t known, bool again);

/* Of the average of the alternatives: under a fair shuffle E ever reaches 1/alpha with probability alpha at
 * most. 0 at first. */
double sb_birthday_ln_e(const struct sb_birthday *birthday);

/* ln of the probability that a fair shuffle has so many repeats or more among so many decks, as Poisson's law
 * has it. */
double sb_birthday_ln_p(const struct sb_birthday *birthday);

#endif
