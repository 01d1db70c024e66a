/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Millions of shuffles, tallied.
 *
 * Every thread takes the next block that is left, and counts into tallies of its own; they are added up at
 * the end, and at each pause, so that the result depends on nothing but the recipe. Who goes on from a pause
 * has the blocks before dealt again where their decks are compared with later ones, or where a generator
 * without a counter gets no further otherwise. Cost: the shuffles, and per thread and pause one pass over the
 * cells.
 */
#include "engine/sample.h"

#include "core/error.h"
#include "engine/sample_work.h"
#include "statistic/statistic.h"

#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

static bool sample_stopped(const struct sb_sample_run *run)
{
    const volatile sig_atomic_t *const stop = run->sample->recipe.stop;

    return stop && *stop;
}

/* Whether no more blocks are taken for now. */
static bool sample_rests(const struct sb_sample_run *run)
{
    int paused;

#pragma omp atomic read
    paused = run->paused;
    return paused || sample_stopped(run);
}

/* Once the calling thread has done a block: so there is one between two pauses, however often they are due.
 */
static void sample_report(struct sb_sample_run *run, uint64_t done)
{
    const struct sb_sample *const sample = run->sample;

    if (sample->progress)
        sample->progress(sample->progress_state, sample->subject, done, run->total);
    if (sample->pause && sample->pause->due && sample->pause->due(sample->pause->state)) {
#pragma omp atomic write
        run->paused = 1;
    }
}

/* A thread's work: blocks until none is left. Thread 0 is the one that called. */
static void sample_work(struct sb_sample_run *run, size_t thread)
{
    struct sb_sample_worker *worker = run->workers[thread];
    enum sb_status status = sb_sample_worker_open(run, &worker);

    while (status == SB_OK && !sample_rests(run)) {
        uint64_t block, done;

#pragma omp atomic capture
        block = run->next++;
        if (block >= run->end)
            break;
        const uint64_t left = run->sample->total - block * run->block;
        const size_t decks = left < run->block ? (size_t)left : run->block;
        size_t counted = 0;
        if (block >= run->before)
            counted = sb_sample_block(run, worker, block, decks);
        else if (sb_sample_needs(run, block))
            sb_sample_pass(run, worker, block, decks);
        worker->counted += counted;
#pragma omp atomic capture
        done = run->done += counted;
        if (thread == 0)
            sample_report(run, done);
        if (!run->side_by_side && worker->plain.src.status == SB_BROKEN)
            status = SB_BROKEN;
    }
    if (status) {
#pragma omp atomic write
        run->status = status;
    }
    run->workers[thread] = worker;
}

/* As many threads as are asked for and of use: one without a counter, fewer where each one's tallies are
 * large. */
static int sample_threads(const struct sb_sample_run *run)
{
#ifdef _OPENMP
    const struct sb_recipe *const recipe = &run->sample->recipe;
    const size_t n = recipe->shuffler->n, deal = recipe->shuffler->deal;
    const uint64_t tallies = (uint64_t)run->statistic->members(n, deal) * run->statistic->cells(n, deal);
    const uint64_t fit = (UINT64_C(1) << 27) / (tallies + 1); /* 1 GiB of 64-bit cells in all, ... */
    const uint64_t room = fit > 2 ? fit - 1 : 1;              /* ... those of the evidence among them */
    uint64_t threads = run->sample->threads ? run->sample->threads : (uint64_t)omp_get_num_procs();

    if (!recipe->rng->type->seek)
        return 1;
    threads = threads < room ? threads : room;
    return (int)(threads < run->blocks.count ? threads : run->blocks.count + !run->blocks.count);
#else
    (void)run;
    return 1;
#endif
}

/* All threads work until the end or a pause, and their tallies are added up. */
static void sample_leg(struct sb_sample_run *run, size_t threads)
{
    run->paused = 0;
#ifdef _OPENMP
#pragma omp parallel num_threads((int)threads)
    sample_work(run, (size_t)omp_get_thread_num());
#else
    sample_work(run, 0);
#endif
    for (size_t i = 0; i < threads; i++) {
        if (!run->workers[i])
            continue;
        sb_sample_collect(run, run->workers[i]);
        sb_sample_worker_clear(run->workers[i]);
    }
}

