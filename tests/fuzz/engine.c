/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Engines: the law of a random series of swaps, or of a scheme, is the same from each engine that can compute
 * it, and so are the matrix, the odds and the total variation that follow from the law.
 */
#include "fuzz/fuzz.h"

#include "exact/engine.h"
#include "subject/subject.h"

#include <math.h>

enum { ENGINE_ITEMS = 5, ENGINE_SWAPS = 6, ENGINE_LEAVES = 4000 };

/* The swaps of the shuffle below; of one input at a time. */
static struct sb_swap engine_swaps[ENGINE_SWAPS];
static size_t engine_swaps_count;

static size_t engine_plan(const struct sb_shuffle *self, size_t n, size_t deal, struct sb_swap steps[])
{
    for (size_t i = 0; steps && i < engine_swaps_count; i++)
        steps[i] = engine_swaps[i];
    return engine_swaps_count;
}

static const struct sb_shuffle_type engine_shuffle = { .name = "swaps",
                                                       .claim = SB_BIASED,
                                                       .plan = engine_plan };

/* Takes the swaps, with at most ENGINE_LEAVES series of answers. */
static void engine_take_swaps(struct fuzz *fuzz, size_t n)
{
    size_t leaves = 1;

    engine_swaps_count = 0;
    for (size_t count = fuzz_byte(fuzz) % (ENGINE_SWAPS + 1); count > 0; count--) {
        struct sb_swap swap = { .at = fuzz_byte(fuzz) % n, .from = fuzz_byte(fuzz) % n };

        swap.at_bound = fuzz_byte(fuzz) % 4 ? 1 : 1 + fuzz_byte(fuzz) % (n - swap.at);
        swap.bound = 1 + fuzz_byte(fuzz) % (n - swap.from);
        leaves *= swap.at_bound * swap.bound;
        if (leaves > ENGINE_LEAVES)
            return;
        engine_swaps[engine_swaps_count++] = swap;
    }
}

static bool engine_near(double one, double other, double error)
{
    return fabs(one - other) <= error * fmax(fabs(one), fabs(other)) + 1e-15;
}

/* Compares another engine's law or matrix with that of the tree, exactly where both have fractions. */
static void engine_compare(const struct sb_evidence *tree, const struct sb_evidence *other, bool matrix)
{
    const bool exact = mpz_sgn(other->denominator) > 0;
    const size_t count = matrix ? tree->n * tree->deal : tree->cells;
    mpq_t one, two;

    mpq_inits(one, two, NULL);
    fuzz_check(other->n == tree->n && other->deal == tree->deal, "the evidence has the shape of the law");
    fuzz_check(matrix || other->cells == tree->cells, "the law has a count for each deal");
    for (size_t i = 0; i < count; i++) {
        const size_t item = i / tree->deal, position = i % tree->deal;

        if (exact && matrix) {
            sb_evidence_matrix_fraction(tree, item, position, one);
            sb_evidence_matrix_fraction(other, item, position, two);
        } else if (exact) {
            sb_evidence_fraction(tree, i, one);
            sb_evidence_fraction(other, i, two);
        }
        fuzz_check(!exact || mpq_equal(one, two), "engines agree on each fraction");
        fuzz_check(matrix ? engine_near(sb_evidence_matrix_share(tree, item, position),
                                        sb_evidence_matrix_share(other, item, position), other->error + 1e-12)
                          : engine_near(sb_evidence_share(tree, i), sb_evidence_share(other, i),
                                        other->error + 1e-12),
                   "engines agree on each share");
    }
    mpq_clears(one, two, NULL);
}

/* Compares the odds of one permutation. */
static void engine_compare_odds(const struct sb_engine_type *engine, const struct sb_law *law,
                                const struct sb_evidence *tree, size_t rank)
{
    struct sb_error error;
    sb_item a[ENGINE_ITEMS];
    mpz_t weight, denominator;
    mpq_t one, two;

    mpz_inits(weight, denominator, NULL);
    mpq_inits(one, two, NULL);
    sb_evidence_unrank(tree, rank, a);
    fuzz_check(engine->odds(law, a, 1, &error, &weight, denominator) == SB_OK, "an engine can do its task");
    mpz_set(mpq_numref(one), weight);
    mpz_set(mpq_denref(one), denominator);
    mpq_canonicalize(one);
    sb_evidence_fraction(tree, rank, two);
    fuzz_check(mpq_equal(one, two), "engines agree on the odds");
    mpz_clears(weight, denominator, NULL);
    mpq_clears(one, two, NULL);
}

