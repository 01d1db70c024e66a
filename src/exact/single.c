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
 * The table is a hash table with open addressing and linear probing, which doubles in size when it is half full. The
 * hash is FNV-1a of 64 bits by G. Fowler, L. C. Noll and K.-P. Vo, with the high half folded into the low half.
 *
 * Cost: n operations and a table look-up for each kept arrangement and each answer. For the identity under
 * the naive swap at n = 18, there are about a thousand arrangements instead of 18! = 6e15.
 *
 * D. Goldstein and D. Moews, The identity is the most likely exchange shuffle for large n,
 * arXiv:math/0010066.
 */
#include "exact/engine.h"

/* ---- the table ---- */

enum {
    SINGLE_ITEMS_MOST = SB_ODDS_ITEMS_MOST,
    SINGLE_STATES_MOST = 2000000, /* limit on the arrangements in a table: about 400 MB at n = 52 */
};

/* A table of arrangements of the items, each with a weight. */
struct single_table {
    size_t n, count, room;
    uint8_t *item;  /* [room * n] the arrangements, one after the other; owned */
    mpz_t *weight;  /* [room] the weights, all initialised; owned */
    uint32_t *slot; /* [slots] by hash: index of an arrangement plus 1, or 0 if the slot is free; owned */
    size_t slots;   /* number of slots: a power of 2, at least twice `room` */
};

enum { TABLE_ROOM = 64 };

static size_t table_find(const struct single_table *table, const uint8_t a[])
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t p = 0; p < table->n; p++)
        hash = (hash ^ a[p]) * UINT64_C(0x100000001b3);
    size_t slot = (size_t)(hash ^ hash >> 32) & (table->slots - 1);
    while (table->slot[slot] && memcmp(table->item + (table->slot[slot] - 1) * table->n, a, table->n) != 0)
        slot = (slot + 1) & (table->slots - 1);
    return slot;
}

static enum sb_status table_grow(size_t room, struct single_table *table)
{
    uint8_t *const item = realloc(table->item, room * table->n + 1);
    mpz_t *weight;
    uint32_t *slot;

    if (!item)
        return SB_NO_MEMORY;
    table->item = item;
    weight = realloc(table->weight, room * sizeof *weight);
    if (!weight)
        return SB_NO_MEMORY;
    table->weight = weight;
    for (; table->room < room; table->room++)
        mpz_init(weight[table->room]);
    slot = calloc(2 * room, sizeof *slot);
    if (!slot)
        return SB_NO_MEMORY;
    free(table->slot);
    table->slot = slot;
    table->slots = 2 * room;
    for (size_t s = 0; s < table->count; s++)
        slot[table_find(table, item + s * table->n)] = (uint32_t)s + 1;
    return SB_OK;
}

static enum sb_status table_open(size_t n, struct single_table *table)
{
    *table = (struct single_table) { .n = n };
    return table_grow(TABLE_ROOM, table);
}

static void table_close(struct single_table *table)
{
    for (size_t s = 0; s < table->room; s++)
        mpz_clear(table->weight[s]);
    free(table->item);
    free(table->weight);
    free(table->slot);
    *table = (struct single_table) { 0 };
}

static void table_clear(struct single_table *table)
{
    for (size_t s = 0; s < table->count; s++)
        mpz_set_ui(table->weight[s], 0);
    memset(table->slot, 0, table->slots * sizeof *table->slot);
    table->count = 0;
}

/* Adds `weight` to the weight of a[0..n-1]. SB_TOO_LARGE: the table would have too many arrangements. SB_NO_MEMORY. */
static enum sb_status table_add(const uint8_t a[], const mpz_t weight, struct single_table *table)
{
    size_t slot = table_find(table, a);

    if (!table->slot[slot]) {
        if (table->count == SINGLE_STATES_MOST)
            return SB_TOO_LARGE;
        if (table->count == table->room) {
            if (table_grow(2 * table->room, table))
                return SB_NO_MEMORY;
            slot = table_find(table, a);
        }
        memcpy(table->item + table->count * table->n, a, table->n);
        table->slot[slot] = (uint32_t)++table->count;
    }
    mpz_add(table->weight[table->slot[slot] - 1], table->weight[table->slot[slot] - 1], weight);
    return SB_OK;
}

/* Sets `weight` to the weight of a[0..n-1], or to 0 if the table does not contain this arrangement. */
static void table_get(const struct single_table *table, const uint8_t a[], mpz_t weight)
{
    const size_t slot = table_find(table, a);

    if (table->slot[slot])
        mpz_set(weight, table->weight[table->slot[slot] - 1]);
    else
        mpz_set_ui(weight, 0);
}

/* ---- the walk ---- */

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
    struct sb_draw_weights v, w;  /* the draws of the current step */
    bool left[SINGLE_ITEMS_MOST]; /* whether a position is in A */
    /* for each position outside A: the previous position outside A with the same weights */
    uint8_t before[SINGLE_ITEMS_MOST];
    struct single_table table[2];
};

static bool single_distinct(const struct sb_shuffler *shuffler)
{
    bool seen[SINGLE_ITEMS_MOST] = { false };

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

    sb_draw_weights_set(run->law, step->from, step->bound, &run->w);
    for (size_t p = 0; p < n; p++) {
        size_t q = old[p];

        while (q < p && (old[q] != old[p] || mpz_cmp(run->w.weight[p], run->w.weight[q]) != 0))
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
    };
    if ((sb_draw_weights_open(n, &run->v) | sb_draw_weights_open(n, &run->w)) || !run->alike ||
        table_open(n, &run->table[0]) || table_open(n, &run->table[1]))
        return SB_NO_MEMORY;
    for (size_t k = 1; k <= shuffler->count && run->distinct; k++)
        single_refine(run, &shuffler->steps[k - 1], k);
    return SB_OK;
}

