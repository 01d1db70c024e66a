/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shuffles the first deck from each seed of a generator. These decks show which deals a short seed can reach.
 *
 * The decks of different seeds do not depend on each other. So threads share the seeds, and the result does
 * not depend on the number of threads.
 */
#ifndef SB_SAMPLE_SEEDS_SEEDS_H
#define SB_SAMPLE_SEEDS_SEEDS_H

#include "core/core.h"
#include "core/evidence.h"
#include "sample/plain.h"
#include "tally/tally.h"

struct sb_seeds {
    struct sb_recipe recipe; /* the shuffle, draw and generator; recipe.seed is ignored */
    uint64_t first, last;    /* inclusive; last - first < 2^63 */
    uint64_t room;           /* bytes of memory for the stored decks; 0 stands for 2 GiB */
    unsigned threads;        /* number of threads; 0: one for each processor */
    sb_progress *progress;   /* called in the calling thread; may be NULL */
    void *progress_state;
    const char *subject; /* the name to pass to `progress` */
    /* The MPI ranks that share the seeds. Each rank must call sb_seeds_reach(). Only the root receives the
     * result, and only the root uses `progress` and the stop flag. NULL: a single process. */
    const struct sb_ranks *ranks;
};

/*
 * Finds the deals that the seeds reach, as evidence that the caller closes. If there are at most
 * SB_CELLS_MOST deals, each deal has a count of its own. If there are more deals and memory suffices, the
 * number of different decks is found exactly, with a key of 16 bytes for each deck or with a bit for each
 * deal. If memory does not suffice, this number is an estimate. The stop flag ends the run early; the
 * evidence then holds the result so far, and `interrupted` is set. SB_NO_MEMORY.
 */
enum sb_status sb_seeds_reach(const struct sb_seeds *seeds, struct sb_error *error,
                              struct sb_evidence *evidence);

/*
 * Adds the decks of the first `most` seeds, one after the other, to the tallies. The increments of the
 * tallies are the steps from the deck of each seed to the deck of the next. The stop flag ends the call
 * early. SB_NO_MEMORY.
 */
enum sb_status sb_seeds_tally(const struct sb_seeds *seeds, uint64_t most, struct sb_tallies *tallies,
                              struct sb_error *error);

#endif
