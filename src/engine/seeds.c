/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first deck from each seed of a generator.
 *
 * Every thread takes the next block of seeds that is left; what it sees goes into a count by rank, a list of
 * keys to be sorted, a bit for each deal, or a sketch, none of which depends on the order. Cost: a re-seeding
 * and a shuffle for each seed.
 *
 * As many fair shuffles N would reach K (1 - (1 - 1/K)^N) of K deals on average.
 */
#include "engine/seeds.h"

#include "core/error.h"
#include "core/exact.h"
#include "engine/seeds_distinct.h"

#include <math.h>
#include <stdlib.h>

#ifdef _OPENMP
#include <omp.h>
#endif

enum { SEEDS_BLOCK = 4096 }; /* seeds in a block; fewer of large decks */

static const uint64_t seeds_room = UINT64_C(1) << 31;

/* How different decks are told apart. */
enum seeds_way { SEEDS_COUNT, SEEDS_SORT, SEEDS_BITS, SEEDS_SKETCH };

/* What one thread works with; of count, key and sketch the one that it needs. */
struct seeds_worker {
    struct sb_plain plain;
    uint64_t *count;          /* [cells] */
    struct sb_seeds_key *key; /* [block] of this block */
    uint8_t *sketch;          /* [SB_SKETCH_SIZE] */
    uint64_t seen, refused;   /* decks, and seeds without one */
};

/* One call's shared state. */
struct seeds_run {
    const struct sb_seeds *seeds;
    struct sb_recipe recipe;
    enum seeds_way way;
    size_t n, deal, cells;
    uint64_t total, block, blocks; /* seeds, in a block, blocks */
    uint64_t next;                 /* block to be taken */
    uint64_t done;                 /* seeds that are through, for the progress */
    uint64_t *bit;                 /* by rank */
    struct sb_seeds_key *key;      /* [total] of which `keys` are there */
    uint64_t keys;
    uint8_t *sketch;               /* [SB_SKETCH_SIZE] */
    int status;                    /* enum sb_status of a thread that failed */
    struct seeds_worker **workers; /* [threads] */
};

static bool seeds_stopped(const struct seeds_run *run)
{
    const volatile sig_atomic_t *const stop = run->seeds->recipe.stop;

    return stop && *stop;
}

static void seeds_worker_close(struct seeds_worker *worker)
{
    if (!worker)
        return;
    sb_plain_close(&worker->plain);
    free(worker->count);
    free(worker->key);
    free(worker->sketch);
    free(worker);
}

static enum sb_status seeds_worker_open(const struct seeds_run *run, struct seeds_worker **opened)
{
    struct seeds_worker *const worker = calloc(1, sizeof *worker);
    bool had = true;

    if (!worker)
        return SB_NO_MEMORY;
    if (run->way == SEEDS_COUNT)
        had = (worker->count = calloc(run->cells, sizeof *worker->count));
    else if (run->way == SEEDS_SORT)
        had = (worker->key = calloc(run->block, sizeof *worker->key));
    else if (run->way == SEEDS_SKETCH)
        had = (worker->sketch = calloc(SB_SKETCH_SIZE, 1));
    const enum sb_status status = had ? sb_plain_open(&run->recipe, &worker->plain) : SB_NO_MEMORY;
    if (status == SB_OK)
        *opened = worker;
    else
        seeds_worker_close(worker);
    return status;
}

/* Notes the deck of a worker, the held-th of its block. */
static void seeds_see(struct seeds_run *run, struct seeds_worker *worker, size_t held)
{
    const sb_item *const deck = worker->plain.deck.a;

    if (run->way == SEEDS_COUNT) {
        worker->count[sb_permutation_rank(run->n, run->deal, deck)]++;
    } else if (run->way == SEEDS_SORT) {
        worker->key[held] = sb_seeds_key(run->n, run->deal, deck);
    } else if (run->way == SEEDS_SKETCH) {
        sb_sketch_add(worker->sketch, sb_seeds_key(run->n, run->deal, deck));
    } else {
        const uint64_t rank = sb_permutation_rank(run->n, run->deal, deck);
        uint64_t *const word = &run->bit[rank / 64], bit = UINT64_C(1) << rank % 64;

#pragma omp atomic update
        *word |= bit;
    }
}

