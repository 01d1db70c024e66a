/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses the engine for each task, by the cost that each engine estimates, and computes the weights of the draws of a
 * swap plan, in lowest terms. Also the engine of deals (further below).
 */
#include "exact/engine.h"

enum { ENGINE_FRACTIONS_MOST = 3628800 }; /* 10!: more fractions take gigabytes of memory */

/* the largest cost of fractions instead of doubles: half a minute */
static const double engine_fractions_cost = 3e10;

/* Returns what a task costs. Weights of words above 64 bits do not fit, so only formulas have their laws. */
static double engine_cost(const struct sb_engine_type *engine, const struct sb_law *law, enum sb_engine_task task)
{
    return sb_draw_wide(law->draw) && engine != &sb_engine_closed ? HUGE_VAL : engine->cost(law, task);
}

enum sb_status sb_engine_check_words(const struct sb_law *law, struct sb_error *error)
{
    if (!sb_draw_wide(law->draw))
        return SB_OK;
    return sb_error_set(
        error, SB_TOO_LARGE,
        "%s: with words of more than 64 bits, the exact law is known only of Fisher-Yates in its forms, for whole "
        "decks or deals that take a draw a card: use a sample, or `draw = modulo:64`",
        law->subject);
}

const struct sb_engine_type *sb_engine_for(const struct sb_law *law, enum sb_engine_task task, double *cost)
{
    const struct sb_engine_type *best = sb_engine_types[0];
    double least = engine_cost(best, law, task);

    for (size_t i = 1; i < sb_engine_types_count && !isnan(least); i++) {
        const double other = engine_cost(sb_engine_types[i], law, task);

        if (isnan(other) || (other < HUGE_VAL && other <= least)) {
            best = sb_engine_types[i];
            least = other;
        }
    }
    *cost = least;
    return best;
}

bool sb_engine_finds_matrix(const struct sb_law *law)
{
    double cost;

    (void)sb_engine_for(law, SB_TASK_MATRIX, &cost);
    return cost < HUGE_VAL; /* false for NAN */
}

enum sb_status sb_engine_possible(const struct sb_law *law, double limit, bool *possible)
{
    static const enum sb_engine_task tasks[] = { SB_TASK_LAW, SB_TASK_MATRIX, SB_TASK_EFFECT };

    *possible = false;
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0] && !*possible; i++) {
        double cost;

        (void)sb_engine_for(law, tasks[i], &cost);
        if (isnan(cost))
            return SB_NO_MEMORY;
        *possible = cost <= (tasks[i] == SB_TASK_LAW ? limit : SB_COST_UNLIMITED);
    }
    return SB_OK;
}

/* Returns whether to compute the law. A law that takes minutes is not computed if an engine can compute the
 * effects of the law. */
static bool engine_takes(double law_cost, double effect_cost, double limit)
{
    return law_cost <= limit && (law_cost <= SB_COST_MINUTES || effect_cost == HUGE_VAL);
}

static enum sb_status engine_run(const struct sb_engine_type *engine, enum sb_engine_task task,
                                 const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence)
{
    const enum sb_status status = (task == SB_TASK_LAW ? engine->law : engine->matrix)(law, error, evidence);

    if (status == SB_OK)
        snprintf(evidence->engine, sizeof evidence->engine, "%s", engine->name);
    return status;
}

enum sb_status sb_engine_law(const struct sb_law *law, double limit, struct sb_error *error,
                             struct sb_evidence *evidence)
{
    double cost;
    const struct sb_engine_type *const engine = sb_engine_for(law, SB_TASK_LAW, &cost);

    if (isnan(cost))
        return sb_error_memory(error, "the exact law");
    if (cost == HUGE_VAL && sb_engine_check_words(law, error))
        return SB_TOO_LARGE;
    return cost <= limit ? engine_run(engine, SB_TASK_LAW, law, error, evidence) : SB_OK;
}

