/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the exact probability of one permutation: undoes the steps of the shuffle in all possible ways at
 * once, beginning with the last step.
 *
 * For each k, a table holds the arrangements after step k from which the later steps can lead to the target.
 * The table gives each arrangement the total weight of all ways from there to the target. Undoing step k
 * turns this table into the table for k - 1. The answer is the weight of the identity before the first step.
 * If each step has a fixed position `at` and all these positions differ, two observations keep the tables
 * small. Let 1..k be the steps that are not undone yet, and let A be the set of the positions `at` of these
 * steps.
 *
 * 1. If steps 1..k can reach an arrangement, each cycle of the arrangement has at most one position outside
 *    A.
 *    Proof: for each step, draw an edge between its `at` and the position that the step exchanges with `at`,
 *    unless both are the same. Take a connected component with V positions, of which f are outside A. This
 *    component has s <= V - f edges, since each edge begins at a different position of A. The product of the
 *    transpositions of a spanning tree, in any order, is one cycle, since each of these transpositions joins
 *    two components, and so joins two cycles into one. If a transposition t is removed from a product g t h,
 *    the product g h remains. Since g t h = g h (h' t h), where h' is the inverse of h, the removal changes
 *    the number of cycles by one. Removing the s - (V - 1) transpositions that are not in the tree shows that
 *    the product of all s transpositions has r <= 1 + s - (V - 1) cycles. So f + r <= 2. Since r >= 1, the
 *    whole component has at most one position outside A.
 *
 * 2. If every remaining step draws two positions outside A with equal weights, these positions are
 *    interchangeable: exchanging their names turns a way to one arrangement into a way of equal weight to
 *    another arrangement. Of all arrangements that differ only by such renamings, the table keeps only one.
 *    In the kept arrangement, the interchangeable positions are sorted by the position that follows each of
 *    them in its cycle; positions that are alone in their cycles come first.
 *
 * Cost: n operations and a table look-up for each kept arrangement and each answer. For the identity under
 * the naive swap at n = 18, there are about a thousand arrangements instead of 18! = 6e15.
 *
 * D. Goldstein and D. Moews, The identity is the most likely exchange shuffle for large n,
 * arXiv:math/0010066.
 */
#include "exact/single/single.h"

#include "core/core.h"
#include "core/evidence.h"
#include "exact/single/single_table.h"
#include "exact/weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SINGLE_NONE = 255 };

/* The cycle of a position outside A, without this position, is a path in A; this struct holds the two ends of
 * this path. `last` is SINGLE_NONE if the cycle has no other position. */
struct single_tail {
    uint8_t first, last;
};

struct single_run {
    const struct sb_law *law;
    size_t n, steps;
    bool distinct; /* whether every `at` is fixed and no two are the same */
    /* [(steps + 1) * n] for each number of steps that are left, and for each position: the first position
     * with the same weights; owned. */
    uint8_t *alike;
    uint64_t *v, *w;                 /* [n] weights of the current step; owned */
    bool left[SB_SINGLE_ITEMS_MOST]; /* whether a position is in A */
    /* for each position outside A: the previous position outside A with the same weights */
    uint8_t before[SB_SINGLE_ITEMS_MOST];
    struct sb_single_table table[2];
};

static bool single_distinct(const struct sb_shuffler *shuffler)
{
    bool seen[SB_SINGLE_ITEMS_MOST] = { false };

    for (size_t k = 0; k < shuffler->count; k++) {
        const struct sb_swap *const step = &shuffler->steps[k];

        if (step->at_bound > 1 || seen[step->at])
            return false;
        seen[step->at] = true;
    }
    return true;
}

/* Finds the positions that the first k steps draw with equal weights. The result for the first k - 1 steps
 * must be known. O(n^2). */
static void single_refine(struct single_run *run, const struct sb_swap *step, size_t k)
{
    const size_t n = run->n;
    const uint8_t *const old = run->alike + (k - 1) * n;
    uint8_t *const alike = run->alike + k * n;

    sb_weights_get(run->law, step->bound, run->w);
    for (size_t p = 0; p < n; p++) {
        const uint64_t weight = p - step->from < step->bound ? run->w[p - step->from] : 0;
        size_t q = old[p];

        while (q < p &&
               (old[q] != old[p] || weight != (q - step->from < step->bound ? run->w[q - step->from] : 0)))
            q++;
        alike[p] = (uint8_t)q;
    }
}

static enum sb_status single_open(const struct sb_law *law, struct single_run *run)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    const size_t n = shuffler->n;

    *run = (struct single_run) {
        .law = law,
        .n = n,
        .steps = shuffler->count,
        .distinct = single_distinct(shuffler),
        .alike = calloc((shuffler->count + 1) * n + 1, 1),
        .v = calloc(n + 1, sizeof *run->v),
        .w = calloc(n + 1, sizeof *run->w),
    };
    if (!run->alike || !run->v || !run->w || sb_single_table_open(n, &run->table[0]) ||
        sb_single_table_open(n, &run->table[1]))
        return SB_NO_MEMORY;
    for (size_t k = 1; k <= shuffler->count && run->distinct; k++)
        single_refine(run, &shuffler->steps[k - 1], k);
    return SB_OK;
}

