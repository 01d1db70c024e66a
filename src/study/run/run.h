/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loop of a gate, a watch, a zoo and an observed report: read the feed, tally, save when due, look when
 * due. They differ in their hooks. A look that is due at N permutations sees exactly N, however the feed
 * divides them into batches, so that a stream has the same findings on every machine.
 */
#ifndef SB_STUDY_RUN_RUN_H
#define SB_STUDY_RUN_RUN_H

#include "core/feed.h"

#include <signal.h>

struct sb_run_hooks {
    /* Tallies permutations, items[count * deal]; count > 0. NULL: they are only skipped. */
    enum sb_status (*tally)(void *state, const sb_item items[], size_t count);
    /* Called after each batch: saves what is due by the clock. NULL: nothing to save. */
    enum sb_status (*save)(void *state);
    /* Looks at what was tallied; says in run->look when the next look is due, and by run->ended that no more
     * permutations are needed. NULL: there are no looks. */
    enum sb_status (*look)(void *state);
};

struct sb_run {
    struct sb_feed *feed;              /* may hold a first batch already; NULL: the run has ended */
    const volatile sig_atomic_t *stop; /* may be NULL */
    const struct sb_run_hooks *hooks;
    void *state; /* passed to the hooks */
    struct sb_error *error;
    uint64_t total;   /* tallied permutations */
    uint64_t look;    /* the total at which a look is due */
    uint64_t most;    /* the total at which the run ends */
    bool interrupted; /* the stop flag ended the run */
    bool ended;       /* the loop reads no more: interrupted, decided, or at the end of the feed */
};

/*
 * Reads and tallies until the total is `most` or the run has ended. An interruption is not an error: the
 * function never returns SB_STOPPED. Errors of the feed and of the hooks.
 */
enum sb_status sb_run(struct sb_run *run);

#endif
