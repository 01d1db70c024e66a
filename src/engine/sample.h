/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Millions of shuffles, tallied: by rank where the deals are few enough to count, else into the position
 * matrix.
 *
 * The work is cut into blocks of decks, each with its own range of the generator's counter, so the tallies
 * are the same for any number of threads. A generator without a counter is one stream, on one thread.
 */
#ifndef SB_ENGINE_SAMPLE_H
#define SB_ENGINE_SAMPLE_H

#include "core/evidence.h"
#include "engine/lanes.h"
#include "engine/plain.h"
#include "engine/witness.h"

enum {
    SB_MATRIX_MOST = 1 << 26, /* cells of the largest position matrix that is tallied */
};

struct sb_sample {
    struct sb_recipe recipe;
    uint64_t total;   /* decks to count */
    unsigned threads; /* 0: one per processor */
    sb_progress
        *progress; /* called from the calling thread, a few times a second at the most often; may be NULL */
    void *progress_state;
    const char *subject;        /* for progress */
    struct sb_witness *witness; /* to whom the decks are shown too, block by block; may be NULL */
};

/* Whether the recipe's decks are shuffled side by side, and the program for it. Otherwise they are in plain
 * C. */
bool sb_sample_side_by_side(const struct sb_recipe *recipe, struct sb_lanes_program *program);

/*
 * The tallies, as evidence that the caller closes. The stop flag ends it early, with what was counted so far
 * and `interrupted` set. SB_TOO_LARGE: neither deals nor matrix can be counted; SB_NO_MEMORY.
 */
enum sb_status sb_sample_tally(const struct sb_sample *sample, struct sb_error *error,
                               struct sb_evidence *evidence);

#endif
