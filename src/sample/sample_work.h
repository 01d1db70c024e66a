/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the threads of a sample work with, block by block; for the sampler alone. */
#ifndef SB_SAMPLE_SAMPLE_WORK_H
#define SB_SAMPLE_SAMPLE_WORK_H

#include "sample/sample.h"
#include "sample/work_blocks.h"
#include "statistic/statistic.h"

/* What one thread works with: decks side by side, counted by rank or by item and position, or plain C and the
 * tallies of one statistic. */
struct sb_sample_worker {
    struct sb_lanes_tally lanes;
    struct sb_lanes_matrix matrix;
    sb_item *dealt; /* [block * deal]: decks side by side that the tallies are to be shown, else NULL */
    struct sb_plain plain;     /* stays open over pauses, for a generator without a counter to go on */
    size_t members, cells;     /* of the statistic */
    uint64_t *count;           /* [members * cells] */
    uint32_t *cell;            /* [members] where the last deal fell */
    struct sb_tallies tallies; /* a fork */
    uint64_t counted;
};

/* One call's shared state. */
struct sb_sample_run {
    const struct sb_sample *sample;
    struct sb_recipe recipe; /* which the stop flag does not reach where blocks are to be whole */
    const struct sb_statistic_type *statistic;
    struct sb_lanes_program program;
    bool side_by_side;
    size_t block;                /* decks in a block */
    struct sb_blocks blocks;     /* to be done */
    uint64_t end;                /* the block behind them */
    uint64_t total;              /* decks in them */
    uint64_t before;             /* the first block that was not counted earlier */
    uint64_t next;               /* block to be taken first by the next leg */
    struct sb_work_blocks queue; /* those of this leg */
    atomic_bool paused;          /* no more blocks are taken for now */
    _Atomic uint64_t done;       /* decks counted so far, for the progress */
    atomic_int status;           /* enum sb_status of a thread that failed */
    struct sb_tallies *tallies;  /* of the call; NULL where nobody asks for more */
    size_t threads;
    struct sb_sample_worker **workers; /* [threads] each thread's own; NULL for one that could not begin */
    struct sb_evidence *evidence;
};

/* Makes a thread's worker ready, with empty tallies; *opened may have been at work before, else is NULL, as
 * after a failure. SB_NO_MEMORY; SB_INVALID: the generator refuses the seed. */
enum sb_status sb_sample_worker_open(const struct sb_sample_run *run, struct sb_sample_worker **opened);
void sb_sample_worker_close(struct sb_sample_worker *worker);

/* Leaves a worker without tallies. */
void sb_sample_worker_clear(struct sb_sample_worker *worker);

/* Counts the decks of a block, so many; fewer if it is stopped. */
size_t sb_sample_block(const struct sb_sample_run *run, struct sb_sample_worker *worker, uint64_t block,
                       size_t decks);

/* Whether somebody needs the decks of a block that was counted earlier. */
bool sb_sample_needs(const struct sb_sample_run *run, uint64_t block);

/* Has a block dealt that was counted earlier, for those alone who compare decks. */
void sb_sample_pass(const struct sb_sample_run *run, struct sb_sample_worker *worker, uint64_t block,
                    size_t decks);

/* Adds a thread's tallies to the evidence: the counts by rank, or the matrix without its column "not dealt".
 */
void sb_sample_collect(struct sb_sample_run *run, struct sb_sample_worker *worker);

#endif
