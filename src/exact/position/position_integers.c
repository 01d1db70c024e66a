/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the item-by-position matrix in integers over one denominator, which is the product of the sums of
 * the weights of all draws.
 *
 * A step has the weights v_q, with the sum S, and the weights w_q, with the sum T. Let p be the row of an
 * item over the denominator D, V = sum_r v_r p_r and W = sum_r w_r p_r. The step turns p into this row over
 * the denominator D S T:
 *
 *     p'_q = v_q W + w_q V + (S T - v_q T - w_q S) p_q.
 *
 * A draw has few different weights: in most laws, the number of words per answer takes only two values. So
 * the positions fall into a few groups with equal v and w. The term v_q W + w_q V is computed once per group,
 * and each cell takes only two additions and one product.
 *
 * A step moves an item from q to r with the same probability as from r to q. So the steps in reverse order
 * lead from position j to position i with the probability that the shuffle puts item i at position j. The
 * rows here begin at the dealt positions, because a deal has fewer of them than items.
 *
 * Cost: for each step and dealt position, n products of a cell and a number with the bits of one step, and 2n additions
 * to cells. A cell has up to as many bits as all steps together. Cells have their full size from the start.
 */
#include "exact/position/position.h"

#include "core/evidence.h"
#include "exact/weights.h"

#include <stdlib.h>

/* Positions with the same weights in a step. */
struct integers_group {
    uint64_t v, w;
    mpz_t wide_v, wide_w; /* v and w as GMP integers */
    mpz_t stay;           /* S T - v T - w S */
    mpz_t sum, plus;      /* `sum` is the sum of a row's cells in this group; `plus` is v W + w V */
};

/* The numbers of one step. */
struct integers_step {
    size_t n;
    uint64_t *v, *w;              /* [n + 1] the weights by position, 0 if no answer leads there; owned */
    size_t *group_of;             /* [n] */
    struct integers_group *group; /* [n] */
    size_t groups;                /* number of groups in use */
    mpz_t v_total, w_total, v_sum, w_sum;
};

static enum sb_status integers_open(size_t n, struct integers_step *step)
{
    *step = (struct integers_step) {
        .n = n,
        .v = calloc(n + 1, sizeof *step->v),
        .w = calloc(n + 1, sizeof *step->w),
        .group_of = calloc(n + 1, sizeof *step->group_of),
        .group = calloc(n + 1, sizeof *step->group),
    };
    for (size_t c = 0; step->group && c < n; c++)
        mpz_inits(step->group[c].wide_v, step->group[c].wide_w, step->group[c].stay, step->group[c].sum,
                  step->group[c].plus, NULL);
    mpz_inits(step->v_total, step->w_total, step->v_sum, step->w_sum, NULL);
    return step->v && step->w && step->group_of && step->group ? SB_OK : SB_NO_MEMORY;
}

static void integers_close(struct integers_step *step)
{
    for (size_t c = 0; step->group && c < step->n; c++)
        mpz_clears(step->group[c].wide_v, step->group[c].wide_w, step->group[c].stay, step->group[c].sum,
                   step->group[c].plus, NULL);
    mpz_clears(step->v_total, step->w_total, step->v_sum, step->w_sum, NULL);
    free(step->v);
    free(step->w);
    free(step->group_of);
    free(step->group);
}

/* Computes the weights of one draw by position, and their sum. */
static void integers_draw(const struct sb_law *law, size_t first, size_t bound, uint64_t weight[],
                          mpz_t total)
{
    const size_t n = law->shuffler->n;

    for (size_t q = 0; q < n; q++)
        weight[q] = 0;
    sb_weights_total(law, bound, weight + first, total);
}

