/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of work that the threads of one process, or of all MPI ranks, share. */
#ifndef SB_SAMPLE_WORK_BLOCKS_H
#define SB_SAMPLE_WORK_BLOCKS_H

#include "core/core.h"

#include <pthread.h>
#include <stdatomic.h>

/* A queue of the blocks from `next` to end-1. Every MPI rank has a struct of its own; all ranks open and
 * close their structs at the same points of the program. */
struct sb_work_blocks {
    const struct sb_ranks *ranks; /* NULL: a single process */
    size_t threads;               /* number of threads of this process that take blocks */
    _Atomic uint64_t next;
    uint64_t end;
    atomic_bool shut;       /* whether threads must stop taking blocks */
    pthread_mutex_t asking; /* held by a thread that requests blocks from the root */
};

/* The blocks that one thread has taken but not done yet. Initialise this struct with zeroes. */
struct sb_work_blocks_hand {
    uint64_t next, end;
    uint64_t size; /* number of blocks to take at once */
    double since;  /* when this thread last took blocks, in seconds of the clock */
};

/* Open and close the queue. Each function waits for all ranks, so no rank takes a block before all ranks have
 * opened the queue, or after one rank has closed the queue. */
void sb_work_blocks_open(struct sb_work_blocks *queue, const struct sb_ranks *ranks, size_t threads,
                         uint64_t first, uint64_t end);
void sb_work_blocks_close(struct sb_work_blocks *queue);

/* Takes the next block. Returns false if no block is left. The thread must do every block that it takes, so
 * that the finished blocks are always the first blocks. */
bool sb_work_blocks_take(struct sb_work_blocks *queue, struct sb_work_blocks_hand *hand, uint64_t *block);

/* Stops all threads from taking further blocks. Only the root may call this function, from any of its threads
 * and any number of times. */
void sb_work_blocks_shut(struct sb_work_blocks *queue);

/* Returns the first block that no thread has taken. Call this function at the root, after closing the
 * queue. */
uint64_t sb_work_blocks_left(const struct sb_work_blocks *queue);

#endif