static void single_close(struct single_run *run)
{
    free(run->alike);
    free(run->v);
    free(run->w);
    sb_single_table_close(&run->table[0]);
    sb_single_table_close(&run->table[1]);
}

/* Sets up the state for arrangements that still have k steps to undo. */
static void single_level(struct single_run *run, size_t k)
{
    const uint8_t *const alike = run->alike + k * run->n;

    for (size_t p = 0; p < run->n; p++)
        run->left[p] = !run->distinct;
    for (size_t i = 0; i < k && run->distinct; i++)
        run->left[run->law->shuffler->steps[i].at] = true;
    for (size_t p = 0; p < run->n; p++) {
        size_t q = p;

        while (q-- > 0 && (run->left[q] || alike[q] != alike[p]))
            ;
        run->before[p] = q < p ? (uint8_t)q : SINGLE_NONE;
    }
}

/* Brings an arrangement into the form that the table keeps. Returns false if the remaining steps cannot reach
 * the arrangement. */
static bool single_reduce(const struct single_run *run, uint8_t a[])
{
    struct single_tail tail[SB_SINGLE_ITEMS_MOST];

    for (size_t p = 0; p < run->n; p++) {
        size_t last = p, next = a[p];

        if (run->left[p])
            continue;
        while (run->left[next]) {
            last = next;
            next = a[next];
        }
        if (next != p)
            return false;
        tail[p] = last == p ? (struct single_tail) { 0, SINGLE_NONE }
                            : (struct single_tail) { a[p], (uint8_t)last };
    }
    for (size_t p = 0; p < run->n; p++) { /* insertion sort along the positions with equal weights */
        size_t place = p;

        if (run->left[p])
            continue;
        const struct single_tail moved = tail[p];
        for (size_t q; (q = run->before[place]) != SINGLE_NONE; place = q) {
            const bool after =
                moved.last != SINGLE_NONE && (tail[q].last == SINGLE_NONE || tail[q].first < moved.first);

            if (after || (moved.last == SINGLE_NONE && tail[q].last == SINGLE_NONE))
                break;
            tail[place] = tail[q];
        }
        tail[place] = moved;
    }
    for (size_t p = 0; p < run->n; p++) {
        if (run->left[p])
            continue;
        a[p] = tail[p].last == SINGLE_NONE ? (uint8_t)p : tail[p].first;
        if (tail[p].last != SINGLE_NONE)
            a[tail[p].last] = (uint8_t)p;
    }
    return true;
}

/* Undoes one step on one arrangement, with every answer. */
static enum sb_status single_undo(struct single_run *run, const struct sb_swap *step, size_t state,
                                  const struct sb_single_table *old, struct sb_single_table *made)
{
    uint8_t a[SB_SINGLE_ITEMS_MOST];
    enum sb_status status = SB_OK;
    mpz_t weight, other;

    mpz_inits(weight, other, NULL);
    for (size_t x = 0; x < step->at_bound; x++)
        for (size_t y = 0; y < step->bound && status == SB_OK; y++) {
            const size_t i = step->at + x, j = step->from + y;

            if (run->v[x] == 0 || run->w[y] == 0)
                continue;
            memcpy(a, old->item + state * run->n, run->n);
            const uint8_t item = a[i];
            a[i] = a[j];
            a[j] = item;
            if (!single_reduce(run, a))
                continue;
            sb_mpz_set_u64(weight, run->v[x]);
            sb_mpz_set_u64(other, run->w[y]);
            mpz_mul(weight, weight, other);
            mpz_mul(weight, weight, old->weight[state]);
            status = sb_single_table_add(a, weight, made);
        }
    mpz_clears(weight, other, NULL);
    return status;
}

