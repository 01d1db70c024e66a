/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first deck from each seed of a generator: which deals a short seed can reach at all.
 *
 * Each seed is a run of its own, so they are shared out among threads, and the result is the same for any
 * number of them.
 */
#ifndef SB_SAMPLE_SEEDS_SEEDS_H
#define SB_SAMPLE_SEEDS_SEEDS_H

#include "core/evidence.h"
#include "core/ranks.h"
#include "sample/plain.h"

struct sb_seeds {
    struct sb_recipe recipe; /* its seed is of no meaning */
    uint64_t first, last;    /* inclusive; last - first < 2^63 */
    uint64_t room;           /* bytes for telling decks apart; 0: 2 GiB */
    unsigned threads;        /* 0: one per processor */
    sb_progress *progress;   /* called from the calling thread; may be NULL */
    void *progress_state;
    const char *subject; /* for progress */
    /* Who shares the seeds, each member by a call of its own; all comes to the first, who alone has progress
     * and stop flag. NULL: alone. */
    const struct sb_ranks *ranks;
};

/*
 * What the seeds reach, as evidence that the caller closes. Deals are counted one by one up to SB_CELLS_MOST
 * of them. Beyond, the different decks are told apart exactly while there is room, by sorting the decks
 * (16 bytes each) or by a bit for each deal, and estimated where neither will do. The stop flag ends it
 * early, with what was seen so far and `interrupted` set. SB_NO_MEMORY.
 */
enum sb_status sb_seeds_reach(const struct sb_seeds *seeds, struct sb_error *error,
                              struct sb_evidence *evidence);

#endif