/* Returns whether evidence has fewer than six right digits of a ratio that differs from 1 by this much. */
static bool engine_blurs(const struct sb_evidence *evidence, double excess)
{
    return evidence->cells == 0 || excess < 1e6 * (evidence->error + DBL_EPSILON);
}

/* Returns how far the ratio of any deal is from 1, of a law in doubles. */
static double engine_excess(const struct sb_evidence *evidence)
{
    double most = 0;

    for (size_t i = 0; i < evidence->cells; i++)
        most = fmax(most, fabs(evidence->counts.share[i] * (double)evidence->cells - 1));
    return most;
}

/* Returns whether doubles blur the bias of a law, and no formula has its effects either. */
static bool engine_unclear(const struct sb_law *law, const struct sb_evidence *evidence)
{
    double cost;

    if (evidence->counts.form != SB_NUMBERS_SHARE || !engine_blurs(evidence, engine_excess(evidence)))
        return false;
    (void)sb_engine_for(law, SB_TASK_EFFECT, &cost);
    return cost == HUGE_VAL || law->arranged; /* formulas are about decks without equal items */
}

/* Replaces a law in doubles by fractions, if they cost at most `limit`, and if there is enough memory. */
static enum sb_status engine_sharpen(const struct sb_law *law, double limit, struct sb_error *error,
                                     struct sb_evidence *evidence)
{
    struct sb_law exact = *law;
    struct sb_evidence sharp = { 0 };
    struct sb_error said = { 0 };
    double cost;

    exact.fractions = true;
    const struct sb_engine_type *const engine = sb_engine_for(&exact, SB_TASK_LAW, &cost);

    if (evidence->cells > ENGINE_FRACTIONS_MOST || !(cost <= fmin(limit, engine_fractions_cost)))
        return SB_OK;
    const enum sb_status status = engine_run(engine, SB_TASK_LAW, &exact, &said, &sharp);

    if (status == SB_OK) {
        sb_evidence_close(evidence);
        *evidence = sharp;
    }
    return status == SB_STOPPED ? sb_error_set(error, status, "%s", said.text) : SB_OK;
}

/* Computes the law with this engine, in fractions if doubles would not show its bias. */
static enum sb_status engine_sharp_law(const struct sb_engine_type *engine, const struct sb_law *law, double limit,
                                       struct sb_error *error, struct sb_evidence *evidence)
{
    enum sb_status status = engine_run(engine, SB_TASK_LAW, law, error, evidence);

    if (status || !engine_unclear(law, evidence))
        return status;
    status = engine_sharpen(law, limit, error, evidence);
    if (status)
        sb_evidence_close(evidence);
    return status;
}

static struct sb_evidence engine_bare(const struct sb_law *law)
{
    struct sb_evidence bare = { .by = SB_BY_EXACT, .n = law->shuffler->n, .deal = law->shuffler->deal };

    mpz_init(bare.denominator);
    return bare;
}

enum sb_status sb_engine_evidence(const struct sb_law *law, double law_limit, double matrix_limit,
                                  struct sb_error *error, struct sb_evidence *evidence)
{
    double law_cost, matrix_cost, effect_cost;
    const struct sb_engine_type *const of_law = sb_engine_for(law, SB_TASK_LAW, &law_cost);
    const struct sb_engine_type *const of_matrix = sb_engine_for(law, SB_TASK_MATRIX, &matrix_cost);
    const struct sb_engine_type *const of_effect = sb_engine_for(law, SB_TASK_EFFECT, &effect_cost);
    enum sb_status status = SB_TOO_LARGE;

