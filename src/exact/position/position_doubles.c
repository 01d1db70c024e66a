/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the item-by-position matrix in doubles, and a bound on the error of these doubles.
 *
 * A block of items goes through all steps before the next block starts, so that the columns of the block stay
 * in the cache. A column holds the probabilities that POSITION_LANES items, side by side, are at one
 * position.
 *
 * Sums are Kahan's, with a relative error of 2u for any length, where u = 2^-53. All terms are non-negative,
 * so the relative error of a result is at most the sum of the relative errors. A step with a fixed `at`
 * rounds a weight three times, its complement once more, and products and sums once or twice. So the error
 * bound of the step is 7u, which leaves room for the squares of u. For a step with two draws the bound is
 * 16u, because 1 - v_q - w_q (see position.h) is at least 1/3 or, if n = 2, almost 0.
 *
 * Cost: n columns of n items for each step; 8 flops for each cell that a step touches. W. Kahan, Further
 * remarks on reducing truncation errors, doi:10.1145/363707.363723.
 */
#include "exact/position/position.h"

#include "core/system.h"
#include "exact/weights.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
    POSITION_LANES = 8, /* number of items side by side */
    /* number of groups of POSITION_LANES items in a block; the groups share the weights of a step */
    POSITION_GROUPS = 4,
    POSITION_BLOCK = POSITION_LANES * POSITION_GROUPS,
};

/* A Kahan sum for each item. */
struct doubles_sum {
    double sum[POSITION_LANES], lost[POSITION_LANES];
};

/* One draw: P(q) and 1 - P(q) for the positions q = first .. first + bound - 1. */
struct doubles_draw {
    size_t first, bound;
    uint64_t *weight;     /* [n] scratch; owned */
    double *share, *rest; /* [n] P(first + y) and 1 - P(first + y); owned */
};

/* A thread's scratch space. */
struct doubles_worker {
    double *cell; /* [POSITION_GROUPS * n * POSITION_LANES] by group, then by position, then by item; owned */
    struct doubles_draw v, w;
};

/* State that the threads share. */
struct doubles_run {
    const struct sb_law *law;
    double *share; /* [n * deal], the result */
    size_t blocks; /* number of blocks of items */
    atomic_size_t next;
    /* SB_OK or SB_STOPPED. If a thread cannot allocate its memory, the other threads do all the work */
    atomic_int status;
};

static enum sb_status doubles_draw_open(size_t n, struct doubles_draw *draw)
{
    *draw = (struct doubles_draw) {
        .weight = calloc(n + 1, sizeof *draw->weight),
        .share = calloc(n + 1, sizeof *draw->share),
        .rest = calloc(n + 1, sizeof *draw->rest),
    };
    return draw->weight && draw->share && draw->rest ? SB_OK : SB_NO_MEMORY;
}

static void doubles_draw_close(struct doubles_draw *draw)
{
    free(draw->weight);
    free(draw->share);
    free(draw->rest);
}

/* Sets up a draw for a step. If the bound is the same as in the previous step, only `first` changes. */
static void doubles_draw_set(const struct sb_law *law, size_t first, size_t bound, struct doubles_draw *draw)
{
    draw->first = first;
    if (draw->bound == bound)
        return;
    draw->bound = bound;
    const uint64_t largest = sb_weights_get(law, bound, draw->weight);
    const double total = (double)largest + 1;

    for (size_t y = 0; y < bound; y++) {
        draw->share[y] = (double)draw->weight[y] / total;
        draw->rest[y] = draw->weight[y] ? (double)(largest - (draw->weight[y] - 1)) / total : 1;
    }
}

static inline void doubles_add(struct doubles_sum *s, size_t lane, double term)
{
    const double exact = term - s->lost[lane], sum = s->sum[lane] + exact;

    s->lost[lane] = (sum - s->sum[lane]) - exact;
    s->sum[lane] = sum;
}

/* Does a step with one fixed position: exchanges `at` with a drawn position. */
static void doubles_mix(const struct doubles_draw *draw, size_t at, double *cell)
{
    struct doubles_sum s = { 0 };
    double there[POSITION_LANES];

    for (size_t l = 0; l < POSITION_LANES; l++)
        there[l] = cell[at * POSITION_LANES + l];
    for (size_t y = 0; y < draw->bound; y++) {
        double *const column = cell + (draw->first + y) * POSITION_LANES;
        const double share = draw->share[y], rest = draw->rest[y];

        for (size_t l = 0; l < POSITION_LANES; l++) {
            doubles_add(&s, l, share * column[l]);
            column[l] = rest * column[l] + share * there[l];
        }
    }
    for (size_t l = 0; l < POSITION_LANES; l++)
        cell[at * POSITION_LANES + l] = s.sum[l];
}

static double doubles_share(const struct doubles_draw *draw, size_t q)
{
    return q - draw->first < draw->bound ? draw->share[q - draw->first] : 0;
}