/* Goes through a block; how many of its seeds, all unless it is stopped. */
static uint64_t seeds_block(struct seeds_run *run, struct seeds_worker *worker, uint64_t block)
{
    const uint64_t first = block * run->block, left = run->total - first;
    const uint64_t count = left < run->block ? left : run->block;
    uint64_t through = 0, at;
    size_t held = 0;

    for (; through < count; through++) {
        enum sb_status status = sb_plain_reseed(&worker->plain, run->seeds->first + first + through);

        if (status == SB_OK)
            status = sb_plain_next(&worker->plain);
        if (status == SB_STOPPED)
            break;
        if (status == SB_OK)
            seeds_see(run, worker, held++);
        else
            worker->refused++;
    }
    worker->seen += held;
    if (run->way == SEEDS_SORT) {
#pragma omp atomic capture
        {
            at = run->keys;
            run->keys += held;
        }
        for (size_t i = 0; i < held; i++)
            run->key[at + i] = worker->key[i];
    }
    return through;
}

/* A thread's work: blocks until none is left. Thread 0 is the one that called. */
static void seeds_work(struct seeds_run *run, size_t thread)
{
    const struct sb_seeds *const seeds = run->seeds;
    const enum sb_status status = seeds_worker_open(run, &run->workers[thread]);

    while (status == SB_OK && !seeds_stopped(run)) {
        uint64_t block, done;

#pragma omp atomic capture
        block = run->next++;
        if (block >= run->blocks)
            break;
        const uint64_t through = seeds_block(run, run->workers[thread], block);
#pragma omp atomic capture
        done = run->done += through;
        if (thread == 0 && seeds->progress)
            seeds->progress(seeds->progress_state, seeds->subject, done, run->total);
    }
    if (status) {
#pragma omp atomic write
        run->status = status;
    }
}

/* As many threads as are asked for and of use; fewer where each one's counts are large. */
static int seeds_threads(const struct seeds_run *run)
{
#ifdef _OPENMP
    const uint64_t room = (UINT64_C(1) << 27) / (run->cells + 1) + 1; /* 1 GiB of 64-bit cells in all */
    uint64_t threads = run->seeds->threads ? run->seeds->threads : (uint64_t)omp_get_num_procs();

    threads = threads < room ? threads : room;
    return (int)(threads < run->blocks ? threads : run->blocks);
#else
    (void)run;
    return 1;
#endif
}

/* Chooses how decks are told apart, and takes the memory for it that threads share. */
static enum sb_status seeds_open(struct seeds_run *run)
{
    const uint64_t deals = sb_deals(run->n, run->deal),
                   room = run->seeds->room ? run->seeds->room : seeds_room;

    if (run->cells) {
        run->way = SEEDS_COUNT;
        return SB_OK;
    }
    if (run->total <= room / sizeof *run->key) {
        run->way = SEEDS_SORT;
        run->key = malloc(run->total * sizeof *run->key);
        return run->key ? SB_OK : SB_NO_MEMORY;
    }
    if (deals / 8 <= room) {
        run->way = SEEDS_BITS;
        run->bit = calloc(deals / 64 + 1, sizeof *run->bit);
        return run->bit ? SB_OK : SB_NO_MEMORY;
    }
    run->way = SEEDS_SKETCH;
    run->sketch = calloc(SB_SKETCH_SIZE, 1);
    return run->sketch ? SB_OK : SB_NO_MEMORY;
}