    if (isnan(law_cost) || isnan(matrix_cost) || isnan(effect_cost))
        return sb_error_memory(error, "the exact law");
    if (engine_takes(law_cost, effect_cost, law_limit))
        return engine_sharp_law(of_law, law, law_limit, error, evidence);
    if (matrix_cost <= matrix_limit)
        status = engine_run(of_matrix, SB_TASK_MATRIX, law, error, evidence);
    if (status != SB_TOO_LARGE)
        return status;
    if (effect_cost < HUGE_VAL && !(law->arranged && sb_draw_wide(law->draw))) {
        *evidence = engine_bare(law);
        snprintf(evidence->engine, sizeof evidence->engine, "%s", of_effect->name);
        return SB_OK;
    }
    if (sb_engine_check_words(law, error))
        return SB_TOO_LARGE;
    if (matrix_cost <= matrix_limit)
        return status;
    if (matrix_cost < HUGE_VAL)
        return sb_error_set(error, SB_TOO_LARGE,
                            "%s at n = %zu: all that is known is its matrix, which takes minutes: use n <= 2000",
                            law->subject, law->shuffler->n);
    /* the engine fails and gives the reason */
    return engine_run(of_law, SB_TASK_LAW, law, error, evidence);
}

enum sb_status sb_engine_effect(const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence,
                                struct sb_effect *effect, bool *known)
{
    double cost;

    *known = false;
    if (evidence->cells && evidence->counts.form != SB_NUMBERS_SHARE)
        return SB_OK;
    const struct sb_engine_type *const engine = sb_engine_for(law, SB_TASK_EFFECT, &cost);

    if (isnan(cost))
        return sb_error_memory(error, "the effects");
    if (cost == HUGE_VAL)
        return SB_OK;
    const enum sb_status status = engine->effect(law, error, effect);

    if (status == SB_TOO_LARGE && evidence->cells)
        return SB_OK;
    *known = status == SB_OK && engine_blurs(evidence, fmax(effect->max_excess, -effect->min_excess));
    if (status == SB_OK && !*known)
        sb_effect_close(effect);
    /* in place of the bounds from doubles: formulas have at least 12 right digits */
    if (*known && evidence->cells)
        effect->total_variation_error = fmax(effect->total_variation_error, 1e-12 * effect->total_variation);
    if (*known && strcmp(evidence->engine, engine->name) != 0) {
        char other[sizeof evidence->engine]; /* name of the engine that computed the matrix */

        strcpy(other, evidence->engine);
        snprintf(evidence->engine, sizeof evidence->engine, "%s, %.20s", engine->name, other);
    }
    return status;
}

enum sb_status sb_engine_fail(const struct sb_law *law, enum sb_status status, struct sb_error *error)
{
    const char *const name = law->shuffler->shuffle.type->name;

    if (status == SB_STOPPED)
        return sb_error_set(error, status, "%s: stopped before the exact law was known", name);
    return status == SB_NO_MEMORY ? sb_error_memory(error, "the exact law") : sb_error_broken(error, name);
}

/* ---- the weights of draws ----
 *
 * A common factor g of the weights also divides their sum s, so floor((s - 1) / g) = s / g - 1. */

uint64_t sb_weights_get(const struct sb_law *law, size_t bound, uint64_t weight[])
{
    uint64_t factor = 0;

    if (bound < 2 || !law->draw || !law->draw->type->law) {
        for (size_t j = 0; j < bound; j++)
            weight[j] = 1;
        return bound - 1;
    }
    law->draw->type->law(law->draw, law->largest, (uint32_t)bound, weight);
    for (size_t j = 0; j < bound && factor != 1; j++)
        factor = sb_gcd(weight[j], factor);
    for (size_t j = 0; j < bound && factor > 1; j++)
        weight[j] /= factor;
    return law->largest / factor;
}

static void weights_total(const struct sb_law *law, size_t bound, uint64_t weight[], mpz_t total)
{
    sb_mpz_set_u64(total, sb_weights_get(law, bound, weight));
    mpz_add_ui(total, total, 1);
}

