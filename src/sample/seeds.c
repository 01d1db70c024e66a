/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shuffles the first deck from each seed of a generator, and counts the different decks.
 *
 * Each thread takes the next free block of seeds. Cost of a seed: reseeding the generator, a shuffle, and by the method
 * of the store: a rank and an increment (counts), a rank and a change of a bit (bits), a key and an entry in a list
 * (keys), or a key and a change of a register (estimate). With each method, the result does not depend on the order of
 * the decks. If decks are shuffled side by side, a seed costs hundreds of shuffles, of which only the first is used.
 *
 * On average, N fair shuffles reach K (1 - (1 - 1/K)^N) of K deals.
 *
 * The estimate is HyperLogLog, in a megabyte of memory. The first 20 bits of a key select one of m = 2^20 registers,
 * and the position of the first 1 among the other q = 44 bits is noted, or q + 1 if there is no 1. Each register keeps
 * the largest position so far. If C_k registers have the value k, and alpha = 1/(2 ln 2), the estimate is
 *
 *   alpha m^2 / (m sigma(C_0/m) + sum over k = 1..q of C_k 2^-k + m tau(1 - C_(q+1)/m) 2^-q)
 *
 * for any number of keys; sigma and tau are defined below. The relative standard error is 1.04/sqrt(m), about
 * 0.1%. To combine the sketches of several threads, each register becomes the largest of its values in all threads, so
 * the estimate does not depend on how the threads share the keys. P. Flajolet, E. Fusy, O. Gandouet, F. Meunier,
 * HyperLogLog, AofA 2007. The estimate is by O. Ertl, New cardinality estimation algorithms for HyperLogLog sketches,
 * arXiv:1702.01284.
 */
#include "sample/sample.h"

#include "core/system.h"

#include <assert.h>

/* ---- the estimate ---- */

enum { SKETCH_PLACES = 64 - SB_SKETCH_BITS };

void sb_sketch_add(uint8_t sketch[SB_SKETCH_SIZE], struct sb_deck_key key)
{
    const uint64_t rest = key.high << SB_SKETCH_BITS;
    const uint8_t place = (uint8_t)(rest ? 1 + __builtin_clzll(rest) : SKETCH_PLACES + 1);
    uint8_t *const held = &sketch[key.high >> SKETCH_PLACES];

    if (*held < place)
        *held = place;
}

void sb_sketch_merge(uint8_t sketch[SB_SKETCH_SIZE], const uint8_t other[SB_SKETCH_SIZE])
{
    for (size_t i = 0; i < SB_SKETCH_SIZE; i++)
        sketch[i] = sketch[i] > other[i] ? sketch[i] : other[i];
}

/* sigma(x) = x + sum over k >= 1 of 2^(k-1) x^(2^k), for x < 1. This term corrects for the registers whose
 * value is 0. */
static double sketch_sigma(double x)
{
    double sum = x, before, weight = 1;

    do {
        x *= x;
        before = sum;
        sum += x * weight;
        weight *= 2;
    } while (sum != before);
    return sum;
}

/* tau(x) = (1 - x - sum over k >= 1 of (1 - x^(2^-k))^2 2^-k) / 3. This term corrects for the registers whose
 * value is q + 1, the largest possible value. */
static double sketch_tau(double x)
{
    double sum = 1 - x, before, weight = 1;

    if (x == 0 || x == 1)
        return 0;
    do {
        x = sqrt(x);
        before = sum;
        weight /= 2;
        sum -= (1 - x) * (1 - x) * weight;
    } while (sum != before);
    return sum / 3;
}

double sb_sketch_estimate(const uint8_t sketch[SB_SKETCH_SIZE])
{
    const double m = SB_SKETCH_SIZE;
    uint64_t registers[SKETCH_PLACES + 2] = { 0 };
    double z;

    for (size_t i = 0; i < SB_SKETCH_SIZE; i++)
        registers[sketch[i]]++;
    if (registers[0] == SB_SKETCH_SIZE)
        return 0;
    z = m * sketch_tau(1 - (double)registers[SKETCH_PLACES + 1] / m);
    for (size_t k = SKETCH_PLACES; k > 0; k--)
        z = (z + (double)registers[k]) / 2;
    z += m * sketch_sigma((double)registers[0] / m);
    return m * m / (2 * 0.69314718055994530942 * z);
}

double sb_sketch_error(void)
{
    return 1.04 / sqrt(SB_SKETCH_SIZE);
}

