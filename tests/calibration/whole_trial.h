/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One run of a gate on three cards with all that takes part there: the rank, the positions, the lags and the
 * catalogue.
 *
 * E is the likelihood ratio of a mixture against a fair shuffle. Each line of the gate is a part of the mixture,
 * with its weight: permutations from a random law, or steps from one at a lag, or the law of a candidate of the
 * catalogue. Nearly every run on permutations of this mixture raises an alarm, and the mean of 1/E at the alarms
 * is the probability of an alarm of a fair shuffle. Here E is computed from the definitions.
 */
#ifndef WHOLE_TRIAL_H
#define WHOLE_TRIAL_H

#include "calibration/gate_trial.h"
#include "study/catalogue/look.h"
#include "tally/order.h"

/* What the runs of one thread share. */
struct whole {
    gsl_rng *rng;
    struct sb_catalogue *catalogue;
    struct sb_lags *lags;
    uint64_t total, rank[TRIAL_ORDERS], matrix[TRIAL_PLACES], steps[SB_LAGS][TRIAL_ORDERS];
    uint8_t past[SB_LAGS_FARTHEST]; /* the rank of permutation t at t modulo SB_LAGS_FARTHEST */
};

struct whole_outcome {
    enum sb_verdict verdict;
    double ln_e;       /* of the gate */
    long double ratio; /* E by the definitions, after a fail */
};

/* Fills the tables that all threads read. Call it once, before the first run. */
void whole_prepare(void);

/* Returns false if there is no memory. */
bool whole_open(struct whole *whole);
void whole_close(struct whole *whole);

/* A run on permutations of a fair shuffle, or else of the mixture. The generator starts anew from the seed. */
struct whole_outcome whole_trial(struct whole *whole, const struct sb_gate_terms *terms, bool fair, unsigned long seed);

#endif
