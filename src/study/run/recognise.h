/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A feed that recognises a repeated run. If a run adds to the evidence of earlier runs, the feed compares the
 * run's first permutations with the first permutations of the earlier runs (store/evidence/fingerprint.h).
 * The tests never see these first permutations: the feed yields only the permutations after them.
 *
 * The tests compute E, the product of the likelihood ratios of the tested permutations. Under a fair shuffle
 * E has expectation 1 at any moment, provided that the decision whether to test a permutation is made before
 * the permutation arrives. This is the case: the decision about permutation t depends only on t, on whether
 * there was earlier evidence, and on the first SB_FINGERPRINT_DECKS permutations of the run, none of which is
 * tested. So the length of a run may depend on anything. The refusal of a run as repeated causes no bias,
 * even if the run was a different run with equal first permutations. To drop short runs instead would cause a
 * bias: a subject may end a run because of the permutations in the run, and these permutations would then
 * decide whether they count as evidence.
 *
 * For a first run, without earlier evidence, the feed yields all permutations, however short the run is.
 */
#ifndef SB_STUDY_RUN_RECOGNISE_H
#define SB_STUDY_RUN_RECOGNISE_H

#include "core/core.h"
#include "store/evidence/fingerprint.h"
#include "tally/tally.h"

#include <signal.h>

struct sb_recogniser {
    /* must be the first member; yields the permutations to test, with sb_recogniser_next() */
    struct sb_feed feed;
    struct sb_feed *inner; /* the feed of all permutations of the run; borrowed, like all pointers here */
    const volatile sig_atomic_t *stop; /* may be NULL */
    /* the tallies; their comparison of whole decks includes the permutations that are not tested */
    struct sb_tallies *tallies;
    /* fingerprint of this run; own->adds tells whether the run adds to the evidence of earlier runs */
    struct sb_fingerprint *own;
    const struct sb_fingerprints *earlier; /* fingerprints of the earlier runs */
    const char *name, *path,
        /* for error lines: the subject's name, the file of the earlier runs, and their ledger key or NULL */
        *key;
    bool repeated; /* whether this run repeats an earlier run */
};

/*
 * Reads the first permutations of a run that adds to earlier runs. Does nothing if these permutations have
 * been read already. Errors: SB_SUBJECT if the run repeats an earlier run; SB_STOPPED if the stop flag is
 * raised; and the errors of the inner feed.
 */
enum sb_status sb_recogniser_begin(struct sb_recogniser *recogniser, struct sb_error *error);

/* The method `next` of the feed: calls sb_recogniser_begin(), and then yields the permutations to test. */
enum sb_status sb_recogniser_next(struct sb_feed *feed, size_t most, const sb_item **items, size_t *count,
                                  struct sb_error *error);

#endif