/* Undoes all steps, the last step first. The final table is table[0] if the number of steps is even, else
 * table[1]. */
static enum sb_status single_undo_all(struct single_run *run, mpz_t denominator)
{
    const struct sb_law *const law = run->law;
    enum sb_status status = SB_OK;
    mpz_t sum;

    mpz_init(sum);
    for (size_t done = 0; done < run->steps && status == SB_OK; done++) {
        const size_t k = run->steps - 1 - done;
        const struct sb_swap *const step = &law->shuffler->steps[k];
        struct sb_single_table *const old = &run->table[done % 2], *const made = &run->table[(done + 1) % 2];

        if (law->progress)
            law->progress(law->progress_state, law->subject, done, run->steps);
        sb_weights_total(law, step->at_bound, run->v, sum);
        mpz_mul(denominator, denominator, sum);
        sb_weights_total(law, step->bound, run->w, sum);
        mpz_mul(denominator, denominator, sum);
        single_level(run, k);
        sb_single_table_clear(made);
        for (size_t s = 0; s < old->count && status == SB_OK; s++) {
            if (law->stop && *law->stop)
                status = SB_STOPPED;
            else
                status = single_undo(run, step, s, old, made);
        }
    }
    mpz_clear(sum);
    return status;
}

/* Computes the weight of the identity, starting from the target. */
static enum sb_status single_run_all(struct single_run *run, const sb_item target[], mpz_t count,
                                     mpz_t denominator)
{
    uint8_t a[SB_SINGLE_ITEMS_MOST] = { 0 };
    mpz_t weight, product;
    enum sb_status status;

    mpz_init_set_ui(weight, 1);
    mpz_init_set_ui(product, 1);
    for (size_t p = 0; p < run->n; p++)
        a[p] = (uint8_t)target[p];
    status = sb_single_table_add(a, weight, &run->table[0]);
    if (status == SB_OK)
        status = single_undo_all(run, product);
    if (status == SB_OK) {
        for (size_t p = 0; p < run->n; p++)
            a[p] = (uint8_t)p;
        sb_single_table_get(&run->table[run->steps % 2], a, count);
        mpz_set(denominator, product);
    }
    mpz_clears(weight, product, NULL);
    return status;
}

enum sb_status sb_single_count(const struct sb_law *law, const sb_item a[], struct sb_error *error,
                               mpz_t count, mpz_t denominator)
{
    const char *const name = law->shuffler->shuffle.type->name;
    const size_t n = law->shuffler->n;
    struct single_run run;
    enum sb_status status;

    if (!law->shuffler->shuffle.type->plan)
        return sb_error_set(error, SB_INVALID, "%s: is no series of swaps that could be undone", name);
    if (n > SB_SINGLE_ITEMS_MOST)
        return sb_error_set(error, SB_TOO_LARGE, "%s: `n = %zu` is too large: use n <= %d", name, n,
                            SB_SINGLE_ITEMS_MOST);
    status = single_open(law, &run);
    if (status == SB_OK)
        status = single_run_all(&run, a, count, denominator);
    single_close(&run);
    if (status == SB_TOO_LARGE)
        return sb_error_set(error, status,
                            "%s: `n = %zu` leads over more than %d arrangements: use a smaller n", name, n,
                            SB_SINGLE_STATES_MOST);
    if (status == SB_STOPPED)
        return sb_error_set(error, status, "%s: stopped before the permutation was counted", name);
    return status ? sb_error_memory(error, "the arrangements on the way to a permutation") : SB_OK;
}

/* The cost is not estimated: it depends on the number of arrangements, which is not known in advance. */
static double single_cost(const struct sb_law *law, enum sb_engine_task task)
{
    return task == SB_TASK_ODDS && law->shuffler->shuffle.type->plan ? 0 : HUGE_VAL;
}

static enum sb_status single_odds(const struct sb_law *law, const sb_item a[], size_t count,
                                  struct sb_error *error, mpz_t weight[], mpz_t denominator)
{
    enum sb_status status = SB_OK;

    for (size_t i = 0; i < count && status == SB_OK; i++)
        status = sb_single_count(law, a + i * law->shuffler->n, error, weight[i], denominator);
    return status;
}

const struct sb_engine_type sb_engine_single = {
    .name = "single",
    .cost = single_cost,
    .odds = single_odds,
};