static void single_close(struct single_run *run)
{
    free(run->alike);
    sb_draw_weights_close(run->n, &run->v);
    sb_draw_weights_close(run->n, &run->w);
    table_close(&run->table[0]);
    table_close(&run->table[1]);
}

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
    struct single_tail tail[SINGLE_ITEMS_MOST];

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
        tail[p] = last == p ? (struct single_tail) { 0, SINGLE_NONE } : (struct single_tail) { a[p], (uint8_t)last };
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

static enum sb_status single_undo(struct single_run *run, const struct sb_swap *step, size_t state,
                                  const struct single_table *old, struct single_table *made)
{
    uint8_t a[SINGLE_ITEMS_MOST];
    enum sb_status status = SB_OK;
    mpz_t weight;

    mpz_init(weight);
    for (size_t i = step->at; i < step->at + step->at_bound; i++)
        for (size_t j = step->from; j < step->from + step->bound && status == SB_OK; j++) {
            mpz_mul(weight, run->v.weight[i], run->w.weight[j]);
            if (mpz_sgn(weight) == 0)
                continue;
            memcpy(a, old->item + state * run->n, run->n);
            const uint8_t item = a[i];
            a[i] = a[j];
            a[j] = item;
            if (!single_reduce(run, a))
                continue;
            mpz_mul(weight, weight, old->weight[state]);
            status = table_add(a, weight, made);
        }
    mpz_clear(weight);
    return status;
}

/* Undoes all steps, the last step first. The final table is table[0] if the number of steps is even, else table[1]. */
static enum sb_status single_undo_all(struct single_run *run, mpz_t denominator)
{
    const struct sb_law *const law = run->law;
    enum sb_status status = SB_OK;

    for (size_t done = 0; done < run->steps && status == SB_OK; done++) {
        const size_t k = run->steps - 1 - done;
        const struct sb_swap *const step = &law->shuffler->steps[k];
        struct single_table *const old = &run->table[done % 2], *const made = &run->table[(done + 1) % 2];

        sb_law_report(law, done, run->steps);
        sb_draw_weights_set(law, step->at, step->at_bound, &run->v);
        sb_draw_weights_set(law, step->from, step->bound, &run->w);
        mpz_mul(denominator, denominator, run->v.total);
        mpz_mul(denominator, denominator, run->w.total);
        single_level(run, k);
        table_clear(made);
        for (size_t s = 0; s < old->count && status == SB_OK; s++) {
            if (sb_law_stopped(law))
                status = SB_STOPPED;
            else
                status = single_undo(run, step, s, old, made);
        }
    }
    return status;
}

static enum sb_status single_run_all(struct single_run *run, const sb_item target[], mpz_t count, mpz_t denominator)
{
    uint8_t a[SINGLE_ITEMS_MOST] = { 0 };
    mpz_t weight, product;
    enum sb_status status;

    mpz_init_set_ui(weight, 1);
    mpz_init_set_ui(product, 1);
    for (size_t p = 0; p < run->n; p++)
        a[p] = (uint8_t)target[p];
    status = table_add(a, weight, &run->table[0]);
    if (status == SB_OK)
        status = single_undo_all(run, product);
    if (status == SB_OK) {
        for (size_t p = 0; p < run->n; p++)
            a[p] = (uint8_t)p;
        table_get(&run->table[run->steps % 2], a, count);
        mpz_set(denominator, product);
    }
    mpz_clears(weight, product, NULL);
    return status;
}

/* Computes the probability of ending with a[0..n-1] as count / denominator. The denominator is the product, over the
 * steps, of the sums of the weights, such as n^n for the naive swap. Both numbers stay unchanged after a failure. */
static enum sb_status single_count(const struct sb_law *law, const sb_item a[], struct sb_error *error, mpz_t count,
                                   mpz_t denominator)
{
    const char *const name = law->shuffler->shuffle.type->name;
    const size_t n = law->shuffler->n;
    struct single_run run;
    enum sb_status status;

    if (!law->shuffler->shuffle.type->plan)
        return sb_error_set(error, SB_INVALID, "%s: is no series of swaps that could be undone", name);
    if (n > SINGLE_ITEMS_MOST)
        return sb_error_set(error, SB_TOO_LARGE, "%s: `n = %zu` is too large: use n <= %d", name, n, SINGLE_ITEMS_MOST);
    status = single_open(law, &run);
    if (status == SB_OK)
        status = single_run_all(&run, a, count, denominator);
    single_close(&run);
    if (status == SB_TOO_LARGE)
        return sb_error_set(error, status, "%s: `n = %zu` leads over more than %d arrangements: use a smaller n", name,
                            n, SINGLE_STATES_MOST);
    if (status == SB_STOPPED)
        return sb_error_set(error, status, "%s: stopped before the permutation was counted", name);
    return status ? sb_error_memory(error, "the arrangements on the way to a permutation") : SB_OK;
}

/* The cost is not estimated: it depends on the number of arrangements, which is not known in advance. */
static double single_cost(const struct sb_law *law, enum sb_engine_task task)
{
    return task == SB_TASK_ODDS && law->shuffler->shuffle.type->plan ? 0 : HUGE_VAL;
}

static enum sb_status single_odds(const struct sb_law *law, const sb_item a[], size_t count, struct sb_error *error,
                                  mpz_t weight[], mpz_t denominator)
{
    enum sb_status status = SB_OK;

    for (size_t i = 0; i < count && status == SB_OK; i++)
        status = single_count(law, a + i * law->shuffler->n, error, weight[i], denominator);
    return status;
}

const struct sb_engine_type sb_engine_single = {
    .name = "single",
    .cost = single_cost,
    .odds = single_odds,
};
