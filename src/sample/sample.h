/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Millions of shuffles, tallied: by rank where the deals are few enough to count, else into the position
 * matrix.
 *
 * The work is cut into blocks of decks, each with its own range of the generator's counter, so the tallies
 * are the same for any number of threads. A generator without a counter is one stream, on one thread.
 */
#ifndef SB_SAMPLE_SAMPLE_H
#define SB_SAMPLE_SAMPLE_H

#include "core/evidence.h"
#include "sample/blocks.h"
#include "sample/lanes/lanes.h"
#include "sample/plain.h"
#include "tally/tallies.h"

/*
 * For who puts the tallies down while they grow, and picks them up again. Blocks are then done whole, and
 * those that were done are the first ones of the part: so many decks are counted, and no others.
 */
struct sb_pause {
    bool (*due)(void *state); /* asked between blocks, from the calling thread; NULL: never */
    /* Is shown what was counted so far, with all threads at rest, in the tallies also; not once all is
     * counted. A failure ends it. */
    enum sb_status (*take)(void *state, const struct sb_evidence *evidence, struct sb_error *error);
    void *state;
    const struct sb_evidence *before; /* to go on from: of the same part of the same sample, its first blocks,
                                         whole; its tallies have the same decks. NULL: from the start */
};

struct sb_sample {
    struct sb_recipe recipe;
    uint64_t total;               /* decks of the sample */
    const struct sb_blocks *part; /* those of its blocks that are to be counted; NULL: all */
    unsigned threads;             /* 0: one per processor */
    sb_progress
        *progress; /* called from the calling thread, a few times a second at the most often; may be NULL */
    void *progress_state;
    const char *subject;          /* for progress */
    struct sb_tallies *tallies;   /* of a sample: are shown the decks too, block by block; may be NULL */
    const struct sb_pause *pause; /* may be NULL */
    /* Who shares the blocks, each member by a call of its own; all comes to the first, who alone has
     * progress, stop flag and pause. Generators with a counter only. NULL: alone. */
    const struct sb_ranks *ranks;
};

/* Whether deals of so many of n items can be counted, one by one or in a matrix. SB_TOO_LARGE. */
enum sb_status sb_sample_check(size_t n, size_t deal, struct sb_error *error);

/* Whether the recipe's decks are shuffled side by side, and the program for it. Otherwise they are in plain
 * C. */
bool sb_sample_side_by_side(const struct sb_recipe *recipe, struct sb_lanes_program *program);

/*
 * The tallies, as evidence that the caller closes. The stop flag ends it early, with what was counted so far
 * and `interrupted` set. SB_TOO_LARGE: neither deals nor matrix can be counted; SB_NO_MEMORY; what a pause
 * fails with.
 */
enum sb_status sb_sample_tally(const struct sb_sample *sample, struct sb_error *error,
                               struct sb_evidence *evidence);

#endif
