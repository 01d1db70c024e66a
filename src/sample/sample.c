/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tallies millions of shuffles.
 *
 * Each thread repeatedly takes the next free block, and counts the decks of this block in the thread's own tallies. The
 * tallies of all threads are added up at each pause and at the end, so the result depends only on the recipe and the
 * number of decks. A run that resumes from a pause deals the earlier blocks again if the decks of these blocks are
 * compared with later decks, or if the generator has no counter. Cost: the shuffles; at most about 9 bytes for each
 * cell in each thread; and for each thread one pass over the cells at each pause.
 */
#include "sample/sample.h"
#include "core/system.h"

/*
 * Divides the work on a sample into blocks, and divides B blocks into M parts. Part number `part` has the
 * blocks [floor(B (part-1) / M), floor(B part / M)), so each block is in exactly one part, and each process
 * can compute its own part. Cost: O(1).
 *
 * A queue distributes blocks: each idle thread takes the next block from a common counter. In a single process, a
 * thread takes one block at a time, by an atomic addition. With several MPI ranks, the counter is at the root, and a
 * request may take from a microsecond to many milliseconds. So a thread takes several blocks at once, just enough that
 * requests take at most 2% of the thread's time. But a thread never takes more blocks than the thread can do in a
 * quarter of a second, nor more than a fair share of the remaining blocks. To shut the queue, the root takes all
 * remaining blocks itself.
 */

struct sb_blocks sb_blocks_all(size_t n, uint64_t total)
{
    const uint64_t decks = sb_block_decks(n);

    return (struct sb_blocks) { .first = 0, .count = total / decks + (total % decks > 0) };
}

/* Returns floor(count * part / parts). No product overflows, because `part` and count % parts are at most 10^6. */
static uint64_t blocks_share(uint64_t count, uint64_t part, uint64_t parts)
{
    return count / parts * part + count % parts * part / parts;
}

struct sb_blocks sb_blocks_part(struct sb_blocks all, uint64_t part, uint64_t parts)
{
    const uint64_t begin = blocks_share(all.count, part - 1, parts);
    const uint64_t end = blocks_share(all.count, part, parts);

    return (struct sb_blocks) { .first = all.first + begin, .count = end - begin };
}

uint64_t sb_blocks_decks(struct sb_blocks blocks, size_t n, uint64_t total)
{
    const uint64_t decks = sb_block_decks(n);
    const uint64_t first = blocks.first * decks; /* at most `total`, because every block starts within the sample */
    const uint64_t left = first < total ? total - first : 0;

    return blocks.count <= left / decks ? blocks.count * decks : left;
}

void sb_work_blocks_open(struct sb_work_blocks *queue, const struct sb_ranks *ranks, size_t threads, uint64_t first,
                         uint64_t end)
{
    *queue = (struct sb_work_blocks) { .ranks = ranks, .threads = threads, .next = first, .end = end };
    pthread_mutex_init(&queue->asking, NULL);
    if (ranks)
        ranks->open(ranks->state, first);
}

void sb_work_blocks_close(struct sb_work_blocks *queue)
{
    if (queue->ranks)
        queue->ranks->close(queue->ranks->state);
    pthread_mutex_destroy(&queue->asking);
}

/* Requests `count` blocks from the counter that all MPI ranks share. Returns the first of these blocks. A
 * lock lets one thread at a time make a request. */
static uint64_t queue_ask(struct sb_work_blocks *queue, uint64_t count)
{
    pthread_mutex_lock(&queue->asking);
    const uint64_t first = queue->ranks->take(queue->ranks->state, count);
    pthread_mutex_unlock(&queue->asking);
    return first;
}

/* Takes some blocks for a thread that has no blocks left. */
static void queue_fill(struct sb_work_blocks *queue, struct sb_work_blocks_hand *hand)
{
    const double asked = sb_clock_now(), lasted = asked - hand->since;
    const uint64_t size = hand->size ? hand->size : 1;
    const uint64_t first = queue_ask(queue, size), end = queue->end;
    const double got = sb_clock_now();

    hand->next = first;
    hand->end = first < end && end - first < size ? end : first + size;
    if (hand->since > 0 && got - asked > 0.02 * lasted && lasted < 0.125)
        hand->size = 2 * size;
    else if (lasted > 0.25)
        hand->size = size / 2;
    else
        hand->size = size;
    hand->since = got;
    const uint64_t hands = (uint64_t)queue->ranks->size * queue->threads;
    const uint64_t share = first < end ? (end - first) / (8 * hands) : 0;
    hand->size = hand->size < share ? hand->size : share;
}

