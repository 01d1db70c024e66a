/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tallies millions of shuffles.
 *
 * Each thread repeatedly takes the next free block, and counts the decks of this block in the thread's own
 * tallies. The tallies of all threads are added up at each pause and at the end, so the result depends only
 * on the recipe and the number of decks. A run that resumes from a pause deals the earlier blocks again if
 * the decks of these blocks are compared with later decks, or if the generator has no counter. Cost: the
 * shuffles, and for each thread one pass over the cells at each pause.
 */
#include "sample/sample.h"

#include "core/core.h"
#include "core/system.h"
#include "sample/sample_work.h"
#include "statistic/statistic.h"

#include <stdlib.h>
#include <string.h>

static bool sample_stopped(const struct sb_sample_run *run)
{
    const volatile sig_atomic_t *const stop = run->sample->recipe.stop;

    return stop && *stop;
}

/* Takes a thread's next block. Returns false if no block is left, or if the run pauses or stops. */
static bool sample_take(struct sb_sample_run *run, struct sb_work_blocks_hand *hand, uint64_t *block)
{
    if (run->paused || sample_stopped(run))
        sb_work_blocks_shut(&run->queue);
    return sb_work_blocks_take(&run->queue, hand, block);
}

/* Reports progress and asks whether to pause, after each block of the calling thread. So there is at least
 * one block between two pauses. With several MPI ranks, progress is estimated from the index of this block,
 * since all ranks take blocks in order. */
static void sample_report(struct sb_sample_run *run, uint64_t block, uint64_t done)
{
    const struct sb_sample *const sample = run->sample;

    if (sample->ranks)
        done = block + 1 < run->end ? (block + 1 - run->blocks.first) * run->block : run->total;
    if (sample->progress)
        sample->progress(sample->progress_state, sample->subject, done, run->total);
    if (sample->pause && sample->pause->due && sample->pause->due(sample->pause->state))
        run->paused = true;
}

/* Does the work of a thread: takes blocks until none is left. Thread 0 is the calling thread. */
static void sample_work(void *state, size_t thread)
{
    struct sb_sample_run *const run = state;
    struct sb_sample_worker *worker = run->workers[thread];
    enum sb_status status = sb_sample_worker_open(run, &worker);
    struct sb_work_blocks_hand hand = { 0 };
    uint64_t block;

    while (status == SB_OK && sample_take(run, &hand, &block)) {
        const uint64_t left = run->sample->total - block * run->block;
        const size_t decks = left < run->block ? (size_t)left : run->block;
        size_t counted = 0;
        if (block >= run->before)
            counted = sb_sample_block(run, worker, block, decks);
        else if (sb_sample_needs(run, block))
            sb_sample_pass(run, worker, block, decks);
        worker->counted += counted;
        const uint64_t done = atomic_fetch_add(&run->done, counted) + counted;

        if (thread == 0)
            sample_report(run, block, done);
        if (!run->side_by_side && worker->plain.src.status == SB_BROKEN)
            status = SB_BROKEN;
    }
    if (status)
        run->status = (int)status;
    run->workers[thread] = worker;
}

/* Returns the number of threads: the requested number, but at most as many as are useful, and fewer if the
 * tallies of each thread take much memory. If the generator has no counter, the number is 1. */
static size_t sample_threads(const struct sb_sample_run *run)
{
    const struct sb_recipe *const recipe = &run->sample->recipe;
    const size_t n = recipe->shuffler->n, deal = recipe->shuffler->deal;
    const uint64_t tallies = (uint64_t)run->statistic->members(n, deal) * run->statistic->cells(n, deal);
    const uint64_t fit = (UINT64_C(1) << 27) / (tallies + 1); /* how many sets of 64-bit cells fit in 1 GiB */
    const uint64_t room = fit > 2 ? fit - 1 : 1;              /* the evidence has one of these sets */
    const uint64_t useful = room < run->blocks.count ? room : run->blocks.count;

    if (!recipe->rng->type->seek)
        return 1;
    return sb_threads_count(run->sample->threads, useful);
}

