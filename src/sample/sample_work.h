/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a sample's threads. Only the sampler uses this header. */
#ifndef SB_SAMPLE_SAMPLE_WORK_H
#define SB_SAMPLE_SAMPLE_WORK_H

#include "sample/sample.h"
#include "sample/work_blocks.h"
#include "statistic/statistic.h"

/* One thread's state. Decks that are shuffled side by side are counted in `lanes` (by rank) or in `matrix`
 * (by item and position). Decks that are shuffled one by one are counted in `count`, by one statistic. */
struct sb_sample_worker {
    struct sb_lanes_tally lanes;
    struct sb_lanes_matrix matrix;
    /* [block * deal] the decks of a block, for the tallies; NULL if not needed */
    sb_item *dealt;
    /* stays open during pauses, so that a generator without a counter continues its stream */
    struct sb_plain plain;
    size_t members, cells;     /* numbers of members and of cells of the statistic */
    uint64_t *count;           /* [members * cells] */
    uint32_t *cell;            /* [members] the cells of the last deal */
    struct sb_tallies tallies; /* this thread's own tallies, added to run->tallies later */
    uint64_t counted;
};

/* State that the threads of one call share. */
struct sb_sample_run {
    const struct sb_sample *sample;
    struct sb_recipe recipe; /* recipe of the sample, without the stop flag if every block must be finished */
    const struct sb_statistic_type *statistic;
    struct sb_lanes_program program;
    bool side_by_side;
    size_t block;            /* number of decks in a block */
    struct sb_blocks blocks; /* the blocks to count */
    uint64_t end;            /* index of the block after the last block to count */
    uint64_t total;          /* number of decks in `blocks` */
    uint64_t before;         /* index of the first block that earlier evidence does not include */
    /* index of the first block of the next leg, the part of the run up to a pause or the end */
    uint64_t next;
    struct sb_work_blocks queue; /* queue of the blocks of this leg */
    atomic_bool paused;          /* whether threads must stop taking blocks */
    _Atomic uint64_t done;       /* number of decks counted so far, for `progress` */
    atomic_int status;           /* the enum sb_status of a thread that failed */
    struct sb_tallies *tallies;  /* the tallies to fill; NULL if no tallies were requested */
    size_t threads;
    /* [threads] the state of each thread; NULL for a thread that could not start */
    struct sb_sample_worker **workers;
    struct sb_evidence *evidence;
};

/* Sets up a thread's worker with empty tallies. *opened may be an earlier worker of this thread, or NULL.
 * After a failure, *opened is NULL. SB_NO_MEMORY; SB_INVALID: the generator refuses the seed. */
enum sb_status sb_sample_worker_open(const struct sb_sample_run *run, struct sb_sample_worker **opened);
void sb_sample_worker_close(struct sb_sample_worker *worker);

/* Clears a worker's tallies. */
void sb_sample_worker_clear(struct sb_sample_worker *worker);

/* Counts the decks of a block. Returns how many decks were counted. This number is less than `decks` if the
 * generator is stuck or the stop flag is raised. */
size_t sb_sample_block(const struct sb_sample_run *run, struct sb_sample_worker *worker, uint64_t block,
                       size_t decks);

/* Returns whether a block that is already counted must be dealt again, for the tallies or to advance the
 * generator. */
bool sb_sample_needs(const struct sb_sample_run *run, uint64_t block);

/* Deals a block that is already counted. This gives the decks of the block to the tallies that compare decks,
 * and advances a generator that has no counter. */
void sb_sample_pass(const struct sb_sample_run *run, struct sb_sample_worker *worker, uint64_t block,
                    size_t decks);

/* Adds the counts of a worker to the evidence: the counts by rank, or the matrix without its column "not
 * dealt". Also adds the worker's tallies to run->tallies. */
void sb_sample_collect(struct sb_sample_run *run, struct sb_sample_worker *worker);

#endif
