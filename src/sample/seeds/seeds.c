/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shuffles the first deck from each seed of a generator.
 *
 * Each thread takes the next free block of seeds. Cost of a seed: reseeding the generator, a shuffle, and
 * storing the deck (sample/seeds/seeds_store.h). If decks are shuffled side by side, a seed costs hundreds of
 * shuffles, of which only the first is used.
 *
 * On average, N fair shuffles reach K (1 - (1 - 1/K)^N) of K deals.
 */
#include "sample/seeds/seeds.h"

#include "core/core.h"
#include "core/evidence.h"
#include "core/system.h"
#include "sample/sample.h"
#include "sample/seeds/seeds_store.h"
#include "sample/work_blocks.h"

#include <math.h>
#include <stdlib.h>

enum { SEEDS_BLOCK = 4096 }; /* number of seeds in a block; for large decks, a block has fewer */

static const uint64_t seeds_room = UINT64_C(1) << 31;

/* One thread's state. */
struct seeds_worker {
    /* plain.deck receives the first deck of a seed, even if decks are shuffled side by side */
    struct sb_plain plain;
    struct sb_seeds_notes notes;
    uint64_t refused; /* number of seeds without a deck */
};

/* State that the threads of one call share. */
struct seeds_run {
    const struct sb_seeds *seeds;
    struct sb_recipe recipe;
    struct sb_seeds_store store;
    uint64_t total, blocks;        /* numbers of seeds and of blocks */
    size_t block;                  /* number of seeds in a block */
    struct sb_work_blocks queue;   /* queue of blocks */
    _Atomic uint64_t done;         /* number of finished seeds, for `progress` */
    atomic_int status;             /* the enum sb_status of a thread that failed */
    struct seeds_worker **workers; /* [threads] */
    bool side_by_side;             /* whether decks are shuffled side by side, as in a sample */
    struct sb_lanes_program program;
};

static bool seeds_stopped(const struct seeds_run *run)
{
    const volatile sig_atomic_t *const stop = run->seeds->recipe.stop;

    return stop && *stop;
}

static void seeds_worker_close(struct seeds_worker *worker)
{
    sb_plain_close(&worker->plain);
    sb_seeds_notes_close(&worker->notes);
    free(worker);
}

static enum sb_status seeds_worker_open(const struct seeds_run *run, struct seeds_worker **opened)
{
    struct seeds_worker *const worker = calloc(1, sizeof *worker);
    enum sb_status status;

    if (!worker)
        return SB_NO_MEMORY;
    status = sb_seeds_notes_open(&run->store, run->block, &worker->notes);
    if (status == SB_OK)
        status = sb_plain_open(&run->recipe, &worker->plain);
    if (status == SB_OK)
        *opened = worker;
    else
        seeds_worker_close(worker);
    return status;
}

/* Makes the first deck of a seed, in the worker's deck. */
static enum sb_status seeds_shuffle(const struct seeds_run *run, struct seeds_worker *worker, uint64_t seed)
{
    enum sb_status status;

    if (run->side_by_side) {
        sb_lanes_best()->deal(&run->program, seed, 0, 1, worker->plain.deck.a);
        return seeds_stopped(run) ? SB_STOPPED : SB_OK;
    }
    status = sb_plain_reseed(&worker->plain, seed);
    return status ? status : sb_plain_next(&worker->plain);
}

/* Processes the seeds of a block. Returns how many seeds were processed: all, unless the stop flag is
 * raised. */
static uint64_t seeds_block(struct seeds_run *run, struct seeds_worker *worker, uint64_t block)
{
    const uint64_t first = block * run->block, left = run->total - first;
    const uint64_t count = left < run->block ? left : run->block;
    uint64_t through = 0;

    for (; through < count; through++) {
        const enum sb_status status = seeds_shuffle(run, worker, run->seeds->first + first + through);

        if (status == SB_STOPPED)
            break;
        if (status == SB_OK)
            sb_seeds_see(&run->store, &worker->notes, worker->plain.deck.a);
        else
            worker->refused++;
    }
    sb_seeds_end_block(&run->store, &worker->notes);
    return through;
}

/* Takes a thread's next block. Returns false if no block is left or the run is stopped. */
static bool seeds_take(struct seeds_run *run, struct sb_work_blocks_hand *hand, uint64_t *block)
{
    if (seeds_stopped(run))
        sb_work_blocks_shut(&run->queue);
    return sb_work_blocks_take(&run->queue, hand, block);
}

/* Does the work of a thread: takes blocks until none is left. Thread 0 is the calling thread. */
static void seeds_work(void *state, size_t thread)
{
    struct seeds_run *const run = state;
    const struct sb_seeds *const seeds = run->seeds;
    const enum sb_status status = seeds_worker_open(run, &run->workers[thread]);
    struct sb_work_blocks_hand hand = { 0 };
    uint64_t block;

    while (status == SB_OK && seeds_take(run, &hand, &block)) {
        const uint64_t through = seeds_block(run, run->workers[thread], block);
        uint64_t done = atomic_fetch_add(&run->done, through) + through;

        if (seeds->ranks) /* `done` has only the seeds of this MPI rank, but all ranks take blocks in order */
            done = block + 1 < run->blocks ? (block + 1) * run->block : run->total;
        if (thread == 0 && seeds->progress)
            seeds->progress(seeds->progress_state, seeds->subject, done, run->total);
    }
    if (status)
        run->status = (int)status;
}

/* Returns the number of threads: the requested number, but at most as many as are useful, and fewer if the
 * counts of each thread take much memory. */