bool sb_work_blocks_take(struct sb_work_blocks *queue, struct sb_work_blocks_hand *hand, uint64_t *block)
{
    if (hand->next == hand->end) {
        if (queue->shut)
            return false;
        if (queue->ranks) {
            queue_fill(queue, hand);
        } else {
            hand->next = atomic_fetch_add(&queue->next, 1);
            hand->end = hand->next + 1;
        }
    }
    *block = hand->next++;
    return *block < queue->end;
}

void sb_work_blocks_shut(struct sb_work_blocks *queue)
{
    if (!atomic_exchange(&queue->shut, true) && queue->ranks)
        queue->next = queue_ask(queue, queue->end);
}

/* Returns the first block that no thread has taken. Call this function at the root, after closing the queue. */
static uint64_t work_blocks_left(const struct sb_work_blocks *queue)
{
    const bool asked = !queue->ranks || queue->shut;

    return asked && queue->next < queue->end ? queue->next : queue->end;
}

/* ---- the work of a thread ---- */

enum {
    /* with at least this many decks for each series of draws, counting by series saves more time than shuffling and
     * ranking the series takes */
    WORK_DECKS_PER_SERIES = 256,
};

/* One thread's state. */
struct sample_worker {
    struct sb_lanes_tally lanes; /* counts by rank, if decks are shuffled side by side */
    /* all other counts, by rank or, if there are too many ranks, in a matrix: item i at position j at index
     * j * (n + 1) + i; NULL if there are none */
    uint64_t *count;
    /* [block * deal] the decks of a block, for `count` and the tallies; NULL if not needed */
    sb_item *dealt;
    /* stays open during pauses, so that a generator without a counter continues its stream */
    struct sb_plain plain;
    struct sb_tallies tallies; /* this thread's own tallies, added to run->tallies later */
    uint64_t counted;
};

/* State that the threads of one call share. */
struct sample_run {
    const struct sb_sample *sample;
    struct sb_recipe recipe; /* recipe of the sample, without the stop flag if every block must be finished */
    struct sb_lanes_program program;
    bool side_by_side;
    bool in_lanes;           /* whether decks are counted in `lanes` */
    bool by_series;          /* and there by series of draws */
    size_t cells;            /* number of counts of the evidence */
    size_t block;            /* number of decks in a block */
    struct sb_blocks blocks; /* the blocks to count */
    uint64_t end;            /* index of the block after the last block to count */
    uint64_t total;          /* number of decks in `blocks` */
    uint64_t before;         /* index of the first block that earlier evidence does not include */
    /* index of the first block of the next leg, the part of the run up to a pause or the end */
    uint64_t next;
    struct sb_work_blocks queue; /* queue of the blocks of this leg */
    atomic_bool paused;          /* whether threads must stop taking blocks */
    _Atomic uint64_t done;       /* number of decks counted so far, for `progress` */
    atomic_int status;           /* the enum sb_status of a thread that failed */
    struct sb_tallies *tallies;  /* the tallies to fill; NULL if no tallies were requested */
    size_t threads;
    /* [threads] the state of each thread; NULL for a thread that could not start */
    struct sample_worker **workers;
    struct sb_evidence *evidence;
};

static void sample_worker_clear(struct sample_worker *worker)
{
    sb_lanes_tally_close(&worker->lanes);
    free(worker->dealt);
    free(worker->count);
    worker->dealt = NULL;
    worker->count = NULL;
    worker->counted = 0;
    sb_tallies_close(&worker->tallies);
}

static void sample_worker_close(struct sample_worker *worker)
{
    sample_worker_clear(worker);
    sb_plain_close(&worker->plain);
    free(worker);
}

