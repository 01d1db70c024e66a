/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Millions of shuffles, tallied.
 *
 * Every thread takes the next block that is left, and counts into tallies of its own; they are added up at
 * the end, so that the result depends on nothing but the recipe. Cost: the shuffles, and per thread one pass
 * over the cells.
 */
#include "engine/sample.h"

#include "core/error.h"
#include "engine/lanes.h"
#include "statistic/statistic.h"

#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

/* What one thread works with: decks side by side, counted by rank or by item and position, or plain C and the
 * tallies of one statistic. */
struct sample_worker {
    struct sb_lanes_tally lanes;
    struct sb_lanes_matrix matrix;
    sb_item *dealt; /* [block * deal]: decks side by side that the witness is to see, else NULL */
    struct sb_plain plain;
    size_t members, cells; /* of the statistic */
    uint64_t *count;       /* [members * cells] */
    uint32_t *cell;        /* [members] where the last deal fell */
    struct sb_witness witness;
    uint64_t counted;
};

/* One call's shared state. */
struct sample_run {
    const struct sb_sample *sample;
    const struct sb_statistic_type *statistic;
    struct sb_lanes_program program;
    bool side_by_side;
    size_t block; /* decks in a block */
    uint64_t blocks;
    uint64_t next;                  /* block to be taken */
    uint64_t done;                  /* decks counted so far, for the progress */
    int status;                     /* enum sb_status of a thread that failed */
    struct sb_witness *witness;     /* of the call; NULL where nobody asks for more */
    struct sample_worker **workers; /* [threads] each thread's own; NULL for one that could not begin */
    struct sb_evidence *evidence;
};

static bool sample_stopped(const struct sample_run *run)
{
    const volatile sig_atomic_t *const stop = run->sample->recipe.stop;

    return stop && *stop;
}

static void sample_worker_close(struct sample_worker *worker)
{
    sb_lanes_tally_close(&worker->lanes);
    sb_lanes_matrix_close(&worker->matrix);
    sb_plain_close(&worker->plain);
    free(worker->dealt);
    free(worker->count);
    free(worker->cell);
    sb_witness_close(&worker->witness);
    free(worker);
}

static enum sb_status sample_lanes_open(const struct sample_run *run, struct sample_worker *worker)
{
    const struct sb_lanes_program *const program = &run->program;

    if (run->witness)
        worker->dealt = calloc(run->block * program->deal + 1, sizeof *worker->dealt);
    if (run->witness && !worker->dealt)
        return SB_NO_MEMORY;
    if (program->cells > 0)
        return sb_lanes_tally_open(program->cells, &worker->lanes);
    return sb_lanes_matrix_open(program->n, program->deal, &worker->matrix);
}

static enum sb_status sample_plain_open(const struct sample_run *run, struct sample_worker *worker)
{
    worker->count = calloc(worker->members * worker->cells + 1, sizeof *worker->count);
    worker->cell = calloc(worker->members + 1, sizeof *worker->cell);
    if (!worker->count || !worker->cell)
        return SB_NO_MEMORY;
    return sb_plain_open(&run->sample->recipe, &worker->plain);
}

static enum sb_status sample_worker_open(const struct sample_run *run, struct sample_worker **opened)
{
    const struct sb_recipe *const recipe = &run->sample->recipe;
    const size_t n = recipe->shuffler->n, deal = recipe->shuffler->deal;
    struct sample_worker *const worker = calloc(1, sizeof *worker);
    enum sb_status status;

    if (!worker)
        return SB_NO_MEMORY;
    worker->members = run->statistic->members(n, deal);
    worker->cells = run->statistic->cells(n, deal);
    status = run->side_by_side ? sample_lanes_open(run, worker) : sample_plain_open(run, worker);
    if (status == SB_OK && run->witness)
        status = sb_witness_fork(run->witness, &worker->witness);
    if (status == SB_OK)
        *opened = worker;
    else
        sample_worker_close(worker);
    return status;
}

/* Counts the decks of a block, side by side. The witness has them dealt again: it is by far the slower. */
static void sample_lanes(const struct sample_run *run, struct sample_worker *worker, uint64_t block,
                         size_t decks)
{
    const struct sb_lanes_isa *const isa = sb_lanes_best();
    const struct sb_lanes_program *const program = &run->program;
    const uint64_t seed = run->sample->recipe.seed;

    if (program->cells > 0)
        isa->tally(program, seed, block, decks, &worker->lanes);
    else
        isa->matrix(program, seed, block, decks, &worker->matrix);
    if (!run->witness)
        return;
    isa->deal(program, seed, block, decks, worker->dealt);
    sb_witness_add(&worker->witness, worker->dealt, decks);
}