/* Does a step with two draws. */
static void doubles_mix_both(const struct doubles_draw *dv, const struct doubles_draw *dw, size_t n,
                             double *cell)
{
    struct doubles_sum v_sum = { 0 }, w_sum = { 0 };

    for (size_t q = 0; q < n; q++)
        for (size_t l = 0; l < POSITION_LANES; l++) {
            doubles_add(&v_sum, l, doubles_share(dv, q) * cell[q * POSITION_LANES + l]);
            doubles_add(&w_sum, l, doubles_share(dw, q) * cell[q * POSITION_LANES + l]);
        }
    for (size_t q = 0; q < n; q++) {
        const double v = doubles_share(dv, q), w = doubles_share(dw, q), stay = 1 - v - w;

        for (size_t l = 0; l < POSITION_LANES; l++) {
            double *const p = &cell[q * POSITION_LANES + l];

            *p = v * w_sum.sum[l] + w * v_sum.sum[l] + stay * *p;
        }
    }
}

/* Applies all steps to one block of items. */
static enum sb_status doubles_block(const struct sb_law *law, struct doubles_worker *worker)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    const size_t n = shuffler->n;

    for (size_t k = 0; k < shuffler->count; k++) {
        const struct sb_swap step = shuffler->steps[k];
        const bool fixed = step.at_bound == 1;

        if (law->stop && *law->stop)
            return SB_STOPPED;
        if (!fixed)
            doubles_draw_set(law, step.at, step.at_bound, &worker->v);
        doubles_draw_set(law, step.from, step.bound, &worker->w);
        for (size_t g = 0; g < POSITION_GROUPS; g++) {
            double *const cell = worker->cell + g * n * POSITION_LANES;

            if (fixed)
                doubles_mix(&worker->w, step.at, cell);
            else if (step.bound == 1)
                doubles_mix(&worker->v, step.from, cell);
            else
                doubles_mix_both(&worker->v, &worker->w, n, cell);
        }
    }
    return SB_OK;
}

/* Computes rows first .. first + POSITION_BLOCK - 1 of the result, starting from the identity. */
static enum sb_status doubles_items(const struct doubles_run *run, size_t first,
                                    struct doubles_worker *worker)
{
    const size_t n = run->law->shuffler->n, deal = run->law->shuffler->deal;
    enum sb_status status;

    for (size_t i = 0; i < POSITION_GROUPS * n * POSITION_LANES; i++)
        worker->cell[i] = 0;
    for (size_t i = first; i < n && i < first + POSITION_BLOCK; i++) {
        const size_t group = (i - first) / POSITION_LANES, lane = (i - first) % POSITION_LANES;

        worker->cell[(group * n + i) * POSITION_LANES + lane] = 1;
    }
    status = doubles_block(run->law, worker);
    for (size_t i = first; i < n && i < first + POSITION_BLOCK; i++) {
        const size_t group = (i - first) / POSITION_LANES, lane = (i - first) % POSITION_LANES;

        for (size_t j = 0; j < deal; j++)
            run->share[i * deal + j] = fmin(1, worker->cell[(group * n + j) * POSITION_LANES + lane]);
    }
    return status;
}

/* Does the work of a thread: takes blocks until none is left. Thread 0 is the calling thread. */
static void doubles_work(void *state, size_t thread)
{
    struct doubles_run *const run = state;
    const struct sb_law *const law = run->law;
    const size_t n = law->shuffler->n;
    struct doubles_worker worker = { .cell =
                                         calloc(POSITION_GROUPS * n * POSITION_LANES + 1, sizeof(double)) };
    enum sb_status status = doubles_draw_open(n, &worker.v);

    if (doubles_draw_open(n, &worker.w) || !worker.cell)
        status = SB_NO_MEMORY;
    while (status == SB_OK) {
        const size_t block = atomic_fetch_add(&run->next, 1);

        if (block >= run->blocks)
            break;
        if (thread == 0 && law->progress)
            law->progress(law->progress_state, law->subject, block, run->blocks);
        status = doubles_items(run, block * POSITION_BLOCK, &worker);
    }
    if (status == SB_STOPPED)
        run->status = SB_STOPPED;
    free(worker.cell);
    doubles_draw_close(&worker.v);
    doubles_draw_close(&worker.w);
}

/* Returns the number of threads: the requested number, but at most one per block, and only one if there is
 * little work. */
static size_t doubles_threads(const struct doubles_run *run)
{
    return sb_position_work(run->law) > 1e7 ? sb_threads_count(run->law->threads, run->blocks) : 1;
}

enum sb_status sb_position_doubles(const struct sb_law *law, struct sb_evidence *evidence)
{
    const size_t n = evidence->n;
    struct doubles_run run = { .law = law, .blocks = (n + POSITION_BLOCK - 1) / POSITION_BLOCK };
    double roundings = 0;

    if (sb_numbers_open(SB_NUMBERS_SHARE, n * evidence->deal, &evidence->matrix))
        return SB_NO_MEMORY;
    run.share = evidence->matrix.share;
    sb_threads_run(doubles_threads(&run), doubles_work, &run);
    if (run.status == SB_OK && run.next < run.blocks)
        run.status = SB_NO_MEMORY;
    if (run.status)
        return (enum sb_status)run.status;
    for (size_t k = 0; k < law->shuffler->count; k++)
        roundings += law->shuffler->steps[k].at_bound > 1 && law->shuffler->steps[k].bound > 1 ? 16 : 7;
    evidence->error = roundings * 0x1p-53;
    return SB_OK;
}
