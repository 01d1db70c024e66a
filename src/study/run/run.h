/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loop of gates, watches, zoos and observed reports, each with its own hooks. A look that is due at N permutations
 * sees exactly N permutations, however the feed divides the permutations into batches, so that a stream has the same
 * findings on every machine. */
#ifndef SB_STUDY_RUN_RUN_H
#define SB_STUDY_RUN_RUN_H

#include "report/page.h"
#include "store/store.h"

struct sb_run_hooks {
    /* tallies items[count * deal]; count > 0. NULL: the loop only skips the permutations. */
    enum sb_status (*tally)(void *state, const sb_item items[], size_t count);
    /* saves the evidence if a checkpoint is due; called after each batch; may be NULL */
    enum sb_status (*save)(void *state);
    /* looks at the tallies; sets run->look to the next look, and run->ended if it was the last; may be NULL */
    enum sb_status (*look)(void *state);
};

struct sb_run {
    struct sb_feed *feed;              /* the feed, which may already have a first batch; NULL: the run has ended */
    const volatile sig_atomic_t *stop; /* may be NULL */
    const struct sb_run_hooks *hooks;
    void *state; /* passed to the hooks */
    struct sb_error *error;
    uint64_t total;        /* number of tallied permutations */
    uint64_t look;         /* the total at which the next look is due */
    uint64_t most;         /* the total at which the run ends */
    sb_progress *progress; /* called after each batch; may be NULL */
    void *progress_state;
    bool interrupted; /* whether the stop flag ended the run */
    bool ended;       /* whether the loop has ended: it was interrupted, a look decided, or the feed ended */
};

/* Reads and tallies until the total is `most` or the run has ended. An interruption is not an error. The errors are
 * those of the feed and of the hooks. */
enum sb_status sb_run_loop(struct sb_run *run);

/* Permutations that equal the one before, as of a generator that is seeded anew each time, from a clock. They choose
 * words, and have no part in a verdict. */

enum { SB_NEIGHBOURS_MOST = 1 << 16 }; /* the permutations that are compared, the first ones */

struct sb_neighbours {
    struct sb_deck_key *key; /* [room] owned; NULL: none yet */
    struct sb_deck_key last; /* of the permutation before */
    size_t count, room;
    size_t same; /* number of permutations that equal the one before */
};

/* Adds deals of k out of n, items[count * k]. SB_NO_MEMORY. */
enum sb_status sb_neighbours_add(struct sb_neighbours *neighbours, size_t n, size_t k, const sb_item items[],
                                 size_t count);
void sb_neighbours_close(struct sb_neighbours *neighbours);

/* Returns whether equal neighbours stand out: most permutations that came up before are the one before, or many more
 * equal their neighbour than equal one far away, by the share `excess` or more. The order of the keys is lost. */
bool sb_neighbours_stand_out(struct sb_neighbours *neighbours, double excess);

/* Adds "14 of 19 lines are the same as the line before", and the question that leads to the cause. `each` is "line" or
 * "permutation". */
void sb_sentence_neighbours(struct sb_sentence *s, uint64_t same, uint64_t count, const char *each);
void sb_sentence_neighbours_ask(struct sb_sentence *s, const char *each);

/*
 * A feed that recognises a repeated run. If a run adds to the evidence of earlier runs, the feed compares the run's
 * first permutations with the first permutations of the earlier runs (store/store.h). The tests never see these first
 * permutations: the feed yields only the permutations after them.
 *
 * The tests compute E, the product of the likelihood ratios of the tested permutations. Under a fair shuffle E has
 * expectation 1 at any moment, provided that the decision whether to test a permutation is made before the permutation
 * arrives. This is the case: the decision about permutation t depends only on t, on whether there was earlier
 * evidence, and on the first SB_FINGERPRINT_DECKS permutations of the run, none of which is tested. So the length of a
 * run may depend on anything. The refusal of a run as repeated causes no bias, even if the run was a different run
 * with equal first permutations. To drop short runs instead would cause a bias: a subject may end a run because of the
 * permutations in the run, and these permutations would then decide whether they count as evidence.
 *
 * For a first run, without earlier evidence, the feed yields all permutations, however short the run is.
 */

struct sb_recogniser {
    /* must be the first member; yields the permutations to test, with sb_recogniser_next() */
    struct sb_feed feed;
    struct sb_feed *inner;             /* the feed of all permutations of the run; borrowed, like all pointers here */
    const volatile sig_atomic_t *stop; /* may be NULL */
    /* the tallies; their comparison of whole decks includes the permutations that are not tested */
    struct sb_tallies *tallies;
    /* fingerprint of this run; own->adds tells whether the run adds to the evidence of earlier runs */
    struct sb_fingerprint *own;
    const struct sb_fingerprints *earlier; /* fingerprints of the earlier runs */
    const char *name, *path;               /* for error lines: the subject's name, and the file of the earlier runs */
    bool repeated;                         /* whether this run repeats an earlier run */
};

/* Reads the first permutations of a run that adds to earlier runs, unless it has done so. SB_SUBJECT if the run
 * repeats an earlier run; SB_STOPPED; and the errors of the inner feed. */
enum sb_status sb_recogniser_begin(struct sb_recogniser *recogniser, struct sb_error *error);

/* The method `next` of the feed. */
enum sb_status sb_recogniser_next(struct sb_feed *feed, size_t most, const sb_item **items, size_t *count,
                                  struct sb_error *error);

/* Checks that a gate or a watch can tally deals of `deal` out of n items, with this profile, which may be NULL, and if
 * `increments` is true also the steps between them. Errors: SB_INVALID, SB_TOO_LARGE. */
enum sb_status sb_selection_check(const struct sb_multiset *multiset, size_t n, size_t deal, const char *profile,
                                  bool increments, struct sb_error *error);

/* Sets type[], which has room for all, to the statistics to test for deals of `deal` out of n items, and returns their
 * number. `profile` may be NULL. `multiset` says which items are equal; NULL: all differ. These are the position of
 * each item, and every statistic for which a fair subject can pass within terms->limit permutations. If this is
 * impossible even for the positions, the gate can only fail: then all but the rank, which may have millions of
 * cells. */
size_t sb_selection_choose(const struct sb_multiset *multiset, size_t n, size_t deal, const char *profile,
                           const struct sb_gate_terms *terms, const struct sb_statistic_type *type[]);

/* Returns whether to compare whole decks: if the first selected statistic is not the rank, and there are more
 * possible decks than seeds of 16 bits. */
bool sb_selection_repeats(const struct sb_multiset *multiset, size_t n, size_t deal,
                          const struct sb_statistic_type *first);

/* Returns whether to look for runs of decks that come again: if there are at least six decks. */
bool sb_selection_replays(size_t n, size_t deal);

/* Returns whether to run a bettor (tally/order.h), which needs SB_BETTOR_LEAST to SB_BETTOR_MOST items: for deals of
 * different items, and for whole permutations, sets and hands unless the first selected statistic is the rank. */
bool sb_selection_bets(const struct sb_multiset *multiset, size_t n, size_t deal,
                       const struct sb_statistic_type *first);

#endif
