/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A feed that recognises its run. From the first permutations (store/evidence/fingerprint.h) it finds out
 * whether a run that adds to earlier evidence repeats one of the earlier runs. These permutations are never
 * counted: counting starts after them.
 *
 * E, the product of a run's likelihood ratios, has expectation 1 under a fair shuffle at any moment, if it is
 * known before each permutation whether that one is counted. Here this holds: whether permutation t of a run
 * is counted depends on t, on whether there was earlier evidence, and on the first SB_FINGERPRINT_DECKS
 * permutations of the run, none of which is counted. So the length of a run may depend on anything, and to
 * refuse a run as repeated causes no bias, even if it was a different run with equal first permutations. To
 * drop runs for their length instead would select by content if a subject ends its run because of its
 * permutations.
 *
 * A first run, without earlier evidence, counts everything, however short it is.
 */
#ifndef SB_STUDY_RUN_RECOGNISE_H
#define SB_STUDY_RUN_RECOGNISE_H

#include "core/feed.h"
#include "store/evidence/fingerprint.h"
#include "tally/tallies.h"

#include <signal.h>

struct sb_recogniser {
    struct sb_feed feed;   /* first: the permutations to count; its next is sb_recogniser_next() */
    struct sb_feed *inner; /* the run's permutations; borrowed, like all other pointers */
    const volatile sig_atomic_t *stop; /* may be NULL */
    struct sb_tallies *tallies;        /* remember the permutations that are not counted */
    /* fingerprint of this run; own->adds says whether the run adds to the earlier ones */
    struct sb_fingerprint *own;
    const struct sb_fingerprints *earlier; /* fingerprints of the earlier runs */
    const char *name, *path,
        *key;      /* name of the subject; and the file, or the ledger's key, with the earlier runs */
    bool repeated; /* this run repeats an earlier one */
};

/*
 * Reads the first permutations of a run that adds to earlier runs, unless they have been read. SB_SUBJECT:
 * the run repeats an earlier one; SB_STOPPED, also by the flag; errors of the inner feed.
 */
enum sb_status sb_recogniser_begin(struct sb_recogniser *recogniser, struct sb_error *error);

/* The `next` of a feed: does what sb_recogniser_begin() does, and then yields the permutations to count. */
enum sb_status sb_recogniser_next(struct sb_feed *feed, size_t most, const sb_item **items, size_t *count,
                                  struct sb_error *error);

#endif