/* ---- the store ---- */

enum seeds_way { SEEDS_COUNT, SEEDS_SORT, SEEDS_BITS, SEEDS_SKETCH };

/* State that all threads share. */
struct seeds_store {
    enum seeds_way way;
    size_t n, deal, cells;
    _Atomic uint64_t *bit;   /* [deals / 64 + 1] a bit for each deal, by rank; owned */
    struct sb_deck_key *key; /* [keys] the keys of all decks so far; owned */
    _Atomic uint64_t keys;
    uint8_t *sketch; /* [SB_SKETCH_SIZE] registers; owned */
};

/* One thread's decks. Of count, key and sketch, only the array that the method needs is allocated. */
struct seeds_notes {
    uint64_t *count;         /* [cells] counts by rank; owned */
    struct sb_deck_key *key; /* [block] the keys of the current block; the first `held` are set; owned */
    size_t held;
    uint8_t *sketch; /* [SB_SKETCH_SIZE] registers; owned */
    uint64_t seen;   /* number of decks */
};

/* the function `either` of struct sb_ranks takes store->bit as an array of plain words */
static_assert(sizeof(_Atomic uint64_t) == sizeof(uint64_t), "an atomic word is a plain one");

/* Chooses the method for this number of decks, and allocates its memory. Chooses counts if sb_cells(n, deal)
 * > 0. Otherwise chooses keys if the keys fit in `room` bytes, else bits if the bits fit, else the estimate.
 * The caller closes the store, even after an error. SB_NO_MEMORY. */
static enum sb_status store_open(size_t n, size_t deal, uint64_t decks, uint64_t room, struct seeds_store *store)
{
    const uint64_t deals = sb_deals(n, deal);

    room = room < SIZE_MAX ? room : SIZE_MAX; /* so that the sizes below fit in a size_t */
    *store = (struct seeds_store) { .n = n, .deal = deal, .cells = sb_cells(n, deal) };
    if (store->cells) {
        store->way = SEEDS_COUNT;
        return SB_OK;
    }
    if (decks <= room / sizeof *store->key) {
        store->way = SEEDS_SORT;
        store->key = malloc((size_t)decks * sizeof *store->key);
        return store->key ? SB_OK : SB_NO_MEMORY;
    }
    if (deals / 8 <= room) {
        store->way = SEEDS_BITS;
        store->bit = calloc((size_t)(deals / 64) + 1, sizeof *store->bit);
        return store->bit ? SB_OK : SB_NO_MEMORY;
    }
    store->way = SEEDS_SKETCH;
    store->sketch = calloc(SB_SKETCH_SIZE, 1);
    return store->sketch ? SB_OK : SB_NO_MEMORY;
}

static void store_close(struct seeds_store *store)
{
    free(store->key);
    free(store->bit);
    free(store->sketch);
    *store = (struct seeds_store) { 0 };
}

static enum sb_status notes_open(const struct seeds_store *store, size_t block, struct seeds_notes *notes)
{
    bool had = true;

    *notes = (struct seeds_notes) { 0 };
    if (store->way == SEEDS_COUNT)
        had = (notes->count = calloc(store->cells, sizeof *notes->count));
    else if (store->way == SEEDS_SORT)
        had = (notes->key = calloc(block, sizeof *notes->key));
    else if (store->way == SEEDS_SKETCH)
        had = (notes->sketch = calloc(SB_SKETCH_SIZE, 1));
    return had ? SB_OK : SB_NO_MEMORY;
}

static void notes_close(struct seeds_notes *notes)
{
    free(notes->count);
    free(notes->key);
    free(notes->sketch);
    *notes = (struct seeds_notes) { 0 };
}

static void store_see(struct seeds_store *store, struct seeds_notes *notes, const sb_item deck[])
{
    const size_t n = store->n, deal = store->deal;

    notes->seen++;
    if (store->way == SEEDS_COUNT) {
        notes->count[sb_permutation_rank(n, deal, deck)]++;
    } else if (store->way == SEEDS_SORT) {
        notes->key[notes->held++] = sb_deck_key(n, deal, deck);
    } else if (store->way == SEEDS_SKETCH) {
        sb_sketch_add(notes->sketch, sb_deck_key(n, deal, deck));
    } else {
        const uint64_t rank = sb_permutation_rank(n, deal, deck);

        atomic_fetch_or(&store->bit[rank / 64], UINT64_C(1) << rank % 64);
    }
}

