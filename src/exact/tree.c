/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the exact law of a shuffle: adds the mass (probability) of each path of draws to the deal at the
 * end of the path.
 *
 * The mass of a path is the product of the weights of its branches, divided by the product of the sums of
 * weights at its nodes. Cost: one run of the shuffle per path, and a product for each node that changed since
 * the previous path. The estimate of the number of paths is from Knuth, Estimating the efficiency of
 * backtrack programs, doi:10.1090/S0025-5718-1975-0373371-6.
 */
#include "exact/tree.h"

#include "core/core.h"
#include "core/evidence.h"
#include "exact/engine.h"
#include "exact/walk.h"

#include <math.h>

enum { TREE_PROBES = 64, TREE_PROGRESS = 1 << 16 };

/* Nanoseconds per leaf: tree_leaf_narrow if the product of the sums of weights on a path fits in 64 bits,
 * tree_leaf_wide if not. */
static const double tree_leaf_narrow = 100, tree_leaf_wide = 200;

/* Estimates the number of leaves, which are the ends of paths, and the largest product of the sums of weights
 * on a path. SB_NO_MEMORY; SB_INVALID: a path redraws indefinitely. */
static enum sb_status tree_probe(const struct sb_law *law, double *leaves, double *largest)
{
    enum sb_status status = SB_OK;
    struct sb_walk walk;

    *leaves = 0;
    *largest = 1;
    if (sb_walk_open(law, true, &walk))
        return SB_NO_MEMORY;
    for (int k = 0; k < TREE_PROBES && *leaves < HUGE_VAL && status == SB_OK; k++) {
        double product = 1, sums = 1;

        walk.length = 0;
        status = sb_walk_run(&walk);
        for (size_t i = 0; i < walk.length; i++) {
            product *= walk.node[i].children;
            sums *= sb_wide_double(walk.node[i].sum);
        }
        *leaves += product / TREE_PROBES;
        *largest = fmax(*largest, sums);
    }
    sb_walk_close(&walk);
    if (status == SB_NO_MEMORY || status == SB_INVALID)
        return status;
    *leaves = status ? HUGE_VAL : *leaves;
    return SB_OK;
}

double sb_tree_leaves(const struct sb_law *law)
{
    double leaves, largest;
    const enum sb_status status = tree_probe(law, &leaves, &largest);

    return status == SB_NO_MEMORY ? NAN : status ? HUGE_VAL : leaves;
}

static double tree_cost(const struct sb_law *law, enum sb_engine_task task)
{
    double leaves, largest;

    if (task == SB_TASK_MATRIX || task == SB_TASK_EFFECT ||
        sb_cells(law->shuffler->n, law->shuffler->deal) == 0)
        return HUGE_VAL;
    const enum sb_status status = tree_probe(law, &leaves, &largest);

    if (status == SB_NO_MEMORY)
        return NAN;
    if (status || leaves > SB_LEAVES_MOST)
        return HUGE_VAL;
    return leaves * (largest < 0x1p64 ? tree_leaf_narrow : tree_leaf_wide);
}

/* Updates the products along the path. Returns false if a product does not fit in 64 bits. */
static bool tree_settle(struct sb_walk *walk)
{
    for (size_t i = walk->settled; i < walk->length; i++) {
        struct sb_walk_node *const node = &walk->node[i];
        const uint64_t num = i ? node[-1].num : 1, den = i ? node[-1].den : 1;

        node->num = num;
        node->den = den;
        if (node->forced)
            continue;
        if (sb_wide_high(node->sum) || __builtin_mul_overflow(den, sb_wide_low(node->sum), &node->den))
            return false;
        node->num = num * sb_walk_weight(node, node->answer); /* num <= den */
    }
    walk->settled = walk->length;
    return true;
}

static void tree_settle_wide(struct sb_walk *walk)
{
    for (size_t i = walk->settled; i < walk->length; i++) {
        struct sb_walk_node *const node = &walk->node[i];

        sb_mpz_set_u64(node->wide_num, node->forced ? 1 : sb_walk_weight(node, node->answer));
        sb_mpz_set_wide(node->wide_den, node->forced ? sb_wide_from(1) : node->sum);
        if (i > 0) {
            mpz_mul(node->wide_num, node->wide_num, node[-1].wide_num);
            mpz_mul(node->wide_den, node->wide_den, node[-1].wide_den);
        }
    }
    walk->settled = walk->length;
}

/* Adds the mass of the path to the deal at the end of the path. */
static enum sb_status tree_leaf(struct sb_walk *walk, struct sb_evidence *evidence)
{
    const struct sb_walk_node *const last = walk->length ? &walk->node[walk->length - 1] : NULL;
    const size_t rank = sb_permutation_cell(evidence->n, evidence->deal, walk->deck.a);

