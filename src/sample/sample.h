/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tallies millions of shuffles: by rank if each deal can have a count of its own, else in the
 * item-by-position matrix.
 *
 * The work is divided into blocks of decks. Each block has its own range of the generator's counter, so the
 * tallies do not depend on the number of threads. A generator without a counter gives one stream, and one
 * thread takes all blocks of this stream.
 */
#ifndef SB_SAMPLE_SAMPLE_H
#define SB_SAMPLE_SAMPLE_H

#include "core/evidence.h"
#include "sample/blocks.h"
#include "sample/lanes/lanes.h"
#include "sample/plain.h"
#include "tally/tally.h"

/* Pauses, during which the caller can save the tallies of an unfinished sample, to resume the sample later.
 * If there are pauses, every block that a thread begins is counted completely. So the finished blocks are
 * always the first blocks of the sample or, if `part` is not NULL, of this part. */
struct sb_pause {
    /* whether to pause now; called between blocks, in the calling thread; NULL: never pause */
    bool (*due)(void *state);
    /* Receives the counts so far. At this moment no thread is counting, and the tallies are up to date. The
     * sampler does not call this function after the last block is counted. A failure ends the sample. */
    enum sb_status (*take)(void *state, const struct sb_evidence *evidence, struct sb_error *error);
    void *state;
    /* Counts to start from. These must be the counts of the first blocks of the same part of the same sample,
     * without an unfinished block, and the tallies must include the same decks. NULL: start from zero. */
    const struct sb_evidence *before;
};

struct sb_sample {
    struct sb_recipe recipe;
    uint64_t total;               /* number of decks in the sample */
    const struct sb_blocks *part; /* the blocks to count; NULL: all blocks */
    unsigned threads;             /* number of threads; 0: one for each processor */
    sb_progress *progress; /* called in the calling thread, at most a few times a second; may be NULL */
    void *progress_state;
    const char *subject; /* the name to pass to `progress` */
    /* tallies that also receive the decks of the sample, block by block; may be NULL */
    struct sb_tallies *tallies;
    const struct sb_pause *pause; /* may be NULL */
    /* The MPI ranks that share the blocks. Each rank must call sb_sample_tally(). Only the root receives the
     * result, and only the root uses `progress`, the stop flag and `pause`. The generator must have a
     * counter. NULL: a single process. */
    const struct sb_ranks *ranks;
};

/* Checks that deals of `deal` out of n items can be counted, by rank or in a matrix. SB_TOO_LARGE. */
enum sb_status sb_sample_check(size_t n, size_t deal, struct sb_error *error);

/* Returns whether the decks of this recipe are shuffled side by side. If so, sets *program. If not, the decks
 * are shuffled one by one (sample/plain.h). */
bool sb_sample_side_by_side(const struct sb_recipe *recipe, struct sb_lanes_program *program);

/*
 * Tallies a sample as evidence, which the caller closes. The stop flag ends the sample early; the evidence
 * then holds the counts so far, and `interrupted` is set. SB_TOO_LARGE: there are too many deals to count by
 * rank, and the matrix is too large. SB_INVALID: the generator refuses the seed, or only repeats words.
 * SB_NO_MEMORY. Also returns the errors of pause->take().
 */
enum sb_status sb_sample_tally(const struct sb_sample *sample, struct sb_error *error,
                               struct sb_evidence *evidence);

#endif