/* Adds up the counts of all MPI ranks at the root. */
static void sample_meet(struct sb_sample_run *run)
{
    const struct sb_ranks *const ranks = run->sample->ranks;
    struct sb_evidence *const evidence = run->evidence;

    sb_ranks_sum(ranks, &evidence->total, 1);
    if (evidence->cells)
        sb_ranks_sum(ranks, evidence->counts.u64, evidence->cells);
    else
        sb_ranks_sum(ranks, evidence->matrix.u64, evidence->n * evidence->deal);
    if (run->tallies)
        sb_tallies_meet(run->tallies, ranks);
}

/* Runs a leg, the part of a run up to a pause or the end: lets all threads work, and adds up their
 * tallies. */
static void sample_leg(struct sb_sample_run *run)
{
    const size_t threads = run->threads;

    run->paused = false;
    sb_work_blocks_open(&run->queue, run->sample->ranks, threads, run->next, run->end);
    sb_threads_run(threads, sample_work, run);
    for (size_t i = 0; i < threads; i++) {
        if (!run->workers[i])
            continue;
        sb_sample_collect(run, run->workers[i]);
        sb_sample_worker_clear(run->workers[i]);
    }
    sb_work_blocks_close(&run->queue);
    run->next = sb_work_blocks_left(&run->queue);
}

/* Receives from the root whether another leg of the run follows, and which blocks are in that leg. */
static bool sample_told(struct sb_sample_run *run, bool on)
{
    uint64_t word[] = { on, run->next, run->before, run->end };

    sb_ranks_broadcast(run->sample->ranks, word, sizeof word);
    run->next = word[1];
    run->before = word[2];
    run->end = word[3];
    return word[0];
}

/* Decides whether another leg of the run follows. Only the decision of the root counts, since the other ranks
 * know only their own state. */
static bool sample_goes_on(struct sb_sample_run *run, struct sb_error *error, enum sb_status *status)
{
    const struct sb_pause *const pause = run->sample->pause;

    if (!run->paused || run->next >= run->end || run->status || sample_stopped(run))
        return false;
    *status = pause->take(pause->state, run->evidence, error);
    return *status == SB_OK;
}

static enum sb_status sample_failed(const struct sb_sample *sample, enum sb_status status,
                                    struct sb_error *error)
{
    if (status == SB_NO_MEMORY)
        return sb_error_memory(error, "the tallies of a thread");
    return sb_error_stuck(error, SB_INVALID, sample->subject ? sample->subject : sample->recipe.rng->name,
                          sample->recipe.seed);
}

/* Runs legs, each up to a pause or the end, until everything is counted. If a callback of a pause fails,
 * returns its error. If a thread fails, the root stores the error in run->status, and each other rank returns
 * the error. */
static enum sb_status sample_run_legs(struct sb_sample_run *run, struct sb_error *error)
{
    const struct sb_ranks *const ranks = run->sample->ranks;
    enum sb_status status = SB_OK;

    for (bool on = true; on;) {
        sample_leg(run);
        if (run->status && !sb_ranks_is_root(ranks))
            return sample_failed(run->sample, (enum sb_status)run->status, error);
        sample_meet(run);
        on = sample_told(run, sample_goes_on(run, error, &status));
    }
    if (run->tallies && run->tallies->noted)
        sb_repeats_sample_meet(run->tallies->noted, ranks);
    return status;
}

/* Starts from earlier tallies. */
static void sample_go_on(struct sb_sample_run *run, const struct sb_evidence *before)
{
    struct sb_evidence *const evidence = run->evidence;

    if (evidence->cells)
        memcpy(evidence->counts.u64, before->counts.u64, evidence->cells * sizeof evidence->counts.u64[0]);
    else
        memcpy(evidence->matrix.u64, before->matrix.u64,
               evidence->matrix.size * sizeof evidence->matrix.u64[0]);
    evidence->total = before->total;
    run->done = before->total;
    run->before += before->total / run->block + (before->total % run->block > 0);
    while (run->next < run->before && !sb_sample_needs(run, run->next))
        run->next++;
}

