/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of work, shared by the threads of one process or of all ranks. */
#ifndef SB_SAMPLE_WORK_BLOCKS_H
#define SB_SAMPLE_WORK_BLOCKS_H

#include "core/ranks.h"

#include <pthread.h>
#include <stdatomic.h>

/* Blocks `next`..`end` - 1. Every rank has its own struct, and opens, closes and uses it at the same
 * points. */
struct sb_work_blocks {
    const struct sb_ranks *ranks; /* NULL: a single process */
    size_t threads;               /* number of threads of this process that take blocks */
    _Atomic uint64_t next;
    uint64_t end;
    atomic_bool shut;       /* whether threads must stop taking blocks */
    pthread_mutex_t asking; /* lock of the thread that asks the ranks */
};

/* The blocks that one thread has taken and not yet done. Initialise it with zeroes. */
struct sb_work_blocks_hand {
    uint64_t next, end;
    uint64_t size; /* number of blocks to take at once */
    double since;  /* when this thread took its last blocks, in seconds of the clock */
};

/* Open and close the queue. Both wait for all ranks: no rank takes a block before all have opened or after
 * one has closed. */
void sb_work_blocks_open(struct sb_work_blocks *queue, const struct sb_ranks *ranks, size_t threads,
                         uint64_t first, uint64_t end);
void sb_work_blocks_close(struct sb_work_blocks *queue);

/* Takes the next block; false if there is none. The thread must do every block that it takes, so the finished
 * blocks are always the first ones. */
bool sb_work_blocks_take(struct sb_work_blocks *queue, struct sb_work_blocks_hand *hand, uint64_t *block);

/* Leaves the remaining blocks untaken. Only the root calls it, from any thread, any number of times. */
void sb_work_blocks_shut(struct sb_work_blocks *queue);

/* The first block that no thread has taken. Call it at the root, after closing. */
uint64_t sb_work_blocks_left(const struct sb_work_blocks *queue);

#endif