/* What a pause fails with; what fails elsewhere is in run->status. */
static enum sb_status sample_run_threads(struct sb_sample_run *run, size_t threads, struct sb_error *error)
{
    const struct sb_pause *const pause = run->sample->pause;
    enum sb_status status = SB_OK;

    run->workers = calloc(threads, sizeof *run->workers);
    if (!run->workers)
        return sb_error_memory(error, "the tallies of a thread");
    sample_leg(run, threads);
    while (run->paused && run->next < run->end && !run->status && !status && !sample_stopped(run)) {
        status = pause->take(pause->state, run->evidence, error);
        if (status == SB_OK)
            sample_leg(run, threads);
    }
    for (size_t i = 0; i < threads; i++)
        if (run->workers[i])
            sb_sample_worker_close(run->workers[i]);
    free(run->workers);
    return status;
}

/* Goes on from tallies of earlier. */
static void sample_go_on(struct sb_sample_run *run, const struct sb_evidence *before)
{
    struct sb_evidence *const evidence = run->evidence;

    if (evidence->cells)
        memcpy(evidence->count, before->count, evidence->cells * sizeof evidence->count[0]);
    else
        memcpy(evidence->matrix, before->matrix, evidence->n * evidence->deal * sizeof evidence->matrix[0]);
    evidence->total = run->done = before->total;
    run->before += before->total / run->block + (before->total % run->block > 0);
    while (run->next < run->before && !sb_sample_needs(run, run->next))
        run->next++;
}

bool sb_sample_side_by_side(const struct sb_recipe *recipe, struct sb_lanes_program *program)
{
    return strcmp(recipe->draw->type->name, "ideal") == 0 && strcmp(recipe->rng->type->name, "philox") == 0 &&
           sb_lanes_prepare(recipe->shuffler, program) == SB_OK;
}

static enum sb_status sample_failed(const struct sb_sample *sample, enum sb_status status,
                                    struct sb_error *error)
{
    if (status == SB_NO_MEMORY)
        return sb_error_memory(error, "the tallies of a thread");
    return sb_error_stuck(error, SB_INVALID, sample->subject ? sample->subject : sample->recipe.rng->name,
                          sample->recipe.seed);
}

enum sb_status sb_sample_tally(const struct sb_sample *sample, struct sb_error *error,
                               struct sb_evidence *evidence)
{
    const struct sb_shuffler *const shuffler = sample->recipe.shuffler;
    const size_t n = shuffler->n, deal = shuffler->deal;
    struct sb_evidence tallies = { 0 };
    struct sb_sample_run run = {
        .sample = sample, .recipe = sample->recipe, .block = sb_block_decks(n), .evidence = &tallies
    };
    enum sb_status status;

    if (sb_cells(n, deal) == 0 && n * deal > SB_MATRIX_MOST)
        return sb_error_set(
            error, SB_TOO_LARGE,
            "n = %zu is too large for a matrix of items by positions: use n <= 8192, or --deal %zu", n,
            SB_MATRIX_MOST / n);
    if (sb_evidence_open(SB_BY_SAMPLE, n, deal, &tallies))
        return sb_error_memory(error, "the tallies");
    run.statistic = tallies.cells ? &sb_statistic_rank : &sb_statistic_position;
    run.witness = sample->witness && sb_witness_wanted(sample->witness) ? sample->witness : NULL;
    run.side_by_side = sb_sample_side_by_side(&sample->recipe, &run.program);
    run.blocks = sample->part ? *sample->part : sb_blocks_all(n, sample->total);
    run.next = run.before = run.blocks.first;
    run.end = run.blocks.first + run.blocks.count;
    run.total = sb_blocks_decks(run.blocks, n, sample->total);
    tallies.rng = sample->recipe.rng->name;
    tallies.seed = sample->recipe.seed;
    if (sample->pause)
        run.recipe.stop = NULL;
    if (sample->pause && sample->pause->before)
        sample_go_on(&run, sample->pause->before);
    status = sample_run_threads(&run, (size_t)sample_threads(&run), error);
    if (status) {
        sb_evidence_close(&tallies);
        return status;
    }
    if (run.status && tallies.total < run.total) {
        sb_evidence_close(&tallies);
        return sample_failed(sample, (enum sb_status)run.status, error);
    }
    tallies.interrupted = tallies.total < run.total;
    *evidence = tallies;
    return SB_OK;
}