/* Counts the decks of a block; fewer if it is stopped. */
static size_t sample_block(const struct sample_run *run, struct sample_worker *worker, uint64_t block,
                           size_t decks)
{
    const struct sb_recipe *const recipe = &run->sample->recipe;
    const size_t n = recipe->shuffler->n, deal = recipe->shuffler->deal;

    sb_witness_begin(&worker->witness, block * run->block);
    if (run->side_by_side) {
        sample_lanes(run, worker, block, decks);
        return decks;
    }
    const size_t members = worker->members, cells = worker->cells;
    uint64_t *const count = worker->count;
    uint32_t *const cell = worker->cell;
    sb_plain_seek(&worker->plain, block);
    for (size_t d = 0; d < decks; d++) {
        if (sb_plain_next(&worker->plain))
            return d;
        run->statistic->classify(n, deal, worker->plain.deck.a, cell);
        for (size_t m = 0; m < members; m++)
            count[m * cells + cell[m]]++;
        if (run->witness)
            sb_witness_add(&worker->witness, worker->plain.deck.a, 1);
    }
    return decks;
}

/* Adds a thread's tallies to the evidence: the counts by rank, or the matrix without its column "not dealt".
 */
static void sample_collect(struct sample_run *run, struct sample_worker *worker)
{
    struct sb_evidence *const evidence = run->evidence;

    evidence->total += worker->counted;
    if (run->witness)
        sb_witness_join(run->witness, &worker->witness);
    if (run->side_by_side && evidence->cells > 0) {
        sb_lanes_tally_add(&worker->lanes, evidence->count);
        return;
    }
    if (run->side_by_side) {
        sb_lanes_matrix_settle(&worker->matrix);
        for (size_t i = 0; i < evidence->n * evidence->deal; i++)
            evidence->matrix[i] += worker->matrix.count[i];
        return;
    }
    for (size_t i = 0; i < evidence->cells; i++)
        evidence->count[i] += worker->count[i];
    for (size_t i = 0; evidence->cells == 0 && i < evidence->n; i++)
        for (size_t j = 0; j < evidence->deal; j++)
            evidence->matrix[i * evidence->deal + j] += worker->count[i * worker->cells + j];
}

static void sample_report(const struct sample_run *run, uint64_t done)
{
    const struct sb_sample *const sample = run->sample;

    if (sample->progress)
        sample->progress(sample->progress_state, sample->subject, done, sample->total);
}

/* A thread's work: blocks until none is left. Thread 0 is the one that called. */
static void sample_work(struct sample_run *run, size_t thread)
{
    struct sample_worker *worker = NULL;
    enum sb_status status = sample_worker_open(run, &worker);

    while (status == SB_OK && !sample_stopped(run)) {
        uint64_t block, done;

#pragma omp atomic capture
        block = run->next++;
        if (block >= run->blocks)
            break;
        const uint64_t left = run->sample->total - block * run->block;
        const size_t counted =
            sample_block(run, worker, block, left < run->block ? (size_t)left : run->block);
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
static int sample_threads(const struct sample_run *run)
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
    return (int)(threads < run->blocks ? threads : run->blocks + !run->blocks);
#else
    (void)run;
    return 1;
#endif
}

static enum sb_status sample_run_threads(struct sample_run *run, size_t threads)
{
    run->workers = calloc(threads, sizeof *run->workers);
    if (!run->workers)
        return SB_NO_MEMORY;
#ifdef _OPENMP
#pragma omp parallel num_threads((int)threads)
    sample_work(run, (size_t)omp_get_thread_num());
#else
    sample_work(run, 0);
#endif
    for (size_t i = 0; i < threads; i++) {
        if (!run->workers[i])
            continue;
        sample_collect(run, run->workers[i]);
        sample_worker_close(run->workers[i]);
    }
    free(run->workers);
    return SB_OK;
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
    return sb_error_set(
        error, SB_INVALID,
        "%s with seed %llu gives the same few words over and over: take another seed or generator",
        sample->recipe.rng->name, (unsigned long long)sample->recipe.seed);
}

enum sb_status sb_sample_tally(const struct sb_sample *sample, struct sb_error *error,
                               struct sb_evidence *evidence)
{
    const struct sb_shuffler *const shuffler = sample->recipe.shuffler;
    const size_t n = shuffler->n, deal = shuffler->deal;
    struct sb_evidence tallies = { 0 };
    struct sample_run run = { .sample = sample, .block = sb_block_decks(n), .evidence = &tallies };

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
    run.blocks = sample->total / run.block + (sample->total % run.block > 0);
    tallies.rng = sample->recipe.rng->name;
    tallies.seed = sample->recipe.seed;
    if (sample_run_threads(&run, (size_t)sample_threads(&run)))
        run.status = SB_NO_MEMORY;
    if (run.status && tallies.total < sample->total) {
        sb_evidence_close(&tallies);
        return sample_failed(sample, (enum sb_status)run.status, error);
    }
    tallies.interrupted = tallies.total < sample->total;
    *evidence = tallies;
    return SB_OK;
}