enum sb_status sb_draw_weights_open(size_t n, struct sb_draw_weights *draw)
{
    *draw = (struct sb_draw_weights) { .narrow = calloc(n + 1, sizeof *draw->narrow), .weight = sb_mpz_new(n, 64) };
    mpz_init(draw->total);
    return draw->narrow && draw->weight ? SB_OK : SB_NO_MEMORY;
}

void sb_draw_weights_close(size_t n, struct sb_draw_weights *draw)
{
    free(draw->narrow);
    sb_mpz_free(draw->weight, n);
    mpz_clear(draw->total);
}

void sb_draw_weights_set(const struct sb_law *law, size_t first, size_t bound, struct sb_draw_weights *draw)
{
    for (size_t q = draw->first; q < draw->first + draw->bound; q++)
        mpz_set_ui(draw->weight[q], 0);
    draw->first = first;
    draw->bound = bound;
    weights_total(law, bound, draw->narrow, draw->total);
    for (size_t q = 0; q < bound; q++)
        sb_mpz_set_u64(draw->weight[first + q], draw->narrow[q]);
}

void sb_weights_denominator(const struct sb_law *law, uint64_t weight[], mpz_t denominator)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    mpz_t total;

    mpz_init(total);
    mpz_set_ui(denominator, 1);
    for (size_t s = 0; s < shuffler->count; s++) {
        weights_total(law, shuffler->steps[s].at_bound, weight, total);
        mpz_mul(denominator, denominator, total);
        weights_total(law, shuffler->steps[s].bound, weight, total);
        mpz_mul(denominator, denominator, total);
    }
    mpz_clear(total);
}

bool sb_law_stopped(const struct sb_law *law)
{
    return law->stop && *law->stop;
}

void sb_law_report(const struct sb_law *law, uint64_t done, uint64_t total)
{
    if (law->progress)
        law->progress(law->progress_state, law->subject, done, total);
}

bool sb_law_pause(const struct sb_law *law, uint64_t done, uint64_t total)
{
    sb_law_report(law, done, total);
    return sb_law_stopped(law);
}

/*
 * The exact law of deals of k out of n cards, 1 < k < n, of a shuffle made of swaps. The engine follows the k
 * dealt cards back to where they started, and no others, so n may be far larger than for the law of whole
 * decks.
 *
 * A state is the k positions where the dealt cards are, one after the other. Before the first swap, item i is
 * at position i, so then the state is the deal. After the last swap, it is 0, 1, ..., k-1. Suppose that a swap
 * exchanges position a, of weight v_a, with position b, of weight w_b. Let V and W be the sums of all v and w.
 * Let A, B and C be the sums of v, of w and of the products v w over the positions of a state. Then the state
 * stays with weight
 *
 *     (V - A)(W - B) + C,
 *
 * since neither of the two positions holds a dealt card, or they are the same. Otherwise it gets to the state
 * in which a and b are exchanged, with weight v_a w_b. A swap is its own inverse, so each step back has these
 * weights, too.
 *
 * Counts are integers of any size, over the product of all V W. Cost: a product for each state, step and pair
 * a, b of which at least one is in the state: if all steps exchange a given position with any, 2k on average.
 */

enum {
    DEALS_CARDS_MOST = 10, /* at most 10! deals have counts: sb_cells() */
    DEALS_PAUSE = 4096,    /* states between two looks at the stop flag */
    DEALS_NOTHING = 16384, /* the fixed part of the cost, in nanoseconds */
    DEALS_PRODUCT = 8,     /* nanoseconds of a product with a number of few digits */
    DEALS_USE = 300,       /* nanoseconds that a report needs for each count */
};

/* A law that would take longer than about a minute is left to other engines, which find the matrix in a moment. */
static const double deals_cost_most = 6e10;

struct deals_walk {
    const struct sb_law *law;
    size_t n, k, cells;
    struct sb_draw_weights at, from;
    mpz_t *now, *next; /* [cells] counts by the rank of the state; owned */
    mpz_t a, b, c, scaled;
};

