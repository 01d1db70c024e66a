/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistics of deals that were counted by rank: each deal that came up is classified once, by all threads.
 * Cost: for each of them an unranking, a classification, and an addition for each member.
 */
#include "core/permutation.h"
#include "core/system/threads.h"
#include "tally/statistics.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { CLASSIFY_BLOCK = 8192 }; /* ranks that a thread takes at once */

/* What the threads share. */
struct classify_run {
    const struct sb_evidence *evidence;
    struct sb_observer *observer; /* under the lock */
    atomic_size_t next;           /* rank to be taken; a thread without the memory to begin takes none */
    pthread_mutex_t lock;
};

/* Each rank of a block as often as it came up; a[deal] is scratch. */
static void classify_block(const struct sb_evidence *evidence, size_t first, struct sb_observer *observer,
                           sb_item a[])
{
    const size_t left = evidence->cells - first,
                 end = first + (left < CLASSIFY_BLOCK ? left : CLASSIFY_BLOCK);

    for (size_t rank = first; rank < end; rank++) {
        if (evidence->counts.u64[rank] == 0)
            continue;
        sb_permutation_unrank(evidence->n, evidence->deal, rank, a);
        sb_observer_add_times(observer, a, evidence->counts.u64[rank]);
    }
}

/* A thread's work: blocks until none is left. */
static void classify_work(void *state, size_t thread)
{
    struct classify_run *const run = state;
    sb_item *const a = calloc(run->evidence->deal + 1, sizeof *a);
    struct sb_observer *forked = NULL;

    (void)thread;
    if (a && sb_observer_fork(run->observer, &forked) == SB_OK) {
        size_t first;

        while ((first = atomic_fetch_add(&run->next, CLASSIFY_BLOCK)) < run->evidence->cells)
            classify_block(run->evidence, first, forked, a);
        pthread_mutex_lock(&run->lock);
        sb_observer_join(run->observer, forked);
        pthread_mutex_unlock(&run->lock);
    }
    sb_observer_free(forked);
    free(a);
}

enum sb_status sb_classify_counts(const struct sb_evidence *evidence, unsigned threads,
                                  struct sb_observer *observer)
{
    struct classify_run run = { .evidence = evidence,
                                .observer = observer,
                                .lock = PTHREAD_MUTEX_INITIALIZER };

    sb_threads_run(sb_threads_count(threads, evidence->cells / CLASSIFY_BLOCK), classify_work, &run);
    return run.next < evidence->cells ? SB_NO_MEMORY : SB_OK;
}