static double engine_variation(const struct sb_evidence *evidence)
{
    double sum = 0;

    for (size_t rank = 0; rank < evidence->cells; rank++)
        sum += fabs(sb_evidence_share(evidence, rank) - 1 / (double)evidence->cells);
    return sum / 2;
}

/* Lets an engine do each of its tasks. */
static void engine_try(const struct sb_engine_type *engine, const struct sb_law *law,
                       const struct sb_evidence *tree, size_t rank)
{
    struct sb_error error;
    struct sb_evidence other = { 0 };

    if (isfinite(engine->cost(law, SB_TASK_LAW))) {
        fuzz_check(engine->law(law, &error, &other) == SB_OK, "an engine can do its task");
        engine_compare(tree, &other, false);
        sb_evidence_close(&other);
    }
    if (isfinite(engine->cost(law, SB_TASK_MATRIX))) {
        other = (struct sb_evidence) { 0 };
        fuzz_check(engine->matrix(law, &error, &other) == SB_OK, "an engine can do its task");
        engine_compare(tree, &other, true);
        sb_evidence_close(&other);
    }
    if (isfinite(engine->cost(law, SB_TASK_EFFECT))) {
        struct sb_effect effect = { 0 };

        fuzz_check(engine->effect(law, &error, &effect) == SB_OK, "an engine can do its task");
        fuzz_check(fabs(effect.total_variation - engine_variation(tree)) <=
                       effect.total_variation_error + 1e-12,
                   "the total variation is that of the law");
        sb_effect_close(&effect);
    }
    if (law->shuffler->deal == law->shuffler->n && isfinite(engine->cost(law, SB_TASK_ODDS)))
        engine_compare_odds(engine, law, tree, rank);
}

static void engine_all(const struct sb_law *law, size_t rank)
{
    struct sb_error error;
    struct sb_evidence tree = { 0 };
    const double leaves = sb_tree_leaves(law);

    if (!(leaves <= ENGINE_LEAVES))
        return;
    const enum sb_status status = sb_tree_law(law, &error, &tree);

    fuzz_check(status != SB_NO_MEMORY, "there is memory");
    if (status)
        return;
    fuzz_check(sb_evidence_matrix(&tree) == SB_OK, "a law has a matrix");
    for (size_t i = 0; i < sb_engine_types_count; i++)
        engine_try(sb_engine_types[i], law, &tree, rank % tree.cells);
    sb_evidence_close(&tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = { data, size };
    const size_t n = 2 + fuzz_byte(&fuzz) % (ENGINE_ITEMS - 1), deal = 1 + fuzz_byte(&fuzz) % n;
    const size_t rank = fuzz_byte(&fuzz);
    const bool swaps = fuzz_byte(&fuzz) % 2;
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_request options;
    char text[64] = "naive/";

    if (swaps)
        engine_take_swaps(&fuzz, n);
    fuzz_text(&fuzz, text + (swaps ? 6 : 0), swaps ? 16 : sizeof text); /* swaps may have any draw */
    if (sb_scheme_parse(text, NULL, NULL, NULL, &scheme) &&
        sb_scheme_parse("naive", NULL, NULL, NULL, &scheme))
        abort();
    if (swaps)
        scheme.shuffle = (struct sb_shuffle) { .type = &engine_shuffle };
    if (sb_scheme_check(&scheme, n, deal, NULL))
        return 0;
    sb_request_init(&options, SB_REPORT);
    options.threads = 1;
    fuzz_check(sb_shuffler_open(scheme.shuffle, n, deal, &shuffler) == SB_OK, "there is memory");
    const struct sb_law law = sb_scheme_law(&scheme, &shuffler, &options);

    engine_all(&law, rank);
    sb_shuffler_close(&shuffler);
    return 0;
}
