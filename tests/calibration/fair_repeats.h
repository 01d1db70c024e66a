/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact law of the number of repeated decks. */
#ifndef FAIR_REPEATS_H
#define FAIR_REPEATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fair_repeats {
    size_t most; /* more repeats than that do not happen */
    double *law; /* [most + 1] of their number; owned */
};

/* Whether there is something to be seen: of so many whole decks of n items some may come up again, and fewer
 * than a thousand. */
bool fair_repeats_happen(size_t n, uint64_t samples);

/* The law where fair_repeats_happen(). Ends the program where there is no memory. */
void fair_repeats_open(size_t n, uint64_t samples, struct fair_repeats *repeats);
void fair_repeats_close(struct fair_repeats *repeats);

/* The p-value of so many repeats, randomised by u in 0..1: P(R > again) + u P(R = again). */
double fair_repeats_p(const struct fair_repeats *repeats, uint64_t again, double u);

#endif
