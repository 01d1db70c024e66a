/* SPDX-License-Identifier: GPL-3.0-or-later */
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
#include "exact/engines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
