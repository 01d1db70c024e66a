/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the exact item-by-position matrix: checks whether the matrix is possible, chooses its number type, and
 * computes it under a plan of swaps. The matrix can be computed for n far beyond the limits of the law itself. If only
 * one card is dealt, the only column of the matrix is the law.
 *
 * Under a plan of swaps, the position of a single item is a Markov chain with n states. A step swaps
 * positions at + x and from + y. Let p be the row of an item: p_q is the probability that the item is at
 * position q. Let v_q = P(at + x = q), w_q = P(from + y = q), V = sum_r v_r p_r and W = sum_r w_r p_r. Then
 * the step turns p into
 *
 *     p'_q = v_q W + w_q V + (1 - v_q - w_q) p_q,
 *
 * since the item moves from r to q != r with probability v_r w_q + v_q w_r, and stays at q with probability
 * (1 - v_q)(1 - w_q) + v_q w_q. So a step costs O(n) per item, and O(n^2) for all items.
 *
 * R. Pinsky, Cyclic to random transposition shuffles (2012), arXiv:1204.2081, gives the limit of the naive
 * swap's matrix.
 */
#include "exact/engine.h"

#include "core/system.h"

#include <stdatomic.h>

/* The largest result of position_work() that is allowed. This much work takes hours. */
static const double position_work_most = 2e12;

/* Returns the estimated number of products for a plan of swaps, or 0 for other shuffles. */
static double position_work(const struct sb_law *law)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    double draws = 0;

    for (size_t k = 0; k < shuffler->count; k++)
        draws += shuffler->steps[k].at_bound > 1 ? (double)shuffler->n : (double)shuffler->steps[k].bound;
    return draws * (double)shuffler->n;
}

/*
 * In doubles, with a bound on the error:
 *
 * A block of items goes through all steps before the next block starts, so that the columns of the block stay in the
 * cache. A column holds the probabilities that POSITION_LANES items, side by side, are at one position.
 *
 * Sums are Kahan's, with a relative error of 2u for any length, where u = 2^-53. All terms are non-negative, so the
 * relative error of a result is at most the sum of the relative errors. A step with a fixed `at` rounds a weight three
 * times, its complement once more, and products and sums once or twice. So the error bound of the step is 7u, which
 * leaves room for the squares of u. For a step with two draws the bound is 16u, because 1 - v_q - w_q (see above) is at
 * least 1/3 or, if n = 2, almost 0.
 *
 * Cost: n columns of n items for each step; 8 flops for each cell that a step touches. W. Kahan, Further remarks on
 * reducing truncation errors, doi:10.1145/363707.363723.
 */

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

static void doubles_mix_both(const struct doubles_draw *dv, const struct doubles_draw *dw, size_t n, double *cell)
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