/* Allocates the counts, and room for the decks if they are for the tallies or are counted one by one. */
static enum sb_status sample_counts_open(const struct sample_run *run, struct sample_worker *worker)
{
    const size_t deal = run->recipe.shuffler->deal;

    if (run->in_lanes) {
        if (sb_lanes_tally_open(&run->program, run->by_series, &worker->lanes))
            return SB_NO_MEMORY;
    } else if (!(worker->count = calloc(run->cells + deal + 1, sizeof *worker->count))) {
        return SB_NO_MEMORY;
    }
    if (run->side_by_side && !run->tallies)
        return SB_OK;
    worker->dealt = calloc(run->block * deal + 1, sizeof *worker->dealt);
    return worker->dealt ? SB_OK : SB_NO_MEMORY;
}

/* Sets up a thread's worker with empty tallies. *opened may be an earlier worker of this thread, or NULL.
 * After a failure, *opened is NULL. SB_NO_MEMORY; SB_INVALID: the generator refuses the seed. */
static enum sb_status sample_worker_open(const struct sample_run *run, struct sample_worker **opened)
{
    struct sample_worker *const worker = *opened ? *opened : calloc(1, sizeof *worker);

    if (!worker)
        return SB_NO_MEMORY;
    enum sb_status status = sample_counts_open(run, worker);
    if (status == SB_OK && !run->side_by_side && !worker->plain.words)
        status = sb_plain_open(&run->recipe, &worker->plain);
    if (status == SB_OK && run->tallies)
        status = sb_tallies_fork(run->tallies, 0, NULL, &worker->tallies);
    *opened = worker;
    if (status) {
        sample_worker_close(worker);
        *opened = NULL;
    }
    return status;
}

/* Deals the decks of a block into worker->dealt, one by one. Returns the number of decks, which is smaller than `decks`
 * if the generator is stuck or the stop flag is raised. */
static size_t sample_plain(const struct sample_run *run, struct sample_worker *worker, uint64_t block, size_t decks)
{
    const size_t deal = run->recipe.shuffler->deal;
    size_t dealt = 0;

    sb_plain_seek(&worker->plain, block);
    for (; dealt < decks && sb_plain_next(&worker->plain) == SB_OK; dealt++)
        memcpy(worker->dealt + dealt * deal, worker->plain.deck.a, deal * sizeof worker->dealt[0]);
    return dealt;
}

/* Counts the dealt decks by rank, or by item and position. */
static void sample_count(const struct sample_run *run, struct sample_worker *worker, size_t decks)
{
    const size_t n = run->recipe.shuffler->n, deal = run->recipe.shuffler->deal;
    const sb_item *deck = worker->dealt;
    uint64_t *const count = worker->count;

    for (size_t d = 0; d < decks; d++, deck += deal)
        if (run->evidence->cells > 0)
            count[sb_permutation_cell(n, deal, deck)]++;
        else
            for (size_t j = 0; j < deal; j++)
                count[j * (n + 1) + deck[j]]++;
}

/* Counts the decks of a block, and adds them to the tallies. Returns how many decks were counted. Decks that are
 * counted in lanes are dealt again for the tallies. */
static size_t sample_block(const struct sample_run *run, struct sample_worker *worker, uint64_t block, size_t decks)
{
    const struct sb_lanes_isa *const isa = sb_lanes_best();
    const uint64_t seed = run->recipe.seed;
    size_t counted = decks;

    sb_tallies_begin(&worker->tallies, block * run->block);
    if (run->in_lanes)
        isa->tally(&run->program, seed, block, decks, &worker->lanes);
    if (run->side_by_side && (run->tallies || !run->in_lanes))
        isa->deal(&run->program, seed, block, decks, worker->dealt, worker->count);
    if (!run->side_by_side) {
        counted = sample_plain(run, worker, block, decks);
        sample_count(run, worker, counted);
    }
    if (run->tallies)
        sb_tallies_add(&worker->tallies, worker->dealt, counted);
    return counted;
}

/* Returns whether a block that is already counted must be dealt again, for the tallies or to advance the generator. */
static bool sample_needs(const struct sample_run *run, uint64_t block)
{
    const struct sb_repeats_sample *const noted = run->tallies ? run->tallies->noted : NULL;

    return !run->recipe.rng->type->seek || (noted && sb_repeats_sample_wants(noted, block * run->block));
}