static bool deals_holds(const struct deals_walk *walk, const sb_item state[], size_t position)
{
    size_t i = 0;

    while (i < walk->k && state[i] != position)
        i++;
    return i < walk->k;
}

/* Adds walk->scaled * weight to the count of the state in which positions a and b are exchanged. */
static void deals_move(struct deals_walk *walk, const sb_item state[], size_t a, size_t b, const mpz_t weight)
{
    sb_item moved[DEALS_CARDS_MOST];

    for (size_t i = 0; i < walk->k; i++)
        moved[i] = state[i] == a ? (sb_item)b : state[i] == b ? (sb_item)a : state[i];
    mpz_addmul(walk->next[sb_permutation_cell(walk->n, walk->k, moved)], walk->scaled, weight);
}

static void deals_stay(struct deals_walk *walk, const sb_item state[], size_t rank)
{
    mpz_set(walk->a, walk->at.total);
    mpz_set(walk->b, walk->from.total);
    mpz_set_ui(walk->c, 0);
    for (size_t i = 0; i < walk->k; i++) {
        mpz_sub(walk->a, walk->a, walk->at.weight[state[i]]);
        mpz_sub(walk->b, walk->b, walk->from.weight[state[i]]);
        mpz_addmul(walk->c, walk->at.weight[state[i]], walk->from.weight[state[i]]);
    }
    mpz_addmul(walk->c, walk->a, walk->b);
    mpz_addmul(walk->next[rank], walk->now[rank], walk->c);
}

static void deals_send(struct deals_walk *walk, size_t rank)
{
    const struct sb_draw_weights *const at = &walk->at, *const from = &walk->from;
    sb_item state[DEALS_CARDS_MOST];

    sb_permutation_unrank(walk->n, walk->k, rank, state);
    deals_stay(walk, state, rank);
    for (size_t i = 0; i < walk->k; i++) {
        if (mpz_sgn(at->weight[state[i]]) != 0) {
            mpz_mul(walk->scaled, walk->now[rank], at->weight[state[i]]);
            for (size_t b = from->first; b < from->first + from->bound; b++)
                if (b != state[i])
                    deals_move(walk, state, state[i], b, from->weight[b]);
        }
        if (mpz_sgn(from->weight[state[i]]) != 0) {
            mpz_mul(walk->scaled, walk->now[rank], from->weight[state[i]]);
            for (size_t a = at->first; a < at->first + at->bound; a++)
                if (!deals_holds(walk, state, a)) /* pairs with a in the state were above */
                    deals_move(walk, state, a, state[i], at->weight[a]);
        }
    }
}

static enum sb_status deals_step(struct deals_walk *walk, size_t step)
{
    const struct sb_law *const law = walk->law;

    for (size_t rank = 0; rank < walk->cells; rank++)
        mpz_set_ui(walk->next[rank], 0);
    for (size_t rank = 0; rank < walk->cells; rank++) {
        if (rank % DEALS_PAUSE == 0) {
            if (sb_law_stopped(law))
                return SB_STOPPED;
            sb_law_report(law, step * walk->cells + rank, law->shuffler->count * walk->cells);
        }
        if (mpz_sgn(walk->now[rank]) != 0)
            deals_send(walk, rank);
    }
    mpz_t *const old = walk->now;
    walk->now = walk->next;
    walk->next = old;
    return SB_OK;
}

static enum sb_status deals_run(struct deals_walk *walk, struct sb_evidence *evidence)
{
    const struct sb_shuffler *const shuffler = walk->law->shuffler;
    enum sb_status status = SB_OK;

    sb_weights_denominator(walk->law, walk->at.narrow, evidence->denominator);
    /* with room for two carries */
    const size_t bits = mpz_sizeinbase(evidence->denominator, 2) + 2 * GMP_NUMB_BITS;