    if (!last)
        return sb_exact_add(evidence, rank, 1, 1) ? SB_OK : SB_BROKEN;
    if (evidence->counts.form != SB_NUMBERS_WIDE) {
        if (tree_settle(walk) && sb_exact_add(evidence, rank, last->num, last->den))
            return SB_OK;
        walk->settled = 0;
        if (sb_exact_widen(evidence))
            return SB_NO_MEMORY;
    }
    tree_settle_wide(walk);
    sb_exact_add_wide(evidence, rank, last->wide_num, last->wide_den);
    return SB_OK;
}

static enum sb_status tree_grow(struct sb_walk *walk, struct sb_evidence *evidence)
{
    const struct sb_law *const law = walk->law;
    const double expected = law->progress ? fmin(sb_tree_leaves(law), SB_LEAVES_MOST) : 0;
    uint64_t leaves = 0;
    bool more = true;

    while (more) {
        const bool probed = walk->probes;
        enum sb_status status = sb_walk_run(walk);

        if (walk->probes && !probed) { /* the walk has started again */
            sb_exact_clear(evidence);
            leaves = 0;
        }
        if (status == SB_OK)
            status = tree_leaf(walk, evidence);
        if (status == SB_OK && ++leaves > SB_LEAVES_MOST)
            status = SB_TOO_LARGE;
        if (status == SB_OK && leaves % TREE_PROGRESS == 0 && law->progress)
            law->progress(law->progress_state, law->subject, leaves, (uint64_t)expected);
        if (status == SB_OK && law->stop && *law->stop)
            status = SB_STOPPED;
        if (status)
            return status;
        more = sb_walk_advance(walk);
    }
    return sb_exact_finish(evidence) ? SB_OK : SB_BROKEN;
}

enum sb_status sb_tree_law(const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    const char *const name = shuffler->shuffle.type->name;
    struct sb_evidence made = { 0 };
    struct sb_walk walk;
    enum sb_status status;

    if (sb_cells(shuffler->n, shuffler->deal) == 0)
        return sb_error_set(error, SB_TOO_LARGE,
                            "%s: `n = %zu` has too many deals to count: use n <= 10 or `deal`", name,
                            shuffler->n);
    if (sb_evidence_open(SB_BY_EXACT, shuffler->n, shuffler->deal, &made))
        return sb_error_memory(error, "the exact law");
    double leaves, largest;
    status = tree_probe(law, &leaves, &largest);
    if (status == SB_OK)
        status = leaves > SB_LEAVES_MOST ? SB_TOO_LARGE : sb_walk_open(law, false, &walk);
    if (status == SB_OK) {
        status = tree_grow(&walk, &made);
        sb_walk_close(&walk);
    }
    if (status == SB_OK) {
        *evidence = made;
        return SB_OK;
    }
    sb_evidence_close(&made);
    if (status == SB_TOO_LARGE)
        return sb_error_set(error, status,
                            "%s: `n = %zu` has more than %d series of draws: use a smaller n or `by=sample`",
                            name, shuffler->n, SB_LEAVES_MOST);
    if (status == SB_INVALID)
        return sb_error_set(error, status, "%s: may draw again indefinitely: use another draw", name);
    if (status == SB_STOPPED)
        return sb_error_set(error, status, "%s: stopped before the exact law was known", name);
    return status == SB_NO_MEMORY ? sb_error_memory(error, "the exact law") : sb_error_broken(error, name);
}

/* Gives the weights of single permutations, by computing the whole law. */
static enum sb_status tree_odds(const struct sb_law *law, const sb_item a[], size_t count,
                                struct sb_error *error, mpz_t weight[], mpz_t denominator)
{
    const size_t n = law->shuffler->n;
    struct sb_evidence whole;
    const enum sb_status status = sb_tree_law(law, error, &whole);

    if (status == SB_TOO_LARGE)
        return sb_error_set(
            error, status,
            "%s: n = %zu is too large for the whole law, which a shuffle that is not made of swaps "
            "needs: use fewer items",
            law->subject, n);
    if (status)
        return status;
    for (size_t i = 0; i < count; i++)
        sb_numbers_integer(&whole.counts, sb_permutation_cell(n, n, a + i * n), weight[i]);
    mpz_set(denominator, whole.denominator);
    sb_evidence_close(&whole);
    return SB_OK;
}

const struct sb_engine_type sb_engine_tree = {
    .name = "tree",
    .cost = tree_cost,
    .law = sb_tree_law,
    .odds = tree_odds,
};