static size_t seeds_threads(const struct seeds_run *run)
{
    const uint64_t room =
        /* limits the counts of all threads to 1 GiB of 64-bit cells */
        (UINT64_C(1) << 27) / (run->store.cells + 1) + 1;

    return sb_threads_count(run->seeds->threads, room < run->blocks ? room : run->blocks);
}

/* Sets what can be computed without a shuffle: the number of deals, log10_fraction and reached_fair. */
static void seeds_deals(size_t n, size_t deal, uint64_t decks, struct sb_reach *reach)
{
    long exponent;
    double deals;

    mpz_set_ui(reach->deals, 1);
    for (size_t i = 0; i < deal; i++)
        mpz_mul_ui(reach->deals, reach->deals, n - i);
    deals = mpz_get_d_2exp(&exponent, reach->deals);
    if (decks == 0)
        return;
    reach->log10_fraction = fmin(0, log10((double)decks / deals) - (double)exponent * 0.30102999566398119521);
    deals = exponent < 1024 ? ldexp(deals, (int)exponent) : INFINITY;
    if (deals < 2)
        reach->reached_fair = 1;
    else if (deals < 1e300)
        reach->reached_fair = -deals * expm1((double)decks * log1p(-1 / deals));
    else
        reach->reached_fair = (double)decks;
}

/* Lets all threads work until no block is left, and combines their results. */
static void seeds_work_all(struct seeds_run *run, size_t threads, struct sb_evidence *evidence)
{
    sb_work_blocks_open(&run->queue, run->seeds->ranks, threads, 0, run->blocks);
    sb_threads_run(threads, seeds_work, run);
    for (size_t t = 0; t < threads; t++) {
        if (!run->workers[t])
            continue;
        sb_seeds_collect(&run->store, &run->workers[t]->notes, evidence);
        evidence->reach->refused += run->workers[t]->refused;
        seeds_worker_close(run->workers[t]);
    }
    sb_work_blocks_close(&run->queue);
}

/* Processes every seed. Returns false if memory runs out. Only the root of the MPI ranks gets a result. If
 * the root gives up before the work starts, all other ranks return true. */
static bool seeds_see_all(struct seeds_run *run, bool had, struct sb_evidence *evidence)
{
    const struct sb_ranks *const ranks = run->seeds->ranks;
    const bool leads = sb_ranks_is_root(ranks);
    const size_t threads = seeds_threads(run);

    run->workers = calloc(threads, sizeof *run->workers);
    uint64_t on = had && run->workers;
    sb_ranks_broadcast(ranks, &on, sizeof on);
    if (!on || !had || !run->workers) {
        free(run->workers);
        return !on && !leads;
    }
    seeds_work_all(run, threads, evidence);
    free(run->workers);
    if (!leads && run->status)
        return false;
    sb_seeds_meet(&run->store, ranks, evidence);
    if (!leads)
        return true;
    const uint64_t through = evidence->total + evidence->reach->refused;
    if (run->status &&
        /* the failure of a thread does not matter if the other threads did all the work */
        through < run->total)
        return false;
    evidence->interrupted = through < run->total;
    sb_seeds_settle_reach(&run->store, threads, evidence);
    seeds_deals(evidence->n, evidence->deal, evidence->total, evidence->reach);
    sb_mpz_set_u64(evidence->denominator, evidence->total);
    return true;
}

/* Opens the evidence, with no decks yet. */
static enum sb_status seeds_evidence(const struct sb_seeds *seeds, struct sb_evidence *evidence)
{
    const struct sb_shuffler *const shuffler = seeds->recipe.shuffler;
    struct sb_reach *const reach = calloc(1, sizeof *reach);
    enum sb_status status = SB_NO_MEMORY;

    if (reach)
        status = sb_evidence_open(SB_BY_SEEDS, shuffler->n, shuffler->deal, evidence);
    if (status) {
        free(reach);
        return status;
    }
    *reach = (struct sb_reach) { .first = seeds->first, .last = seeds->last };
    mpz_init(reach->deals);
    evidence->reach = reach;
    evidence->rng = seeds->recipe.rng->name;
    return SB_OK;
}

enum sb_status sb_seeds_reach(const struct sb_seeds *seeds, struct sb_error *error,
                              struct sb_evidence *evidence)
{
    struct seeds_run run = {
        .seeds = seeds,
        .recipe = seeds->recipe,
        .total = seeds->last - seeds->first + 1,
        .block = seeds->recipe.shuffler->n < 1024 ? SEEDS_BLOCK : 16,
    };
    const uint64_t room = seeds->room ? seeds->room : seeds_room;
    struct sb_evidence made = { 0 };
    bool had = seeds_evidence(seeds, &made) == SB_OK;

    /* a seed that every generator accepts; each generator is reseeded before its first deck */
    run.recipe.seed = 1;
    run.side_by_side = sb_sample_side_by_side(&run.recipe, &run.program);
    run.blocks = run.total / run.block + (run.total % run.block > 0);
    had = had && sb_seeds_store_open(made.n, made.deal, run.total, room, &run.store) == SB_OK;
    had = seeds_see_all(&run, had, &made);
    sb_seeds_store_close(&run.store);
    if (!had) {
        sb_evidence_close(&made);
        return sb_error_set(error, SB_NO_MEMORY, "not enough memory for the decks of %llu seeds: use fewer",
                            (unsigned long long)run.total);
    }
    *evidence = made;
    return SB_OK;
}