enum sb_status sb_sample_check(size_t n, size_t deal, struct sb_error *error)
{
    if (sb_cells(n, deal) || n * deal <= SB_MATRIX_MOST)
        return SB_OK;
    return sb_error_set(
        error, SB_TOO_LARGE,
        "`n = %zu` is too large for a matrix of items by positions: use n <= 8192, or `deal=%zu`", n,
        SB_MATRIX_MOST / n);
}

bool sb_sample_side_by_side(const struct sb_recipe *recipe, struct sb_lanes_program *program)
{
    return recipe->draw->type->any_words && recipe->rng->type->in_vectors &&
           sb_lanes_prepare(recipe->shuffler, program) == SB_OK;
}

/* Sets up everything except the workers. Even after an error, the run must be closed. */
static enum sb_status sample_open(struct sb_sample_run *run, struct sb_error *error)
{
    const struct sb_sample *const sample = run->sample;
    const size_t n = sample->recipe.shuffler->n, deal = sample->recipe.shuffler->deal;
    struct sb_evidence *const tallies = run->evidence;
    const enum sb_status status = sb_sample_check(n, deal, error);

    if (status)
        return status;
    if (sb_evidence_open(SB_BY_SAMPLE, n, deal, tallies))
        return sb_error_memory(error, "the tallies");
    tallies->rng = sample->recipe.rng->name;
    tallies->seed = sample->recipe.seed;
    run->block = sb_block_decks(n);
    run->blocks = sample->part ? *sample->part : sb_blocks_all(n, sample->total);
    run->next = run->before = run->blocks.first;
    run->end = run->blocks.first + run->blocks.count;
    run->total = sb_blocks_decks(run->blocks, n, sample->total);
    run->statistic = tallies->cells ? &sb_statistic_rank : &sb_statistic_position;
    run->tallies = sample->tallies && sb_tallies_wanted(sample->tallies) ? sample->tallies : NULL;
    run->side_by_side = sb_sample_side_by_side(&sample->recipe, &run->program);
    run->threads = sample_threads(run);
    run->workers = calloc(run->threads, sizeof *run->workers);
    if (!run->workers)
        return sb_error_memory(error, "the tallies of a thread");
    if (sample->pause)
        run->recipe.stop = NULL;
    if (sample->pause && sample->pause->before)
        sample_go_on(run, sample->pause->before);
    return SB_OK;
}

static void sample_close(struct sb_sample_run *run)
{
    for (size_t i = 0; run->workers && i < run->threads; i++)
        if (run->workers[i])
            sb_sample_worker_close(run->workers[i]);
    free(run->workers);
}

enum sb_status sb_sample_tally(const struct sb_sample *sample, struct sb_error *error,
                               struct sb_evidence *evidence)
{
    struct sb_evidence tallies = { 0 };
    struct sb_sample_run run = { .sample = sample, .recipe = sample->recipe, .evidence = &tallies };
    enum sb_status status = sample_open(&run, error);

    if (!sample_told(&run, status == SB_OK) && !sb_ranks_is_root(sample->ranks))
        status = SB_OK; /* the root has given up, so a failure at this rank does not matter */
    else if (status == SB_OK)
        status = sample_run_legs(&run, error);
    sample_close(&run);
    if (status == SB_OK && run.status && tallies.total < run.total)
        status = sample_failed(sample, (enum sb_status)run.status, error);
    if (status) {
        sb_evidence_close(&tallies);
        return status;
    }
    tallies.interrupted = tallies.total < run.total;
    *evidence = tallies;
    return SB_OK;
}