static void store_end_block(struct seeds_store *store, struct seeds_notes *notes)
{
    if (notes->held == 0)
        return;
    const uint64_t at = atomic_fetch_add(&store->keys, notes->held);
    memcpy(store->key + at, notes->key, notes->held * sizeof *notes->key);
    notes->held = 0;
}

static void store_collect(struct seeds_store *store, const struct seeds_notes *notes, struct sb_evidence *evidence)
{
    evidence->total += notes->seen;
    for (size_t i = 0; notes->count && i < store->cells; i++)
        evidence->counts.u64[i] += notes->count[i];
    if (notes->sketch)
        sb_sketch_merge(store->sketch, notes->sketch);
}

static void store_meet(struct seeds_store *store, const struct sb_ranks *ranks, struct sb_evidence *evidence)
{
    sb_ranks_sum(ranks, &evidence->total, 1);
    sb_ranks_sum(ranks, &evidence->reach->refused, 1);
    if (store->cells)
        sb_ranks_sum(ranks, evidence->counts.u64, store->cells);
    if (ranks && store->way == SEEDS_SORT)
        store->keys =
            ranks->gather(ranks->state, store->key, (size_t)store->keys * sizeof *store->key) / sizeof *store->key;
    if (ranks && store->way == SEEDS_BITS)
        ranks->either(ranks->state, (uint64_t *)store->bit, (size_t)(sb_deals(store->n, store->deal) / 64) + 1);
    if (ranks && store->way == SEEDS_SKETCH)
        ranks->most(ranks->state, store->sketch, SB_SKETCH_SIZE);
}

/* Sets evidence->reach at the end: how many deals are reached, and how often the most frequent and the least frequent
 * deal occur. */
static void store_settle(struct seeds_store *store, size_t threads, const struct sb_evidence *evidence)
{
    struct sb_reach *const reach = evidence->reach;
    const uint64_t deals = sb_deals(store->n, store->deal), *const count = evidence->counts.u64;

    reach->least = store->cells ? count[0] : 0;
    for (size_t i = 0; i < store->cells; i++) {
        reach->reached += count[i] > 0;
        reach->most = count[i] > reach->most ? count[i] : reach->most;
        reach->least = count[i] < reach->least ? count[i] : reach->least;
    }
    if (store->way == SEEDS_SORT)
        sb_deck_key_count(store->key, (size_t)store->keys, threads, &reach->reached, &reach->most);
    for (uint64_t i = 0; store->way == SEEDS_BITS && i <= deals / 64; i++)
        reach->reached += (uint64_t)__builtin_popcountll(store->bit[i]);
    if (store->way == SEEDS_SKETCH) {
        const double estimate = nearbyint(sb_sketch_estimate(store->sketch));

        reach->reached = estimate < (double)evidence->total ? (uint64_t)estimate : evidence->total;
        reach->reached_error = sb_sketch_error();
    }
    reach->least_known =
        store->cells || evidence->total < deals || (reach->reached < deals && reach->reached_error == 0);
}

/* ---- all seeds ---- */

enum { SEEDS_BLOCK = 4096 }; /* number of seeds in a block; for large decks, a block has fewer */

static const uint64_t seeds_room = UINT64_C(1) << 31;

/* One thread's state. */
struct seeds_worker {
    /* plain.deck receives the first deck of a seed, even if decks are shuffled side by side */
    struct sb_plain plain;
    struct seeds_notes notes;
    uint64_t refused; /* number of seeds without a deck */
};

/* State that the threads of one call share. */
struct seeds_run {
    const struct sb_seeds *seeds;
    struct sb_recipe recipe;
    struct seeds_store store;
    uint64_t total, blocks;        /* numbers of seeds and of blocks */
    size_t block;                  /* number of seeds in a block */
    struct sb_work_blocks queue;   /* queue of blocks */
    _Atomic uint64_t done;         /* number of finished seeds, for `progress` */
    atomic_int status;             /* the enum sb_status of a thread that failed */
    struct seeds_worker **workers; /* [threads] */
    bool side_by_side;             /* whether decks are shuffled side by side, as in a sample */
    struct sb_lanes_program program;
};

static void seeds_worker_close(struct seeds_worker *worker)
{
    sb_plain_close(&worker->plain);
    notes_close(&worker->notes);
    free(worker);
}