/* Deals a block that is already counted. This gives the decks of the block to the tallies that compare decks,
 * and advances a generator that has no counter. */
static void sample_pass(const struct sample_run *run, struct sample_worker *worker, uint64_t block, size_t decks)
{
    struct sb_repeats_sample *const noted = run->tallies ? run->tallies->noted : NULL;
    size_t dealt = decks;

    if (run->side_by_side)
        sb_lanes_best()->deal(&run->program, run->recipe.seed, block, decks, worker->dealt, NULL);
    else
        dealt = sample_plain(run, worker, block, decks);
    if (noted)
        sb_repeats_sample_note(noted, block * run->block, worker->dealt, dealt);
}

static uint64_t *sample_counts(const struct sample_run *run)
{
    return run->evidence->cells > 0 ? run->evidence->counts.u64 : run->evidence->matrix.u64;
}

/* Adds the counts of a worker to the evidence, and its tallies to run->tallies. */
static void sample_collect(struct sample_run *run, struct sample_worker *worker)
{
    const size_t n = run->evidence->n, deal = run->evidence->deal;
    uint64_t *const counts = sample_counts(run);

    run->evidence->total += worker->counted;
    if (run->tallies)
        sb_tallies_join(run->tallies, &worker->tallies);
    if (run->in_lanes)
        sb_lanes_tally_add(&run->program, &worker->lanes, counts);
    for (size_t i = 0; worker->count && i < run->evidence->cells; i++)
        counts[i] += worker->count[i];
    for (size_t i = 0; worker->count && run->evidence->cells == 0 && i < n; i++)
        for (size_t j = 0; j < deal; j++)
            counts[i * deal + j] += worker->count[j * (n + 1) + i];
}

/* ---- all threads ---- */

static bool sample_take(struct sample_run *run, struct sb_work_blocks_hand *hand, uint64_t *block)
{
    if (run->paused || sb_recipe_stopped(&run->sample->recipe))
        sb_work_blocks_shut(&run->queue);
    return sb_work_blocks_take(&run->queue, hand, block);
}

/* Reports progress and asks whether to pause, after each block that the calling thread counts. So there is at least
 * one block between two pauses. With several MPI ranks, progress is estimated from the index of this block,
 * since all ranks take blocks in order. */
static void sample_report(struct sample_run *run, uint64_t block, uint64_t done)
{
    const struct sb_sample *const sample = run->sample;

    if (sample->ranks)
        done = block + 1 < run->end ? (block + 1 - run->blocks.first) * run->block : run->total;
    if (sample->progress)
        sample->progress(sample->progress_state, sample->subject, done, run->total);
    if (sample->pause && sample->pause->due && sample->pause->due(sample->pause->state))
        run->paused = true;
}

