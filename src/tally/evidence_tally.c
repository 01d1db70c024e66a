/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts between tallies and evidence. For deals counted by rank, the threads classify each distinct deal
 * only once. Cost for each distinct deal: an unranking, a classification, and an addition for each member.
 */
#include "tally/evidence_tally.h"

#include "core/core.h"
#include "core/system.h"
#include "statistic/statistic.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Makes the matrix of kinds by positions from the cards at each position. */
static enum sb_status tallied_cards(const struct sb_tally *tally, struct sb_evidence *evidence)
{
    const size_t kinds = tally->cells, deal = tally->members;

    if (sb_numbers_open(SB_NUMBERS_U64, kinds * deal, &evidence->matrix))
        return SB_NO_MEMORY;
    for (size_t j = 0; j < deal; j++)
        for (size_t kind = 0; kind < kinds; kind++)
            evidence->matrix.u64[kind * deal + j] = tally->count[j * kinds + kind];
    return SB_OK;
}

enum sb_status sb_evidence_tallied(const struct sb_tally tally[], size_t count, size_t n, size_t deal,
                                   struct sb_evidence *evidence)
{
    struct sb_evidence made = { .by = SB_BY_SAMPLE, .n = n, .deal = deal };

    mpz_init(made.denominator);
    for (size_t i = 0; i < count; i++) {
        const struct sb_tally *const one = &tally[i];
        const bool rank = strcmp(one->statistic, sb_statistic_rank.name) == 0;
        const size_t rows = rank ? 1 : one->members, columns = rank ? one->cells : deal;
        struct sb_numbers copy;

        made.total = one->total;
        if (strcmp(one->statistic, sb_statistic_card_at.name) == 0 && !one->lag) {
            if (tallied_cards(one, &made)) {
                sb_evidence_close(&made);
                return SB_NO_MEMORY;
            }
            continue;
        }
        if (one->first || (!rank && strcmp(one->statistic, sb_statistic_position.name) != 0))
            continue; /* merged cells, as for the positions of large decks, are not a matrix */
        if (sb_numbers_open(SB_NUMBERS_U64, rows * columns, &copy)) {
            sb_evidence_close(&made);
            return SB_NO_MEMORY;
        }
        for (size_t row = 0; row < rows; row++) /* without the column "not dealt" */
            memcpy(copy.u64 + row * columns, one->count + row * one->cells, columns * sizeof *copy.u64);
        if (rank) {
            made.cells = columns;
            made.counts = copy;
        } else {
            made.matrix = copy;
        }
    }
    *evidence = made;
    return SB_OK;
}

uint64_t *sb_evidence_positions(const struct sb_evidence *evidence)
{
    const size_t columns = evidence->deal + (evidence->deal < evidence->n);
    uint64_t *const count = calloc(evidence->n * columns + 1, sizeof *count);

    for (size_t i = 0; count && i < evidence->n; i++) {
        uint64_t dealt = 0;

        for (size_t j = 0; j < evidence->deal; j++) {
            count[i * columns + j] = evidence->matrix.u64[i * evidence->deal + j];
            dealt += count[i * columns + j];
        }
        if (columns > evidence->deal)
            count[i * columns + evidence->deal] = evidence->total - dealt;
    }
    return count;
}

enum { CLASSIFY_BLOCK = 8192 }; /* number of ranks that a thread takes at once */

/* State that the threads share. */
struct classify_run {
    const struct sb_evidence *evidence;
    struct sb_observer *observer; /* protected by the lock */
    /* first rank of the next block; a thread whose allocation fails takes no block */
    atomic_size_t next;
    pthread_mutex_t lock;
};

/* Adds each deal of a block of ranks as often as the deal occurred; a[deal] is scratch. */
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

/* A thread's work: takes blocks until none is left. */
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
