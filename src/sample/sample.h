/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tallies millions of shuffles: by rank if there are few enough deals to count, else into the position
 * matrix.
 *
 * The work is divided into blocks of decks, each with its own range of the generator's counter, so the
 * tallies do not depend on the number of threads. A generator without a counter is one stream, on one thread.
 */
#ifndef SB_SAMPLE_SAMPLE_H
#define SB_SAMPLE_SAMPLE_H

#include "core/evidence.h"
#include "sample/blocks.h"
#include "sample/lanes/lanes.h"
#include "sample/plain.h"
#include "tally/tallies.h"

/*
 * Pauses for callers that save the tallies of an unfinished sample and resume them. With pauses, blocks are
 * counted as a whole, and the finished blocks are the first ones of the part.
 */
struct sb_pause {
    bool (*due)(void *state); /* called between blocks, in the calling thread; NULL: never */
    /* Receives the counts so far, with all threads at rest; the tallies are up to date. Not called once
     * everything is counted. A failure ends the sample. */
    enum sb_status (*take)(void *state, const struct sb_evidence *evidence, struct sb_error *error);
    void *state;
    /* Counts to start from. They belong to the first blocks, all whole, of the same part of the same
     * sample, and the tallies have the same decks. NULL: start from zero. */
    const struct sb_evidence *before;
};

struct sb_sample {
    struct sb_recipe recipe;
    uint64_t total;               /* decks of the sample */
    const struct sb_blocks *part; /* the blocks to count; NULL: all */
    unsigned threads;             /* 0: one per processor */
    sb_progress *progress; /* called in the calling thread, at most a few times a second; may be NULL */
    void *progress_state;
    const char *subject; /* the name to pass to `progress` */
    /* tallies that also receive the decks of the sample, block by block; may be NULL */
    struct sb_tallies *tallies;
    const struct sb_pause *pause; /* may be NULL */
    /* The ranks that share the blocks; each rank calls the sampler. The root receives everything, and it
     * alone has progress, stop flag and pause. Only for generators with a counter. NULL: a single process. */
    const struct sb_ranks *ranks;
};

/* Checks that deals of `deal` of n items can be counted, one by one or in a matrix. SB_TOO_LARGE. */
enum sb_status sb_sample_check(size_t n, size_t deal, struct sb_error *error);

/* Whether the recipe's decks are shuffled side by side, and the program for it. Otherwise plain C shuffles
 * them. */
bool sb_sample_side_by_side(const struct sb_recipe *recipe, struct sb_lanes_program *program);

/*
 * Tallies a sample as evidence, which the caller closes. The stop flag ends it early, with the counts so far
 * and `interrupted` set. SB_TOO_LARGE: neither deals nor the matrix can be counted; SB_NO_MEMORY; errors of a
 * pause.
 */
enum sb_status sb_sample_tally(const struct sb_sample *sample, struct sb_error *error,
                               struct sb_evidence *evidence);

#endif