static enum sb_status doubles_block(const struct sb_law *law, struct doubles_worker *worker)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    const size_t n = shuffler->n;

    for (size_t k = 0; k < shuffler->count; k++) {
        const struct sb_swap step = shuffler->steps[k];
        const bool fixed = step.at_bound == 1;

        if (sb_law_stopped(law))
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

static enum sb_status doubles_items(const struct doubles_run *run, size_t first, struct doubles_worker *worker)
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

static void doubles_work(void *state, size_t thread)
{
    struct doubles_run *const run = state;
    const struct sb_law *const law = run->law;
    const size_t n = law->shuffler->n;
    struct doubles_worker worker = { .cell = calloc(POSITION_GROUPS * n * POSITION_LANES + 1, sizeof(double)) };
    enum sb_status status = doubles_draw_open(n, &worker.v);

    if (doubles_draw_open(n, &worker.w) || !worker.cell)
        status = SB_NO_MEMORY;
    while (status == SB_OK) {
        const size_t block = atomic_fetch_add(&run->next, 1);

        if (block >= run->blocks)
            break;
        if (thread == 0)
            sb_law_report(law, block, run->blocks);
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
    return position_work(run->law) > 1e7 ? sb_threads_count(run->law->threads, run->blocks) : 1;
}

static enum sb_status position_doubles(const struct sb_law *law, struct sb_evidence *evidence)
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

/*
 * In integers:
 *
 * The denominator is the product of the sums of the weights of all draws.
 *
 * A step has the weights v_q, with the sum S, and the weights w_q, with the sum T. Let p be the row of an
 * item over the denominator D, V = sum_r v_r p_r and W = sum_r w_r p_r. The step turns p into this row over
 * the denominator D S T:
 *
 *     p'_q = v_q W + w_q V + (S T - v_q T - w_q S) p_q.
 *
 * A step moves an item from q to r with the same probability as from r to q. So the steps in reverse order
 * lead from position j to position i with the probability that the shuffle puts item i at position j. The
 * rows here begin at the dealt positions, because a deal has fewer of them than items.
 *
 * Cost: for each step and dealt position, at most 5n products of a cell and a number with the bits of one step. A cell
 * has up to as many bits as all steps together. Cells have their full size from the start.
 */

/* The numbers of one step. */
struct integers_step {
    struct sb_draw_weights v, w;
    mpz_t *stay; /* [n] S T - v_q T - w_q S; owned */
    mpz_t v_sum, w_sum, both;
};

static void integers_set(const struct sb_law *law, const struct sb_swap *swap, struct integers_step *step)
{
    sb_draw_weights_set(law, swap->at, swap->at_bound, &step->v);
    sb_draw_weights_set(law, swap->from, swap->bound, &step->w);
    mpz_mul(step->both, step->v.total, step->w.total);
    for (size_t q = 0; q < law->shuffler->n; q++) {
        mpz_set(step->stay[q], step->both);
        mpz_submul(step->stay[q], step->v.weight[q], step->w.total);
        mpz_submul(step->stay[q], step->w.weight[q], step->v.total);
    }
}

static void integers_sum(const struct sb_draw_weights *draw, mpz_t row[], mpz_t sum)
{
    mpz_set_ui(sum, 0);
    for (size_t q = draw->first; q < draw->first + draw->bound; q++)
        mpz_addmul(sum, draw->weight[q], row[q]);
}

static void integers_mix(struct integers_step *step, size_t n, mpz_t row[])
{
    integers_sum(&step->v, row, step->v_sum);
    integers_sum(&step->w, row, step->w_sum);
    for (size_t q = 0; q < n; q++) {
        mpz_mul(row[q], row[q], step->stay[q]);
        mpz_addmul(row[q], step->v.weight[q], step->w_sum);
        mpz_addmul(row[q], step->w.weight[q], step->v_sum);
    }
}

/* Applies all steps to the rows of all dealt positions, the last step first. */
static enum sb_status integers_run(const struct sb_law *law, struct integers_step *step, mpz_t cell[])
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    const size_t n = shuffler->n;

    for (size_t k = 0; k < shuffler->count; k++) {
        if (sb_law_stopped(law))
            return SB_STOPPED;
        sb_law_report(law, k, shuffler->count);
        integers_set(law, &shuffler->steps[shuffler->count - 1 - k], step);
        for (size_t j = 0; j < shuffler->deal; j++)
            integers_mix(step, n, cell + j * n);
    }
    return SB_OK;
}

static enum sb_status position_integers(const struct sb_law *law, struct sb_evidence *evidence)
{
    const size_t n = evidence->n, deal = evidence->deal;
    struct integers_step step = { .stay = sb_mpz_new(n, 64) };
    mpz_t *cell = NULL;
    enum sb_status status = step.stay ? SB_OK : SB_NO_MEMORY;

    mpz_inits(step.v_sum, step.w_sum, step.both, NULL);
    if (sb_draw_weights_open(n, &step.v) | sb_draw_weights_open(n, &step.w))
        status = SB_NO_MEMORY;
    if (status == SB_OK) {
        sb_weights_denominator(law, step.v.narrow, evidence->denominator);
        /* with room for two carries */
        cell = sb_mpz_new(deal * n, mpz_sizeinbase(evidence->denominator, 2) + 2 * GMP_NUMB_BITS);
        status = cell ? sb_numbers_open(SB_NUMBERS_WIDE, n * deal, &evidence->matrix) : SB_NO_MEMORY;
    }
    for (size_t j = 0; status == SB_OK && j < deal; j++)
        mpz_set_ui(cell[j * n + j], 1);
    if (status == SB_OK)
        status = integers_run(law, &step, cell);
    for (size_t i = 0; status == SB_OK && i < n; i++)
        for (size_t j = 0; j < deal; j++)
            mpz_swap(evidence->matrix.wide[i * deal + j], cell[j * n + i]);
    sb_draw_weights_close(n, &step.v);
    sb_draw_weights_close(n, &step.w);
    mpz_clears(step.v_sum, step.w_sum, step.both, NULL);
    sb_mpz_free(step.stay, n);
    sb_mpz_free(cell, deal * n);
    return status;
}

/* ---- the engine ---- */

enum {
    /* the largest n for fractions; for a larger n, the fractions have hundreds of digits */
    POSITION_FRACTIONS_MOST = 64
};

static bool position_has(const struct sb_law *law)
{
    const struct sb_shuffle_type *const type = law->shuffler->shuffle.type;

    return type->plan || type->origin;
}

static enum sb_status position_check(const struct sb_law *law, bool exact, struct sb_error *error)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    const char *const name = shuffler->shuffle.type->name;
    const size_t n = shuffler->n, exact_most = shuffler->deal == 1 ? SB_POSITION_FIRST_MOST : SB_POSITION_EXACT_MOST;

    if (!position_has(law))
        return sb_error_set(
            error, SB_INVALID,
            "%s: its exact matrix is not known, since it is no series of independent steps: use `by=sample`", name);
    if (!shuffler->shuffle.type->plan && n > SB_POSITION_ORIGINS_MOST)
        return sb_error_set(error, SB_TOO_LARGE, "%s: `n = %zu` is too large for the exact matrix: use n <= %d", name,
                            n, SB_POSITION_ORIGINS_MOST);
    if (exact && n > exact_most)
        return sb_error_set(error, SB_TOO_LARGE, "%s: `n = %zu` is too large for fractions: use n <= %zu", name, n,
                            exact_most);
    if (n * shuffler->deal > SB_POSITION_CELLS_MOST)
        return sb_error_set(error, SB_TOO_LARGE,
                            "`n = %zu` is too large for a matrix of items by positions: use n <= 8192, or `deal=%zu`",
                            n, SB_POSITION_CELLS_MOST / n);
    if (position_work(law) > position_work_most)
        return sb_error_set(error, SB_TOO_LARGE,
                            "%s: the exact matrix at `n = %zu` would take hours: use n <= 8192, or `by=sample`", name,
                            n);
    return SB_OK;
}

