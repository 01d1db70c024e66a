/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a sample's threads; for the sampler alone. */
#ifndef SB_SAMPLE_SAMPLE_WORK_H
#define SB_SAMPLE_SAMPLE_WORK_H

#include "sample/sample.h"
#include "sample/work_blocks.h"
#include "statistic/statistic.h"

/* One thread's state: decks side by side, counted by rank or by item and position; or plain C and the tallies
 * of one statistic. */
struct sb_sample_worker {
    struct sb_lanes_tally lanes;
    struct sb_lanes_matrix matrix;
    sb_item *dealt;            /* [block * deal]: decks side by side for the tallies; else NULL */
    struct sb_plain plain;     /* stays open during pauses, so that a generator without a counter continues */
    size_t members, cells;     /* members and cells of the statistic */
    uint64_t *count;           /* [members * cells] */
    uint32_t *cell;            /* [members] the cell of the last deal */
    struct sb_tallies tallies; /* statistics of this thread: a fork of the sample's */
    uint64_t counted;
};

/* State that the threads of one call share. */
struct sb_sample_run {
    const struct sb_sample *sample;
    struct sb_recipe recipe; /* the recipe, without the stop flag if blocks must be whole */
    const struct sb_statistic_type *statistic;
    struct sb_lanes_program program;
    bool side_by_side;
    size_t block;                /* decks in a block */
    struct sb_blocks blocks;     /* blocks to count */
    uint64_t end;                /* index after the last of these blocks */
    uint64_t total;              /* number of decks in these blocks */
    uint64_t before;             /* the first block that is not counted yet */
    uint64_t next;               /* first block of the next leg */
    struct sb_work_blocks queue; /* number of blocks of this leg */
    atomic_bool paused;          /* whether threads must stop taking blocks */
    _Atomic uint64_t done;       /* decks counted so far, for the progress */
    atomic_int status;           /* enum sb_status of a thread that failed */
    struct sb_tallies *tallies;  /* tallies that the caller passed; NULL: not requested */
    size_t threads;
    struct sb_sample_worker **workers; /* [threads] one per thread; NULL for a thread that could not start */
    struct sb_evidence *evidence;
};

/* Sets up a thread's worker with empty tallies. *opened may be an earlier worker, or NULL; it is NULL after a
 * failure. SB_NO_MEMORY; SB_INVALID: the generator refuses the seed. */
enum sb_status sb_sample_worker_open(const struct sb_sample_run *run, struct sb_sample_worker **opened);
void sb_sample_worker_close(struct sb_sample_worker *worker);

/* Clears a worker's tallies. */
void sb_sample_worker_clear(struct sb_sample_worker *worker);

/* Counts the decks of a block; returns how many, fewer if it is stopped. */
size_t sb_sample_block(const struct sb_sample_run *run, struct sb_sample_worker *worker, uint64_t block,
                       size_t decks);

/* Whether the tallies or the generator need the decks of a block that is already counted. */
bool sb_sample_needs(const struct sb_sample_run *run, uint64_t block);

/* Deals a block that is already counted, for the tallies that compare decks, or to advance the generator. */
void sb_sample_pass(const struct sb_sample_run *run, struct sb_sample_worker *worker, uint64_t block,
                    size_t decks);

/* Adds a thread's tallies to the evidence: the counts by rank, or the matrix without its column "not
 * dealt". */
void sb_sample_collect(struct sb_sample_run *run, struct sb_sample_worker *worker);

#endif
