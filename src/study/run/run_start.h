/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first permutations of a run that adds to earlier evidence. They serve only to recognise a run that is
 * there already (store/evidence/fingerprint.h), and are never counted: counting starts behind them.
 *
 * E, the product of a run's likelihood ratios, has expectation 1 under a fair shuffle at any moment as long
 * as it is known before each permutation whether that one is counted. That is so here: whether the t-th of a
 * run is counted depends on t, on whether there was evidence before, and on the first SB_FINGERPRINT_DECKS of the run,
 * none of which is counted. So it does not matter what the length of a run depends on, and a run that is
 * refused as a repeated one biases nothing, even if it was another one by chance. To drop a run for its
 * length instead is to drop it for what its permutations are, where a subject ends its run because of these.
 *
 * A first run, to which nothing was counted before, counts everything, however short it is.
 */
#ifndef SB_STUDY_RUN_RUN_START_H
#define SB_STUDY_RUN_RUN_START_H

#include "store/evidence/fingerprint.h"
#include "subject/feed_start.h"
#include "tally/tallies.h"

#include <signal.h>

/*
 * Reads the run's first SB_FINGERPRINT_DECKS permutations, or as many as there are, into the opening; the tallies only
 * remember them. Does nothing where they were read before. Errors as sb_trial_next(): SB_STOPPED also where
 * the stop flag, which may be NULL, was raised before that.
 */
enum sb_status sb_first_read(struct sb_trial *trial, const volatile sig_atomic_t *stop,
                             struct sb_error *error, struct sb_tallies *tallies,
                             struct sb_fingerprint *opening);

/* The line, SB_SUBJECT, for a run of which the file at `path` takes nothing, since it was there already. */
enum sb_status sb_first_twice(const char *name, const char *path, struct sb_error *error);

#endif
