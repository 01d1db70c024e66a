/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loop of gates, watches, zoos and observed reports. The loop reads the feed and tallies the
 * permutations. When a save is due, the loop saves the evidence; when a look is due, it looks at the tallies.
 * Each kind of run has its own hooks. A look that is due at N permutations sees exactly N permutations,
 * however the feed divides the permutations into batches, so that a stream has the same findings on every
 * machine.
 */
#ifndef SB_STUDY_RUN_RUN_H
#define SB_STUDY_RUN_RUN_H

#include "core/core.h"

#include <signal.h>

struct sb_run_hooks {
    /* Tallies permutations, items[count * deal]; count > 0. NULL: the loop only skips the permutations. */
    enum sb_status (*tally)(void *state, const sb_item items[], size_t count);
    /* Saves the evidence if a checkpoint is due; called after each batch. NULL: nothing is saved. */
    enum sb_status (*save)(void *state);
    /* Looks at the tallies. Sets run->look to the total at which the next look is due, and sets run->ended if
     * no more permutations are needed. NULL: there are no looks. */
    enum sb_status (*look)(void *state);
};

struct sb_run {
    struct sb_feed *feed; /* the feed, which may already have a first batch; NULL: the run has ended */
    const volatile sig_atomic_t *stop; /* may be NULL */
    const struct sb_run_hooks *hooks;
    void *state; /* passed to the hooks */
    struct sb_error *error;
    uint64_t total;   /* number of tallied permutations */
    uint64_t look;    /* the total at which the next look is due */
    uint64_t most;    /* the total at which the run ends */
    bool interrupted; /* whether the stop flag ended the run */
    bool ended;       /* whether the loop has ended: it was interrupted, a look decided, or the feed ended */
};

/*
 * Reads and tallies until the total is `most` or the run has ended. An interruption is not an error: the
 * function never returns SB_STOPPED. The errors are those of the feed and of the hooks.
 */
enum sb_status sb_run(struct sb_run *run);

#endif