static void sample_work(void *state, size_t thread)
{
    struct sample_run *const run = state;
    struct sample_worker *worker = run->workers[thread];
    enum sb_status status = sample_worker_open(run, &worker);
    struct sb_work_blocks_hand hand = { 0 };
    uint64_t block;

    while (status == SB_OK && sample_take(run, &hand, &block)) {
        const uint64_t left = run->sample->total - block * run->block;
        const size_t decks = left < run->block ? (size_t)left : run->block;
        size_t counted = 0;
        if (block >= run->before)
            counted = sample_block(run, worker, block, decks);
        else if (sample_needs(run, block))
            sample_pass(run, worker, block, decks);
        worker->counted += counted;
        const uint64_t done = atomic_fetch_add(&run->done, counted) + counted;

        if (thread == 0 && block >= run->before)
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
static size_t sample_threads(const struct sample_run *run)
{
    const struct sb_recipe *const recipe = &run->sample->recipe;
    const uint64_t fit = (UINT64_C(1) << 27) / (run->cells + 1); /* how many sets of 64-bit cells fit in 1 GiB */
    const uint64_t room = fit > 2 ? fit - 1 : 1;                 /* the evidence has one of these sets */
    const uint64_t useful = room < run->blocks.count ? room : run->blocks.count;

    if (!recipe->rng->type->seek)
        return 1;
    return sb_threads_count(run->sample->threads, useful);
}

static void sample_meet(struct sample_run *run)
{
    const struct sb_ranks *const ranks = run->sample->ranks;

    sb_ranks_sum(ranks, &run->evidence->total, 1);
    sb_ranks_sum(ranks, sample_counts(run), run->cells);
    if (run->tallies)
        sb_tallies_meet(run->tallies, ranks);
}

/* Runs a leg, the part of a run up to a pause or the end: lets all threads work, and adds up their tallies. */
static void sample_leg(struct sample_run *run)
{
    const size_t threads = run->threads;

    run->paused = false;
    sb_work_blocks_open(&run->queue, run->sample->ranks, threads, run->next, run->end);
    sb_threads_run(threads, sample_work, run);
    for (size_t i = 0; i < threads; i++) {
        if (!run->workers[i])
            continue;
        sample_collect(run, run->workers[i]);
        sample_worker_clear(run->workers[i]);
    }
    sb_work_blocks_close(&run->queue);
    run->next = work_blocks_left(&run->queue);
}

/* Receives from the root whether another leg of the run follows, and which blocks are in that leg. */
static bool sample_told(struct sample_run *run, bool on)
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
static bool sample_goes_on(struct sample_run *run, struct sb_error *error, enum sb_status *status)
{
    const struct sb_pause *const pause = run->sample->pause;

    if (!run->paused || run->next >= run->end || run->status || sb_recipe_stopped(&run->sample->recipe))
        return false;
    *status = pause->take(pause->state, run->evidence, error);
    return *status == SB_OK;
}

static enum sb_status sample_failed(const struct sb_sample *sample, enum sb_status status, struct sb_error *error)
{
    if (status == SB_NO_MEMORY)
        return sb_error_memory(error, "the tallies of a thread");
    return sb_error_stuck(error, SB_INVALID, sample->subject ? sample->subject : sample->recipe.rng->name,
                          sample->recipe.seed);
}

/* Runs legs, each up to a pause or the end, until everything is counted. If a callback of a pause fails, returns its
 * error. If a thread fails, the root stores the error in run->status, and each other rank returns the error. */
static enum sb_status sample_run_legs(struct sample_run *run, struct sb_error *error)
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

static void sample_go_on(struct sample_run *run, const struct sb_evidence *before)
{
    memcpy(sample_counts(run), before->cells ? before->counts.u64 : before->matrix.u64, run->cells * sizeof(uint64_t));
    run->evidence->total = before->total;
    run->done = before->total;
    run->before += before->total / run->block + (before->total % run->block > 0);
    while (run->next < run->before && !sample_needs(run, run->next))
        run->next++;
}

enum sb_status sb_sample_check(size_t n, size_t deal, struct sb_error *error)
{
    if (sb_cells(n, deal) || n * deal <= SB_MATRIX_MOST)
        return SB_OK;
    return sb_error_set(error, SB_TOO_LARGE,
                        "`n = %zu` is too large for a matrix of items by positions: use n <= 8192, or `deal=%zu`", n,
                        SB_MATRIX_MOST / n);
}

/* Sets up everything except the workers. Even after an error, the run must be closed. */
static enum sb_status sample_open(struct sample_run *run, struct sb_error *error)
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
    run->cells = tallies->cells ? tallies->cells : n * deal;
    run->tallies = sample->tallies && sb_tallies_wanted(sample->tallies) ? sample->tallies : NULL;
    run->side_by_side = sb_sample_side_by_side(&sample->recipe, &run->program);
    run->in_lanes = run->side_by_side && tallies->cells > 0;
    run->by_series = run->program.series > 0 && run->total / run->program.series >= WORK_DECKS_PER_SERIES;
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

static void sample_close(struct sample_run *run)
{
    for (size_t i = 0; run->workers && i < run->threads; i++)
        if (run->workers[i])
            sample_worker_close(run->workers[i]);
    free(run->workers);
}

enum sb_status sb_sample_tally(const struct sb_sample *sample, struct sb_error *error, struct sb_evidence *evidence)
{
    struct sb_evidence tallies = { 0 };
    struct sample_run run = { .sample = sample, .recipe = sample->recipe, .evidence = &tallies };
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