/* Adds up what the threads saw, and closes them. */
static void seeds_collect(struct seeds_run *run, size_t threads, struct sb_evidence *evidence)
{
    for (size_t t = 0; t < threads; t++) {
        struct seeds_worker *const worker = run->workers[t];

        if (!worker)
            continue;
        evidence->total += worker->seen;
        evidence->reach->refused += worker->refused;
        for (size_t i = 0; i < run->cells; i++)
            evidence->count[i] += worker->count[i];
        if (run->way == SEEDS_SKETCH)
            sb_sketch_merge(run->sketch, worker->sketch);
        seeds_worker_close(worker);
    }
    free(run->workers);
}

/* How many were reached, and how often the most frequent one. */
static void seeds_settle(const struct seeds_run *run, int threads, const struct sb_evidence *evidence)
{
    struct sb_reach *const reach = evidence->reach;
    const uint64_t deals = sb_deals(run->n, run->deal), *const count = evidence->count;

    reach->least = run->cells ? count[0] : 0;
    for (size_t i = 0; i < run->cells; i++) {
        reach->reached += count[i] > 0;
        reach->most = count[i] > reach->most ? count[i] : reach->most;
        reach->least = count[i] < reach->least ? count[i] : reach->least;
    }
    if (run->way == SEEDS_SORT)
        sb_seeds_sort(run->key, (size_t)run->keys, threads, &reach->reached, &reach->most);
    for (uint64_t i = 0; run->way == SEEDS_BITS && i <= deals / 64; i++)
        reach->reached += (uint64_t)__builtin_popcountll(run->bit[i]);
    if (run->way == SEEDS_SKETCH) {
        const double estimate = nearbyint(sb_sketch_estimate(run->sketch));

        reach->reached = estimate < (double)evidence->total ? (uint64_t)estimate : evidence->total;
        reach->reached_error = sb_sketch_error();
    }
    reach->least_known =
        run->cells || evidence->total < deals || (reach->reached < deals && reach->reached_error == 0);
}

/* What is known without a run: how many deals there are, and what that means for so many decks. */
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

/* Sees every seed; false where memory does not do. */
static bool seeds_see_all(struct seeds_run *run, struct sb_evidence *evidence)
{
    const int threads = seeds_threads(run);

    run->workers = calloc((size_t)threads, sizeof *run->workers);
    if (!run->workers)
        return false;
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
    seeds_work(run, (size_t)omp_get_thread_num());
#else
    seeds_work(run, 0);
#endif
    seeds_collect(run, (size_t)threads, evidence);
    const uint64_t through = evidence->total + evidence->reach->refused;
    if (run->status &&
        through < run->total) /* a thread that could not begin is no loss if others did it all */
        return false;
    evidence->interrupted = through < run->total;
    seeds_settle(run, threads, evidence);
    seeds_deals(run->n, run->deal, evidence->total, evidence->reach);
    sb_mpz_set_u64(evidence->denominator, evidence->total);
    return true;
}

/* The evidence before anything was seen. */
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
    struct sb_evidence made;
    bool had;

    if (seeds_evidence(seeds, &made))
        return sb_error_memory(error, "the counts");
    struct seeds_run run = {
        .seeds = seeds,
        .recipe = seeds->recipe,
        .n = made.n,
        .deal = made.deal,
        .cells = made.cells,
        .total = seeds->last - seeds->first + 1,
        .block = made.n < 1024 ? SEEDS_BLOCK : 16,
    };
    run.recipe.seed = 1; /* one that every generator takes: each is re-seeded before its first deck */
    run.blocks = run.total / run.block + (run.total % run.block > 0);
    had = seeds_open(&run) == SB_OK && seeds_see_all(&run, &made);
    free(run.key);
    free(run.bit);
    free(run.sketch);
    if (!had) {
        sb_evidence_close(&made);
        return sb_error_set(error, SB_NO_MEMORY, "not enough memory for the decks of %llu seeds: use fewer",
                            (unsigned long long)run.total);
    }
    *evidence = made;
    return SB_OK;
}
