/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A feed that recognises its run. It sees by the first permutations (store/evidence/fingerprint.h) whether a
 * run that adds to earlier evidence is one of the earlier runs. These permutations are never counted: counting
 * starts behind them.
 *
 * E, the product of a run's likelihood ratios, has expectation 1 under a fair shuffle at any moment as long
 * as it is known before each permutation whether that one is counted. That is so here: whether the t-th of a
 * run is counted depends on t, on whether there was evidence before, and on the first SB_FINGERPRINT_DECKS of
 * the run, none of which is counted. So the length of a run may depend on anything, and a run that is refused
 * as a repeated one biases nothing, even if it was another one by chance. To drop a run for its length
 * instead is to drop it for what its permutations are, where a subject ends its run because of these.
 *
 * A first run, to which nothing was counted before, counts everything, however short it is.
 */
#ifndef SB_STUDY_RUN_RECOGNISE_H
#define SB_STUDY_RUN_RECOGNISE_H

#include "core/feed.h"
#include "store/evidence/fingerprint.h"
#include "tally/tallies.h"

#include <signal.h>

struct sb_recogniser {
    struct sb_feed feed;   /* first: the permutations to be counted; its next is sb_recogniser_next() */
    struct sb_feed *inner; /* the run's permutations; borrowed, as all else */
    const volatile sig_atomic_t *stop;     /* may be NULL */
    struct sb_tallies *tallies;            /* remember the permutations that are not counted */
    struct sb_fingerprint *own;            /* of this run; own->adds says that it adds to the earlier ones */
    const struct sb_fingerprints *earlier; /* of the earlier runs, */
    const char *name, *path, *key; /* of the subject, and the file, or the ledger's key, that holds them */
    bool repeated;                 /* this run is one of the earlier ones */
};

/*
 * Reads the first permutations of a run that adds to earlier ones, unless they were read. SB_SUBJECT: the run
 * is a repeated one; SB_STOPPED, also by the flag; errors as those of the inner feed.
 */
enum sb_status sb_recogniser_begin(struct sb_recogniser *recogniser, struct sb_error *error);

/* The same, then the permutations to be counted. */
enum sb_status sb_recogniser_next(struct sb_feed *feed, size_t most, const sb_item **items, size_t *count,
                                  struct sb_error *error);

#endif
