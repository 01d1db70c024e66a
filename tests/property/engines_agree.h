/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All engines that can do a task for a law do it as the tree does: for tests of properties, and for the fuzzer. */
#ifndef TESTS_PROPERTY_ENGINES_AGREE_H
#define TESTS_PROPERTY_ENGINES_AGREE_H

#include "exact/engine.h"
#include "fit/fit.h"

#include <math.h>

enum { ENGINES_ITEMS_MOST = 16 };

static inline bool engines_near(double one, double other, double error)
{
    return fabs(one - other) <= error * fmax(fabs(one), fabs(other)) + 1e-15;
}

/* Whether another engine's law or matrix is that of the tree, exactly where both have fractions. */
static inline bool engines_same(const struct sb_evidence *tree, const struct sb_evidence *other, bool matrix)
{
    const bool exact = mpz_sgn(other->denominator) > 0;
    const size_t count = matrix ? tree->n * tree->deal : tree->cells;
    bool same = other->n == tree->n && other->deal == tree->deal && (matrix || other->cells == tree->cells);
    mpq_t one, two;

    mpq_inits(one, two, NULL);
    for (size_t i = 0; same && i < count; i++) {
        const size_t item = i / tree->deal, position = i % tree->deal;

        if (exact && matrix) {
            sb_evidence_matrix_fraction(tree, item, position, one);
            sb_evidence_matrix_fraction(other, item, position, two);
        } else if (exact) {
            sb_evidence_fraction(tree, i, one);
            sb_evidence_fraction(other, i, two);
        }
        same = mpq_equal(one, two) &&
               (matrix ? engines_near(sb_evidence_matrix_share(tree, item, position),
                                      sb_evidence_matrix_share(other, item, position), other->error + 1e-12)
                       : engines_near(sb_evidence_share(tree, i), sb_evidence_share(other, i), other->error + 1e-12));
    }
    mpq_clears(one, two, NULL);
    return same;
}

/* Whether the odds of permutation `rank` are those of the tree. */
static inline bool engines_same_odds(const struct sb_engine_type *engine, const struct sb_law *law,
                                     const struct sb_evidence *tree, size_t rank)
{
    struct sb_error error;
    sb_item a[ENGINES_ITEMS_MOST];
    mpz_t weight, denominator;
    mpq_t one, two;

    mpz_inits(weight, denominator, NULL);
    mpq_inits(one, two, NULL);
    sb_evidence_unrank(tree, rank, a);
    bool same = engine->odds(law, a, 1, &error, &weight, denominator) == SB_OK;

    if (same) {
        mpz_set(mpq_numref(one), weight);
        mpz_set(mpq_denref(one), denominator);
        mpq_canonicalize(one);
        sb_evidence_fraction(tree, rank, two);
        same = mpq_equal(one, two);
    }
    mpz_clears(weight, denominator, NULL);
    mpq_clears(one, two, NULL);
    return same;
}

/* Whether a deal is one of those with these ranks, of which not all are listed. */
static inline bool engines_listed(const struct sb_evidence *law, const sb_item deal[], const size_t ranks[],
                                  size_t count)
{
    bool listed = count == SB_EXTREMES_MOST;

    for (size_t i = 0; i < count; i++)
        listed = listed || ranks[i] == sb_permutation_rank(law->n, law->deal, deal);
    return listed;
}

/* Whether effects that were computed without the law are those of the law. */
static inline bool engines_same_effect(const struct sb_effect *effect, const struct sb_evidence *tree)
{
    struct sb_effect own;
    bool same = sb_effect_of(tree, &own) == SB_OK;

    if (!same)
        return false;
    same = fabs(effect->total_variation - own.total_variation) <=
               effect->total_variation_error + 1e-12 * own.total_variation + 1e-15 &&
           (mpq_sgn(effect->total_variation_exact) < 0 ||
            mpq_equal(effect->total_variation_exact, own.total_variation_exact)) &&
           engines_near(effect->kl_bits, own.kl_bits, 1e-12) &&
           engines_near(effect->chi2_per_sample, own.chi2_per_sample, 1e-12) &&
           engines_near(effect->max_ratio, own.max_ratio, 1e-14) &&
           engines_near(effect->min_ratio, own.min_ratio, 1e-14) &&
           engines_near(effect->max_excess, own.max_excess, 1e-12) &&
           engines_near(effect->min_excess, own.min_excess, 1e-12) && effect->most_total == own.most_total &&
           effect->least_total == own.least_total &&
           engines_listed(tree, effect->most_deal, own.most, own.most_count) &&
           engines_listed(tree, effect->least_deal, own.least, own.least_count);
    sb_effect_close(&own);
    return same;
}

/* What an engine does otherwise than the tree; NULL: nothing. */
static inline const char *engine_differs(const struct sb_engine_type *engine, const struct sb_law *law,
                                         const struct sb_evidence *tree, size_t rank, size_t step)
{
    struct sb_error error;
    bool can[SB_TASK_ODDS + 1], same = true;

    for (enum sb_engine_task task = SB_TASK_LAW; task <= SB_TASK_ODDS; task++)
        can[task] = isfinite(engine->cost(law, task));
    if ((can[SB_TASK_LAW] && !engine->law) || (can[SB_TASK_MATRIX] && !engine->matrix) ||
        (can[SB_TASK_EFFECT] && !engine->effect) || (can[SB_TASK_ODDS] && !engine->odds))
        return "a method that it has a cost for";
    for (enum sb_engine_task task = SB_TASK_LAW; task <= SB_TASK_MATRIX; task++) {
        struct sb_evidence other = { 0 };

        if (!can[task])
            continue;
        if ((task == SB_TASK_LAW ? engine->law : engine->matrix)(law, &error, &other) != SB_OK)
            return "a task that it offers";
        same = engines_same(tree, &other, task == SB_TASK_MATRIX);
        sb_evidence_close(&other);
        if (!same)
            return task == SB_TASK_LAW ? "the law" : "the matrix";
    }
    if (can[SB_TASK_EFFECT]) {
        struct sb_effect effect = { 0 };

        if (engine->effect(law, &error, &effect) != SB_OK)
            return "effects that it offers";
        same = engines_same_effect(&effect, tree);
        sb_effect_close(&effect);
    }
    if (!same)
        return "the effects";
    if (engine == sb_engine_types[0]) /* the tree, which takes as long for each permutation as for all */
        step = tree->cells;
    for (; can[SB_TASK_ODDS] && tree->deal == tree->n && rank < tree->cells; rank += step)
        if (!engines_same_odds(engine, law, tree, rank))
            return "the odds";
    return NULL;
}

/* What any engine does otherwise than the tree, if the tree has at most so many leaves; *name is that of the engine;
 * NULL: there is no tree. Odds are those of each step-th permutation from `rank`, modulo the number of permutations,
 * on. */
static inline const char *engines_differ(const struct sb_law *law, double leaves, size_t rank, size_t step,
                                         const char **name)
{
    struct sb_error error;
    struct sb_evidence tree = { 0 };
    const char *differs = NULL;

    *name = NULL;
    if (!(sb_tree_leaves(law) <= leaves) || sb_tree_law(law, &error, &tree) != SB_OK)
        return NULL;
    *name = "tree";
    if (sb_evidence_matrix(&tree) != SB_OK)
        differs = "the matrix of a law";
    for (size_t i = 0; !differs && i < sb_engine_types_count; i++) {
        *name = sb_engine_types[i]->name;
        differs = engine_differs(sb_engine_types[i], law, &tree, rank % tree.cells, step);
    }
    sb_evidence_close(&tree);
    return differs;
}

#endif