    walk->now = sb_mpz_new(walk->cells, bits);
    walk->next = sb_mpz_new(walk->cells, bits);
    if (!walk->now || !walk->next)
        return SB_NO_MEMORY;
    mpz_set_ui(walk->now[0], 1); /* 0, 1, ..., k-1 is the first of all states */
    for (size_t s = 0; s < shuffler->count && status == SB_OK; s++) {
        const struct sb_swap *const swap = &shuffler->steps[shuffler->count - 1 - s];

        sb_draw_weights_set(walk->law, swap->at, swap->at_bound, &walk->at);
        sb_draw_weights_set(walk->law, swap->from, swap->bound, &walk->from);
        status = deals_step(walk, s);
    }
    return status;
}

static enum sb_status deals_walk(const struct sb_law *law, struct sb_evidence *evidence)
{
    struct deals_walk walk = {
        .law = law,
        .n = evidence->n,
        .k = evidence->deal,
        .cells = evidence->cells,
    };
    enum sb_status status = sb_draw_weights_open(walk.n, &walk.at);
    const enum sb_status other = sb_draw_weights_open(walk.n, &walk.from);

    status = status ? status : other;
    mpz_inits(walk.a, walk.b, walk.c, walk.scaled, NULL);
    if (status == SB_OK)
        status = deals_run(&walk, evidence);
    if (status == SB_OK)
        status = sb_numbers_open(SB_NUMBERS_WIDE, walk.cells, &evidence->counts);
    for (size_t rank = 0; status == SB_OK && rank < walk.cells; rank++)
        mpz_swap(evidence->counts.wide[rank], walk.now[rank]);
    mpz_clears(walk.a, walk.b, walk.c, walk.scaled, NULL);
    sb_draw_weights_close(walk.n, &walk.at);
    sb_draw_weights_close(walk.n, &walk.from);
    sb_mpz_free(walk.now, walk.cells);
    sb_mpz_free(walk.next, walk.cells);
    return status;
}

static enum sb_status deals_law(const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    struct sb_evidence made = {
        .by = SB_BY_EXACT,
        .n = shuffler->n,
        .deal = shuffler->deal,
        .cells = sb_cells(shuffler->n, shuffler->deal),
    };
    enum sb_status status;

    mpz_init(made.denominator);
    status = deals_walk(law, &made);
    if (status == SB_OK)
        status = sb_exact_narrow(&made);
    if (status == SB_OK) {
        *evidence = made;
        return SB_OK;
    }
    sb_evidence_close(&made);
    return sb_engine_fail(law, status, error);
}

static double deals_bits(const struct sb_law *law, double bound)
{
    if (bound > 1 && law->draw && law->draw->type->law)
        return log2((double)law->largest + 1);
    return log2(bound);
}

/* Returns the cost of the law and of its effect sizes. */
static double deals_cost(const struct sb_law *law, enum sb_engine_task task)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    const double n = (double)shuffler->n, k = (double)shuffler->deal;
    double products = 0, bits = 0;

    if (task != SB_TASK_LAW || !shuffler->steps || shuffler->deal < 2 || shuffler->deal >= shuffler->n ||
        !sb_cells(shuffler->n, shuffler->deal))
        return HUGE_VAL;
    for (size_t s = 0; s < shuffler->count; s++) {
        const double at = (double)shuffler->steps[s].at_bound, from = (double)shuffler->steps[s].bound;

        products += k + 2 * k * at * from / n;
        bits += deals_bits(law, at) + deals_bits(law, from);
    }
    const double cells = (double)sb_cells(shuffler->n, shuffler->deal);
    const double cost = DEALS_NOTHING + cells * (products * (DEALS_PRODUCT + bits / 300) + DEALS_USE);

    return cost <= deals_cost_most ? cost : HUGE_VAL;
}

const struct sb_engine_type sb_engine_deals = {
    .name = "deals",
    .cost = deals_cost,
    .law = deals_law,
};