static enum sb_status seeds_worker_open(const struct seeds_run *run, struct seeds_worker **opened)
{
    struct seeds_worker *const worker = calloc(1, sizeof *worker);
    enum sb_status status;

    if (!worker)
        return SB_NO_MEMORY;
    status = notes_open(&run->store, run->block, &worker->notes);
    if (status == SB_OK)
        status = sb_plain_open(&run->recipe, &worker->plain);
    if (status == SB_OK)
        *opened = worker;
    else
        seeds_worker_close(worker);
    return status;
}

static enum sb_status seeds_shuffle(const struct seeds_run *run, struct seeds_worker *worker, uint64_t seed)
{
    enum sb_status status;

    if (run->side_by_side) {
        sb_lanes_best()->deal(&run->program, seed, 0, 1, worker->plain.deck.a, NULL);
        return sb_recipe_stopped(&run->recipe) ? SB_STOPPED : SB_OK;
    }
    status = sb_plain_reseed(&worker->plain, seed);
    return status ? status : sb_plain_next(&worker->plain);
}

/* Processes the seeds of a block. Returns how many seeds were processed: all, unless the stop flag is raised. */
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
            store_see(&run->store, &worker->notes, worker->plain.deck.a);
        else
            worker->refused++;
    }
    store_end_block(&run->store, &worker->notes);
    return through;
}

static bool seeds_take(struct seeds_run *run, struct sb_work_blocks_hand *hand, uint64_t *block)
{
    if (sb_recipe_stopped(&run->recipe))
        sb_work_blocks_shut(&run->queue);
    return sb_work_blocks_take(&run->queue, hand, block);
}

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

static void seeds_work_all(struct seeds_run *run, size_t threads, struct sb_evidence *evidence)
{
    sb_work_blocks_open(&run->queue, run->seeds->ranks, threads, 0, run->blocks);
    sb_threads_run(threads, seeds_work, run);
    for (size_t t = 0; t < threads; t++) {
        if (!run->workers[t])
            continue;
        store_collect(&run->store, &run->workers[t]->notes, evidence);
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
    store_meet(&run->store, ranks, evidence);
    if (!leads)
        return true;
    const uint64_t through = evidence->total + evidence->reach->refused;
    if (run->status &&
        /* the failure of a thread does not matter if the other threads did all the work */
        through < run->total)
        return false;
    evidence->interrupted = through < run->total;
    store_settle(&run->store, threads, evidence);
    seeds_deals(evidence->n, evidence->deal, evidence->total, evidence->reach);
    sb_mpz_set_u64(evidence->denominator, evidence->total);
    return true;
}

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

enum sb_status sb_seeds_reach(const struct sb_seeds *seeds, struct sb_error *error, struct sb_evidence *evidence)
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
    had = had && store_open(made.n, made.deal, run.total, room, &run.store) == SB_OK;
    had = seeds_see_all(&run, had, &made);
    store_close(&run.store);
    if (!had) {
        sb_evidence_close(&made);
        return sb_error_set(error, SB_NO_MEMORY, "not enough memory for the decks of %llu seeds: use fewer",
                            (unsigned long long)run.total);
    }
    *evidence = made;
    return SB_OK;
}

enum sb_status sb_seeds_tally(const struct sb_seeds *seeds, uint64_t most, struct sb_tallies *tallies,
                              struct sb_error *error)
{
    const uint64_t last = seeds->last - seeds->first < most ? seeds->last : seeds->first + most - 1;
    struct seeds_run run = { .seeds = seeds, .recipe = seeds->recipe };
    struct seeds_worker *const worker = calloc(1, sizeof *worker);
    enum sb_status status = SB_NO_MEMORY;

    run.recipe.seed = 1; /* a seed that every generator accepts */
    run.side_by_side = sb_sample_side_by_side(&run.recipe, &run.program);
    if (worker)
        status = sb_plain_open(&run.recipe, &worker->plain);
    for (uint64_t seed = seeds->first; status == SB_OK && !sb_recipe_stopped(&run.recipe); seed++) {
        if (seeds_shuffle(&run, worker, seed) == SB_OK)
            sb_tallies_add(tallies, worker->plain.deck.a, 1);
        else
            sb_tallies_begin(tallies, 0); /* this seed has no deck, so no step leads to the next deck */
        if (seed == last)
            break;
    }
    if (worker)
        seeds_worker_close(worker);
    return status ? sb_error_memory(error, "the decks of the seeds") : SB_OK;
}
