/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the exact laws of shuffles relate to each other: inverse and conjugate laws, laws of deals, and any
 * shuffle before or after a fair one. */
#include "unit/test.h"

#include "exact/engine.h"
#include "property/metamorphic.h"
#include "subject/subject.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 6 };

/* Computes the exact law of a scheme or, if `matrix` is set, the matrix alone, without the law. The caller
 * closes it. Returns false if no engine computes the matrix. */
static bool compute(const char *name, size_t n, size_t deal, bool matrix, struct sb_evidence *evidence)
{
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_request options;
    struct sb_error error;
    double cost = 0;

    sb_request_init(&options, SB_REPORT);
    options.threads = 1;
    assert_int_equal(sb_scheme_parse(name, NULL, NULL, &error, &scheme), SB_OK);
    assert_int_equal(sb_shuffler_open(scheme.shuffle, n, deal, &shuffler), SB_OK);
    const struct sb_law law = sb_scheme_law(&scheme, &shuffler, &options);

    if (matrix) {
        const struct sb_engine_type *const engine = sb_engine_for(&law, SB_TASK_MATRIX, &cost);

        if (cost < HUGE_VAL)
            assert_int_equal(engine->matrix(&law, &error, evidence), SB_OK);
    } else {
        assert_int_equal(sb_engine_law(&law, SB_COST_UNLIMITED, &error, evidence), SB_OK);
        assert_int_equal(evidence->cells, sb_cells(n, deal));
    }
    sb_shuffler_close(&shuffler);
    return cost < HUGE_VAL;
}

/* The exact law of a scheme; the caller closes it. */
static struct sb_evidence law_of(const char *name, size_t n, size_t deal)
{
    struct sb_evidence evidence = { 0 };

    compute(name, n, deal, false, &evidence);
    return evidence;
}

/* Shuffles whose laws do not change with a turn. */
static const struct {
    const char *scheme;
    enum turn turn;
    const char *why;
} symmetries[] = {
    { "naive", TURN_MIRRORED, "the inverse swaps in the opposite order, and the reversal turns the order around" },
    { "naive-no-self", TURN_MIRRORED, "as for naive" },
    { "naive-backward", TURN_MIRRORED, "as for naive" },
    { "transpositions", TURN_INVERTED, "the inverse is the same swaps in the opposite order" },
    { "transpositions", TURN_ROTATED, "all positions are alike" },
    { "sattolo", TURN_INVERTED, "every cycle of all items is equally likely, and its inverse is another" },
    { "sattolo", TURN_ROTATED, "renamed cycles of all items are cycles of all items" },
    { "rotate", TURN_INVERTED, "the inverse of a rotation is a rotation" },
    { "rotate", TURN_ROTATED, "as for the inverse" },
    { "swap-or-not:2", TURN_INVERTED, "each round is its own inverse, and all rounds are alike" },
};

/* D(turned s) = D(s) for every permutation s. */
TEST(symmetries_hold)
{
    for (size_t s = 0; s < sizeof symmetries / sizeof symmetries[0]; s++)
        for (size_t n = 2; n <= 5; n++) {
            struct sb_evidence law = law_of(symmetries[s].scheme, n, n);

            for (size_t rank = 0; rank < law.cells; rank++) {
                sb_item a[FEW], b[FEW];

                sb_permutation_unrank(n, n, rank, a);
                turn_deal(symmetries[s].turn, n, n, a, b);
                const double p = sb_evidence_share(&law, rank);
                const double turned = sb_evidence_share(&law, sb_permutation_cell(n, n, b));

                if (!(fabs(p - turned) <= 1e-15))
                    fail_msg("%s at n = %zu, although %s", symmetries[s].scheme, n, symmetries[s].why);
            }
            sb_evidence_close(&law);
        }
}

/* Pairs of shuffles, each of which is the other one turned. */
static const struct {
    const char *one, *other;
    enum turn turn;
} pairs[] = {
    { "naive", "naive-backward", TURN_INVERTED },
    { "naive", "naive-backward", TURN_ROTATED },
    { "riffle:1", "sort-by-key:1", TURN_INVERTED },
    { "riffle:3", "sort-by-key:3", TURN_INVERTED },
    { "fisher-yates", "fisher-yates-forward", TURN_INVERTED },
};

