/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For every shuffle made of swaps, the random walk and the tree of draws give the same law. */
#include "unit/test.h"

#include "exact/engine.h"
#include "known/ready_scheme.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

extern const struct sb_engine_type sb_engine_convolve;

static const char *const draws[] = { "ideal", "modulo:15", "modulo:4", "multiply:5", "round:4", "lemire", "modulo" };
enum { DRAWS = sizeof draws / sizeof draws[0] };

static void shuffle_open(const struct sb_shuffle_type *type, const char *draw, size_t n, size_t deal,
                         struct ready_scheme *ready)
{
    char text[SB_SCHEME_ROOM];

    snprintf(text, sizeof text, "%s/%s", type->name, draw);
    ready_open(text, n, deal, ready);
    ready->law.threads = 2;
}

/* The counts as fractions, whichever numbers they are kept in: equal, and over the same denominator. */
static void assert_same_law(const struct sb_evidence *one, const struct sb_evidence *other)
{
    mpq_t p, q;

    mpq_inits(p, q, NULL);
    assert_int_equal(one->cells, other->cells);
    assert_int_equal(mpz_cmp(one->denominator, other->denominator), 0);
    for (size_t rank = 0; rank < one->cells; rank++) {
        sb_evidence_fraction(one, rank, p);
        sb_evidence_fraction(other, rank, q);
        assert_true(mpq_equal(p, q));
    }
    mpq_clears(p, q, NULL);
}

static void compare(const struct sb_shuffle_type *type, const char *draw, size_t n, size_t deal, double most)
{
    struct sb_evidence tree, convolve;
    struct ready_scheme ready;

    shuffle_open(type, draw, n, deal, &ready);
    if (sb_tree_leaves(&ready.law) <= most) {
        assert_int_equal(sb_tree_law(&ready.law, NULL, &tree), SB_OK);
        assert_int_equal(sb_engine_convolve.law(&ready.law, NULL, &convolve), SB_OK);
        assert_same_law(&convolve, &tree);
        sb_evidence_close(&tree);
        sb_evidence_close(&convolve);
    }
    sb_shuffler_close(&ready.shuffler);
}

TEST(test_the_walk_is_the_tree)
{
    for (size_t t = 0; t < sb_shuffle_types_count; t++)
        for (size_t d = 0; sb_shuffle_types[t]->plan && d < DRAWS; d++)
            for (size_t n = 2; n <= 7; n++) {
                const bool narrow = strcmp(draws[d], "ideal") == 0 || strcmp(draws[d], "multiply:5") == 0;

                compare(sb_shuffle_types[t], draws[d], n, n, narrow ? 1e6 : 5e4);
            }
}

/* All permutations that begin with a deal, added up. */
TEST(test_deals_are_summed_out)
{
    for (size_t t = 0; t < sb_shuffle_types_count; t++)
        for (size_t d = 0; sb_shuffle_types[t]->plan && d < DRAWS; d++)
            for (size_t deal = 0; deal <= 5; deal++)
                compare(sb_shuffle_types[t], draws[d], 5, deal, 1e4);
}

/*
 * Positions and items relabelled by s: a plan with its positions relabelled has its law relabelled. So the
 * eighth position and up, which lie outside a tile, are held against those within: at n = 8 and 9, beyond the
 * tree, the law of a plan and of its mirror image must be each other's mirror image.
 */
static void check_mirror(const struct sb_shuffle_type *type, const char *draw, size_t n)
{
    struct sb_evidence law, mirrored;
    struct sb_swap steps[16];
    struct ready_scheme ready;

    shuffle_open(type, draw, n, n, &ready);
    assert_int_equal(sb_engine_convolve.law(&ready.law, NULL, &law), SB_OK);
    assert_in_range(ready.shuffler.count, 0, 16); /* none: a reservoir of all */
    memcpy(steps, ready.shuffler.steps, ready.shuffler.count * sizeof steps[0]);
    for (size_t k = 0; k < ready.shuffler.count; k++) {
        struct sb_swap *const step = &ready.shuffler.steps[k];

        step->at = n - step->at - step->at_bound;
        step->from = n - step->from - step->bound;
    }
    assert_int_equal(sb_engine_convolve.law(&ready.law, NULL, &mirrored), SB_OK);
    for (size_t rank = 0; rank < law.cells; rank++) {
        sb_item a[16], b[16];

        sb_permutation_unrank(n, n, rank, a);
        for (size_t j = 0; j < n; j++)
            b[j] = (sb_item)(n - 1 - a[n - 1 - j]);
        const size_t other = (size_t)sb_permutation_rank(n, n, b);
        assert_true(mirrored.counts.u64[other] == law.counts.u64[rank]);
    }
    sb_evidence_close(&law);
    sb_evidence_close(&mirrored);
    sb_shuffler_close(&ready.shuffler);
}

TEST(test_mirrored_plans_have_mirrored_laws)
{
    for (size_t t = 0; t < sb_shuffle_types_count; t++)
        for (size_t n = 8; sb_shuffle_types[t]->plan && n <= 9; n++)
            check_mirror(sb_shuffle_types[t], "ideal", n);
}

/* One step at a time, undone by hand: the law of all steps but the first, started from each place it leads
 * to. */
TEST(test_results_do_not_depend_on_threads)
{
    for (size_t t = 0; t < sb_shuffle_types_count; t++) {
        struct sb_evidence one, many;
        struct ready_scheme ready;

        if (!sb_shuffle_types[t]->plan)
            continue;
        shuffle_open(sb_shuffle_types[t], "modulo:4", 9, 9, &ready);
        ready.law.threads = 1;
        assert_int_equal(sb_engine_convolve.law(&ready.law, NULL, &one), SB_OK);
        ready.law.threads = 5;
        assert_int_equal(sb_engine_convolve.law(&ready.law, NULL, &many), SB_OK);
        assert_int_equal(one.cells, many.cells);
        if (one.counts.form == SB_NUMBERS_U64)
            assert_memory_equal(one.counts.u64, many.counts.u64, one.cells * sizeof *one.counts.u64);
        sb_evidence_close(&one);
        sb_evidence_close(&many);
        sb_shuffler_close(&ready.shuffler);
    }
}