/* Returns the index of the group with these weights. Adds a group if there is no such group. */
static size_t integers_find(struct integers_step *step, uint64_t v, uint64_t w)
{
    struct integers_group *group = step->group;

    while (group < step->group + step->groups && (group->v != v || group->w != w))
        group++;
    const size_t found = (size_t)(group - step->group);

    if (found < step->groups)
        return found;
    group->v = v;
    group->w = w;
    sb_mpz_set_u64(group->wide_v, v);
    sb_mpz_set_u64(group->wide_w, w);
    mpz_mul(group->stay, step->v_total, step->w_total);
    mpz_submul(group->stay, group->wide_v, step->w_total);
    mpz_submul(group->stay, group->wide_w, step->v_total);
    return step->groups++;
}

static void integers_set(const struct sb_law *law, const struct sb_swap *swap, struct integers_step *step)
{
    integers_draw(law, swap->at, swap->at_bound, step->v, step->v_total);
    integers_draw(law, swap->from, swap->bound, step->w, step->w_total);
    step->groups = 0;
    for (size_t q = 0; q < step->n; q++)
        step->group_of[q] = integers_find(step, step->v[q], step->w[q]);
}

static void integers_mix(struct integers_step *step, mpz_t row[])
{
    const struct integers_group *const end = step->group + step->groups;

    for (struct integers_group *c = step->group; c < end; c++)
        mpz_set_ui(c->sum, 0);
    for (size_t q = 0; q < step->n; q++)
        mpz_add(step->group[step->group_of[q]].sum, step->group[step->group_of[q]].sum, row[q]);
    mpz_set_ui(step->v_sum, 0);
    mpz_set_ui(step->w_sum, 0);
    for (struct integers_group *c = step->group; c < end; c++) {
        mpz_addmul(step->v_sum, c->wide_v, c->sum);
        mpz_addmul(step->w_sum, c->wide_w, c->sum);
    }
    for (struct integers_group *c = step->group; c < end; c++) {
        mpz_mul(c->plus, c->wide_v, step->w_sum);
        mpz_addmul(c->plus, c->wide_w, step->v_sum);
    }
    for (size_t q = 0; q < step->n; q++) {
        const struct integers_group *const c = &step->group[step->group_of[q]];

        mpz_mul(row[q], row[q], c->stay);
        mpz_add(row[q], row[q], c->plus);
    }
}

/* Applies all steps to the rows of all dealt positions, the last step first. */
static enum sb_status integers_run(const struct sb_law *law, struct integers_step *step, mpz_t cell[])
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    const size_t n = shuffler->n;

    for (size_t k = 0; k < shuffler->count; k++) {
        if (law->stop && *law->stop)
            return SB_STOPPED;
        if (law->progress)
            law->progress(law->progress_state, law->subject, k, shuffler->count);
        integers_set(law, &shuffler->steps[shuffler->count - 1 - k], step);
        for (size_t j = 0; j < shuffler->deal; j++)
            integers_mix(step, cell + j * n);
    }
    return SB_OK;
}

enum sb_status sb_position_integers(const struct sb_law *law, struct sb_evidence *evidence)
{
    const size_t n = evidence->n, deal = evidence->deal;
    struct integers_step step;
    enum sb_status status = integers_open(n, &step);

    if (status) {
        integers_close(&step);
        return status;
    }
    sb_weights_denominator(law, step.v, evidence->denominator);
    const size_t bits =
        /* this includes room for two carries */
        mpz_sizeinbase(evidence->denominator, 2) + 2 * GMP_NUMB_BITS;
    mpz_t *const cell = sb_mpz_new(deal * n, bits);
    status = cell ? sb_numbers_open(SB_NUMBERS_WIDE, n * deal, &evidence->matrix) : SB_NO_MEMORY;
    for (size_t j = 0; status == SB_OK && j < deal; j++)
        mpz_set_ui(cell[j * n + j], 1);
    if (status == SB_OK)
        status = integers_run(law, &step, cell);
    for (size_t i = 0; status == SB_OK && i < n; i++)
        for (size_t j = 0; j < deal; j++)
            mpz_swap(evidence->matrix.wide[i * deal + j], cell[j * n + i]);
    integers_close(&step);
    sb_mpz_free(cell, deal * n);
    return status;
}