enum sb_status sb_position_matrix(const struct sb_law *law, bool exact, struct sb_error *error,
                                  struct sb_evidence *evidence)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    struct sb_evidence made = {
        .by = SB_BY_EXACT,
        .n = shuffler->n,
        .deal = shuffler->deal,
    };
    enum sb_status status = position_check(law, exact, error);

    if (status)
        return status;
    mpz_init(made.denominator);
    if (shuffler->shuffle.type->plan)
        status = exact ? position_integers(law, &made) : position_doubles(law, &made);
    else
        status = exact ? sb_position_origins_integers(law, &made) : sb_position_origins_doubles(law, &made);
    if (status == SB_OK) {
        *evidence = made;
        return SB_OK;
    }
    sb_evidence_close(&made);
    if (status == SB_STOPPED)
        return sb_error_set(error, status, "%s: stopped before the matrix was done", shuffler->shuffle.type->name);
    return sb_error_memory(error, "the matrix of items by positions");
}

/* Returns whether the matrix is the law, in fractions: one card is dealt, and it is not the whole deck. */
static bool position_is_law(const struct sb_law *law)
{
    const struct sb_shuffler *const shuffler = law->shuffler;

    return shuffler->deal == 1 && shuffler->n > 1 && position_has(law) &&
           shuffler->n <= (shuffler->shuffle.type->plan ? SB_POSITION_FIRST_MOST : POSITION_FRACTIONS_MOST);
}

/* Assumes about a nanosecond per product. */
static double position_cost(const struct sb_law *law, enum sb_engine_task task)
{
    const bool possible = task == SB_TASK_MATRIX ? position_has(law) : task == SB_TASK_LAW && position_is_law(law);

    return possible ? position_work(law) : HUGE_VAL;
}

static enum sb_status position_matrix(const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence)
{
    const bool exact = law->shuffler->n <= POSITION_FRACTIONS_MOST || position_is_law(law);

    return sb_position_matrix(law, exact, error, evidence);
}

/* The law of deals of one card: the rank of such a deal is its item, and the item's row of the matrix has one cell. */
static enum sb_status position_law(const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence)
{
    struct sb_evidence made = { 0 };
    enum sb_status status = position_matrix(law, error, &made);

    if (status)
        return status;
    made.cells = made.n;
    made.counts = made.matrix;
    made.matrix = (struct sb_numbers) { 0 };
    status = sb_exact_narrow(&made);
    if (status == SB_OK) {
        *evidence = made;
        return SB_OK;
    }
    sb_evidence_close(&made);
    return sb_error_memory(error, "the exact law");
}

const struct sb_engine_type sb_engine_position = {
    .name = "position",
    .cost = position_cost,
    .law = position_law,
    .matrix = position_matrix,
};
