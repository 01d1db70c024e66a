/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The matrix of items by positions in integers over one denominator, the product of the steps' sums.
 *
 * With weights v_q of sum S and w_q of sum T a row p over the denominator D becomes, over D S T,
 *
 *     p'_q = v_q W + w_q V + (S T - v_q T - w_q S) p_q,   W = sum_r w_r p_r,  V = sum_r v_r p_r.
 *
 * Cost: for each of the steps and items, 2n products of a number of up to 64 steps' bits by one of 64, with
 * `at` fixed; three times that otherwise.
 */
#include "engine/position.h"

#include "core/exact.h"
#include "engine/weights.h"

#include <stdlib.h>

/* The numbers of one step, as integers; [n] each; owned. */
struct integers_step {
    size_t n;
    uint64_t *weight; /* scratch */
    mpz_t *v, *w;     /* by position, 0 outside their ranges */
    mpz_t *stay;      /* S T - v T - w S */
    mpz_t v_total, w_total, v_sum, w_sum;
};

static mpz_t *integers_new(size_t count)
{
    mpz_t *const made = calloc(count + 1, sizeof *made);

    for (size_t i = 0; made && i < count; i++)
        mpz_init(made[i]);
    return made;
}

static void integers_free(mpz_t number[], size_t count)
{
    for (size_t i = 0; number && i < count; i++)
        mpz_clear(number[i]);
    free(number);
}

static enum sb_status integers_open(size_t n, struct integers_step *step)
{
    *step = (struct integers_step) {
        .n = n,
        .weight = calloc(n + 1, sizeof *step->weight),
        .v = integers_new(n),
        .w = integers_new(n),
        .stay = integers_new(n),
    };
    mpz_inits(step->v_total, step->w_total, step->v_sum, step->w_sum, NULL);
    return step->weight && step->v && step->w && step->stay ? SB_OK : SB_NO_MEMORY;
}

static void integers_close(struct integers_step *step)
{
    free(step->weight);
    integers_free(step->v, step->n);
    integers_free(step->w, step->n);
    integers_free(step->stay, step->n);
    mpz_clears(step->v_total, step->w_total, step->v_sum, step->w_sum, NULL);
}

/* One draw's weights by position, and their sum. */
static void integers_draw(const struct sb_law *law, size_t first, size_t bound, struct integers_step *step,
                          mpz_t weight[], mpz_t total)
{
    sb_mpz_set_u64(total, sb_weights_get(law, bound, step->weight));
    mpz_add_ui(total, total, 1);
    for (size_t q = 0; q < step->n; q++)
        sb_mpz_set_u64(weight[q], q - first < bound ? step->weight[q - first] : 0);
}

static void integers_set(const struct sb_law *law, const struct sb_swap *swap, struct integers_step *step)
{
    integers_draw(law, swap->at, swap->at_bound, step, step->v, step->v_total);
    integers_draw(law, swap->from, swap->bound, step, step->w, step->w_total);
    for (size_t q = 0; q < step->n; q++) {
        mpz_mul(step->stay[q], step->v_total, step->w_total);
        mpz_submul(step->stay[q], step->v[q], step->w_total);
        mpz_submul(step->stay[q], step->w[q], step->v_total);
    }
}

/* sum += weight * number, where 0 and 1 are the usual weights. */
static void integers_add(mpz_t sum, const mpz_t weight, const mpz_t number)
{
    if (mpz_sgn(weight) == 0)
        return;
    if (mpz_cmp_ui(weight, 1) == 0)
        mpz_add(sum, sum, number);
    else
        mpz_addmul(sum, weight, number);
}

static void integers_mix(struct integers_step *step, mpz_t row[])
{
    mpz_set_ui(step->v_sum, 0);
    mpz_set_ui(step->w_sum, 0);
    for (size_t q = 0; q < step->n; q++) {
        integers_add(step->v_sum, step->v[q], row[q]);
        integers_add(step->w_sum, step->w[q], row[q]);
    }
    for (size_t q = 0; q < step->n; q++) {
        mpz_mul(row[q], row[q], step->stay[q]);
        integers_add(row[q], step->v[q], step->w_sum);
        integers_add(row[q], step->w[q], step->v_sum);
    }
}

/* All steps on all items; cell holds the n * n matrix. */
static enum sb_status integers_run(const struct sb_law *law, struct integers_step *step, mpz_t cell[],
                                   mpz_t denominator)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    const size_t n = shuffler->n;

    for (size_t k = 0; k < shuffler->count; k++) {
        if (law->stop && *law->stop)
            return SB_STOPPED;
        if (law->progress)
            law->progress(law->progress_state, law->subject, k, shuffler->count);
        integers_set(law, &shuffler->steps[k], step);
        for (size_t i = 0; i < n; i++)
            integers_mix(step, cell + i * n);
        mpz_mul(denominator, denominator, step->v_total);
        mpz_mul(denominator, denominator, step->w_total);
    }
    return SB_OK;
}

enum sb_status sb_position_integers(const struct sb_law *law, struct sb_evidence *evidence)
{
    const size_t n = evidence->n, deal = evidence->deal;
    mpz_t *const cell = integers_new(n * n), *const dealt = integers_new(n * deal);
    struct integers_step step;
    enum sb_status status = integers_open(n, &step);

    if (!cell || !dealt)
        status = SB_NO_MEMORY;
    mpz_set_ui(evidence->denominator, 1);
    for (size_t i = 0; status == SB_OK && i < n; i++)
        mpz_set_ui(cell[i * n + i], 1);
    if (status == SB_OK)
        status = integers_run(law, &step, cell, evidence->denominator);
    for (size_t i = 0; status == SB_OK && i < n; i++)
        for (size_t j = 0; j < deal; j++)
            mpz_swap(dealt[i * deal + j], cell[i * n + j]);
    integers_close(&step);
    integers_free(cell, n * n);
    if (status == SB_OK)
        evidence->wide_matrix = dealt;
    else
        integers_free(dealt, n * deal);
    return status;
}
