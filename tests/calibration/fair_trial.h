/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports on a fair shuffle, seed after seed: a p-value of each statistic, which is uniform if the null law
 * is right and the decks are fair, and the result of the report as a whole.
 */
#ifndef FAIR_TRIAL_H
#define FAIR_TRIAL_H

#include "calibration/fair_repeats.h"
#include "subject/subject.h"
#include "tally/tally.h"

enum { FAIR_STATISTICS_MOST = 32 };

/* fisher-yates with philox on n items, and how many decks a seed gives. */
struct fair_trials {
    struct sb_request options;
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    size_t count;                           /* p-values of a trial */
    const char *name[FAIR_STATISTICS_MOST]; /* [count] of their statistics; static */
    struct fair_repeats repeats;            /* no law where there are no repeats to be seen */
};

/* `names` are those of the statistics, as in struct sb_request. Ends the program where there is no memory, as
 * all of this does. */
void fair_trials_open(size_t n, uint64_t samples, const char *names, struct fair_trials *trials);
void fair_trials_close(struct fair_trials *trials);

/* What the decks from one seed say. */
struct fair_said {
    /*
     * [count] the p-values: those of chi-square, with cells merged until each expects 20 or more; of two
     * cells that of the binomial law, and of repeats that of their law, both randomised. Of a statistic with
     * several members that of one, chosen by the seed; of the positions that of the whole matrix.
     */
    double p[FAIR_STATISTICS_MOST];
    double report; /* the smallest p of the report on these decks, as it is corrected there */
};

/* For any thread. */
void fair_trial(const struct fair_trials *trials, uint64_t seed, struct fair_said *said);

#endif
