/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of work that wait to be taken, by the threads of one process or of all ranks. */
#ifndef SB_SAMPLE_WORK_BLOCKS_H
#define SB_SAMPLE_WORK_BLOCKS_H

#include "core/ranks.h"

#include <pthread.h>
#include <stdatomic.h>

/* Block `next`..`end` - 1. Every member has one of its own, and opens, closes and asks it at the same places.
 */
struct sb_work_blocks {
    const struct sb_ranks *ranks; /* NULL: alone */
    size_t threads;               /* that take from it here */
    _Atomic uint64_t next;
    uint64_t end;
    atomic_bool shut;       /* no more are taken for now */
    pthread_mutex_t asking; /* held by the thread that asks the ranks */
};

/* What one thread has taken and not yet done. Begins as zeroes. */
struct sb_work_blocks_hand {
    uint64_t next, end;
    uint64_t size; /* blocks that it takes at once */
    double since;  /* seconds of the clock, when it got the last ones */
};

/* The ranks meet at either: all are there before a block is taken, and none is taken thereafter. */
void sb_work_blocks_open(struct sb_work_blocks *queue, const struct sb_ranks *ranks, size_t threads,
                         uint64_t first, uint64_t end);
void sb_work_blocks_close(struct sb_work_blocks *queue);

/* The next block; false once there is none. What was taken is to be done, so what is done are the first ones.
 */
bool sb_work_blocks_take(struct sb_work_blocks *queue, struct sb_work_blocks_hand *hand, uint64_t *block);

/* Blocks that nobody has taken stay; called by the first member alone, by any thread, and as often as it
 * likes. */
void sb_work_blocks_shut(struct sb_work_blocks *queue);

/* Once it is closed, to the first member: the first block that nobody has taken. */
uint64_t sb_work_blocks_left(const struct sb_work_blocks *queue);

#endif