TEST(pairs_hold)
{
    for (size_t s = 0; s < sizeof pairs / sizeof pairs[0]; s++)
        for (size_t n = 2; n <= 5; n++) {
            struct sb_evidence one = law_of(pairs[s].one, n, n), other = law_of(pairs[s].other, n, n);

            for (size_t rank = 0; rank < one.cells; rank++) {
                sb_item a[FEW], b[FEW];

                sb_permutation_unrank(n, n, rank, a);
                turn_deal(pairs[s].turn, n, n, a, b);
                if (!(fabs(sb_evidence_share(&one, rank) - sb_evidence_share(&other, sb_permutation_cell(n, n, b))) <=
                      1e-15))
                    fail_msg("%s and %s at n = %zu", pairs[s].one, pairs[s].other, n);
            }
            sb_evidence_close(&one);
            sb_evidence_close(&other);
        }
}

/* A scheme for each shuffle of the registry, small enough for an exact law. */
static void scheme_of(size_t index, char name[64])
{
    const char *const shuffle = sb_shuffle_types[index]->name;
    const bool large =
        strcmp(shuffle, "sort-by-key") == 0 || strcmp(shuffle, "riffle") == 0 || strcmp(shuffle, "swap-or-not") == 0;

    snprintf(name, 64, "%.50s%s", shuffle, large ? ":2" : "");
}

/* Any shuffle before or after a fair one is fair: for every shuffle, the law of the product with a fair
 * permutation is uniform. Each product of a and b is looked up, so this also shows that ranks go with
 * permutations one to one. */
TEST(with_a_fair_shuffle)
{
    const size_t n = 4, cells = 24;

    for (size_t s = 0; s < sb_shuffle_types_count; s++) {
        double after[24] = { 0 }, before[24] = { 0 };
        char name[64];

        scheme_of(s, name);
        struct sb_evidence law = law_of(name, n, n);

        for (size_t rank = 0; rank < cells; rank++)
            for (size_t fair = 0; fair < cells; fair++) {
                sb_item a[FEW], b[FEW], product[FEW];

                sb_permutation_unrank(n, n, rank, a);
                sb_permutation_unrank(n, n, fair, b);
                rename_deal(n, b, a, product);
                after[sb_permutation_cell(n, n, product)] += sb_evidence_share(&law, rank) / 24;
                rename_deal(n, a, b, product);
                before[sb_permutation_cell(n, n, product)] += sb_evidence_share(&law, rank) / 24;
            }
        for (size_t rank = 0; rank < cells; rank++)
            if (!(fabs(after[rank] * 24 - 1) < 1e-14 && fabs(before[rank] * 24 - 1) < 1e-14))
                fail_msg("%s", name);
        sb_evidence_close(&law);
    }
}

/* The matrix that an engine computes item by item is what the law says: the sum over all deals that have the
 * item there. */
TEST(matrices_follow_from_laws)
{
    size_t compared = 0;

    for (size_t s = 0; s < sb_shuffle_types_count; s++)
        for (int trial = 0; trial < 3; trial++) {
            const size_t n = 2 + random_below(4), k = 1 + random_below(n);
            struct sb_evidence matrix = { 0 }, law;
            double sum[FEW][FEW] = { { 0 } };
            char name[64];

            scheme_of(s, name);
            if (!compute(name, n, k, true, &matrix))
                continue;
            law = law_of(name, n, k);
            for (size_t rank = 0; rank < law.cells; rank++) {
                sb_item a[FEW];

                sb_permutation_unrank(n, k, rank, a);
                for (size_t j = 0; j < k; j++)
                    sum[a[j]][j] += sb_evidence_share(&law, rank);
            }
            for (size_t i = 0; i < n; i++)
                for (size_t j = 0; j < k; j++)
                    if (!(fabs(sum[i][j] - sb_evidence_matrix_share(&matrix, i, j)) < 1e-14))
                        fail_msg("%s, %zu of %zu: item %zu at position %zu", name, k, n, i, j);
            compared++;
            sb_evidence_close(&law);
            sb_evidence_close(&matrix);
        }
    assert_true(compared > sb_shuffle_types_count);
}
