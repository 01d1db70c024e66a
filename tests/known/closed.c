/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Laws in closed form: against the tree for small decks, against what was published for 52 cards, and against
 * other algorithms where nothing was.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exact/closed/closed_draws.h"
#include "exact/closed/closed_piles.h"
#include "exact/engine.h"
#include "exact/tree.h"
#include "fit/effect/effect.h"
#include "subject/scheme.h"
#include "unit/assert_near.h"

#include <math.h>
#include <stdio.h>

extern const struct sb_engine_type sb_engine_closed;

/* A law, and what it borrows. */
struct asked {
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_law law;
};

static void ask(const char *scheme, size_t n, size_t deal, struct asked *asked)
{
    assert_int_equal(sb_scheme_parse(scheme, NULL, NULL, NULL, &asked->scheme), SB_OK);
    assert_int_equal(sb_shuffler_open(asked->scheme.shuffle, n, deal, &asked->shuffler), SB_OK);
    asked->law = (struct sb_law) {
        .shuffler = &asked->shuffler,
        .draw = &asked->scheme.draw,
        .largest = sb_draw_largest(&asked->scheme.draw, asked->scheme.rng.largest),
    };
}

static bool closed_has(const struct sb_law *law)
{
    return sb_engine_closed.cost(law, SB_TASK_EFFECT) == 0;
}

static struct sb_effect effect_of(const char *scheme, size_t n, size_t deal)
{
    struct asked asked;
    struct sb_effect effect;

    ask(scheme, n, deal, &asked);
    bool draws = false;

    assert_true(sb_piles_has(&asked.law) || (sb_draws_has(&asked.law, &draws) == SB_OK && draws));
    assert_int_equal(sb_engine_closed.effect(&asked.law, NULL, &effect), SB_OK);
    sb_shuffler_close(&asked.shuffler);
    return effect;
}

static void assert_rank(const struct sb_evidence *law, const sb_item deal[], const size_t ranks[],
                        size_t count)
{
    const uint64_t rank = sb_permutation_rank(law->n, law->deal, deal);
    bool listed = count == SB_EXTREMES_MOST; /* then it may be one of the others */

    for (size_t i = 0; i < count; i++)
        listed = listed || ranks[i] == rank;
    assert_true(listed);
}

/* The effects in closed form against those of the law that the tree gives. */
static void compare_effects(const char *scheme, size_t n, size_t deal)
{
    struct asked asked;
    struct sb_evidence law;
    struct sb_effect tree, closed = effect_of(scheme, n, deal);

    ask(scheme, n, deal, &asked);
    assert_int_equal(sb_tree_law(&asked.law, NULL, &law), SB_OK);
    assert_int_equal(sb_effect_of(&law, &tree), SB_OK);
    assert_near(closed.total_variation, tree.total_variation, 1e-12);
    assert_true(closed.total_variation_error == 0);
    if (mpq_sgn(closed.total_variation_exact) >= 0)
        assert_true(mpq_equal(closed.total_variation_exact, tree.total_variation_exact));
    assert_near(closed.kl_bits, tree.kl_bits, 1e-12);
    assert_near(closed.chi2_per_sample, tree.chi2_per_sample, 1e-12);
    assert_near(closed.max_ratio, tree.max_ratio, 1e-14);
    assert_near(closed.min_ratio, tree.min_ratio, 1e-14);
    assert_near(closed.max_excess, tree.max_excess, 1e-12);
    assert_near(closed.min_excess, tree.min_excess, 1e-12);
    assert_int_equal(closed.most_total, tree.most_total);
    assert_int_equal(closed.least_total, tree.least_total);
    assert_rank(&law, closed.most_deal, tree.most, tree.most_count);
    assert_rank(&law, closed.least_deal, tree.least, tree.least_count);
    sb_effect_close(&tree);
    sb_effect_close(&closed);
    sb_evidence_close(&law);
    sb_shuffler_close(&asked.shuffler);
}

static void effects_agree_with_the_tree(void **state)
{
    static const char *const fair[] = { "fisher-yates", "fisher-yates-forward", "fisher-yates-original",
                                        "splice", "inside-out" };
    static const char *const draws[] = { "/modulo:15",  "/modulo:4",    "/modulo:2",
                                         "/multiply:5", "/multiply:31", "/ideal" };

    (void)state;
    for (size_t n = 2; n <= 7; n++)
        for (size_t f = 0; f < sizeof fair / sizeof fair[0]; f++)
            for (size_t d = 0; d < sizeof draws / sizeof draws[0]; d++) {
                char scheme[64];

                snprintf(scheme, sizeof scheme, "%s%s", fair[f], draws[d]);
                compare_effects(scheme, n, n);
            }
    for (size_t n = 2; n <= 5; n++) {
        compare_effects("sort-by-key:1", n, n);
        compare_effects("sort-by-key:2", n, n);
        compare_effects("riffle:1", n, n);
        compare_effects("riffle:2", n, n);
    }
    compare_effects("fisher-yates/modulo:31", 8, 8);
    compare_effects("splice/modulo:6", 9, 3);
}

/* Every probability, also of deals that are not whole and in numbers beyond 64 bits. */
static void compare_counts(const char *scheme, size_t n, size_t deal)
{
    struct asked asked;
    struct sb_evidence closed, tree;
    mpq_t a, b;

    mpq_inits(a, b, NULL);
    ask(scheme, n, deal, &asked);
    assert_true(sb_engine_closed.cost(&asked.law, SB_TASK_LAW) == 0);
    assert_int_equal(sb_engine_closed.law(&asked.law, NULL, &closed), SB_OK);
    assert_int_equal(sb_tree_law(&asked.law, NULL, &tree), SB_OK);
    assert_int_equal(closed.cells, tree.cells);
    for (size_t rank = 0; rank < tree.cells; rank++) {
        sb_evidence_fraction(&closed, rank, a);
        sb_evidence_fraction(&tree, rank, b);
        assert_true(mpq_equal(a, b));
    }
    mpq_clears(a, b, NULL);
    sb_evidence_close(&closed);
    sb_evidence_close(&tree);
    sb_shuffler_close(&asked.shuffler);
}

static void counts_agree_with_the_tree(void **state)
{
    (void)state;
    for (size_t n = 2; n <= 5; n++)
        for (size_t deal = 1; deal <= n; deal++) {
            compare_counts("sort-by-key:1", n, deal);
            compare_counts("sort-by-key:2", n, deal);
            compare_counts("riffle:1", n, deal);
            compare_counts("riffle:3", n, deal);
        }
    compare_counts("sort-by-key:7", 3, 3);
}

/* Keys of 53 bits: 2^159 series for three items, of which C(2^53 + 2 - d, 3) have d descents. */
static void wide_counts(void **state)
{
    struct asked asked;
    struct sb_evidence law;
    mpz_t s, expected;

    (void)state;
    mpz_inits(s, expected, NULL);
    ask("sort-by-key:53", 3, 3, &asked);
    assert_int_equal(sb_engine_closed.law(&asked.law, NULL, &law), SB_OK);
    assert_int_equal(mpz_sizeinbase(law.denominator, 2), 160);
    assert_int_equal(mpz_scan1(law.denominator, 0), 159);
    mpz_setbit(s, 53);
    mpz_add_ui(s, s, 2);
    mpz_bin_ui(expected, s, 3);
    assert_int_equal(mpz_cmp(law.counts.wide[0], expected), 0); /* 123 */
    mpz_sub_ui(s, s, 1);
    mpz_bin_ui(expected, s, 3);
    for (size_t rank = 1; rank < 5; rank++)
        assert_int_equal(mpz_cmp(law.counts.wide[rank], expected), 0);
    mpz_sub_ui(s, s, 1);
    mpz_bin_ui(expected, s, 3);
    assert_int_equal(mpz_cmp(law.counts.wide[5], expected), 0); /* 321 */
    mpz_clears(s, expected, NULL);
    sb_evidence_close(&law);
    sb_shuffler_close(&asked.shuffler);
}

/*
 * D. Bayer and P. Diaconis, Trailing the dovetail shuffle to its lair, Annals of Applied Probability 2 (1992)
 * 294, doi:10.1214/aoap/1177005705, Table 1: the total variation of 1 to 10 riffles of 52 cards.
 */
static void riffles_of_52_cards(void **state)
{
    static const double published[] = {
        1.000, 1.000, 1.000, 1.000, 0.924, 0.614, 0.334, 0.167, 0.085, 0.043
    };

    (void)state;
    for (unsigned k = 1; k <= 10; k++) {
        char scheme[16];

        snprintf(scheme, sizeof scheme, "riffle:%u", k);
        struct sb_effect effect = effect_of(scheme, 52, 52);
        assert_true(round(effect.total_variation * 1000) == round(published[k - 1] * 1000));
        sb_effect_close(&effect);
    }
}

/* Effects to twelve digits; NaN for what is not compared. */
struct reference {
    const char *scheme;
    size_t n;
    double total_variation, kl_bits, chi2, most, least;
};

/*
 * mpmath, 60 digits: sums over draws, and over Eulerian numbers. But the total variation of the draws is from
 * a convolution on a grid of ln(ratio) with steps of 1e-8, each mass split between two points so that the
 * mean ratio stays, in NumPy (steps of 4e-8 and 2e-8 agree to 15 digits).
 */
static void other_algorithms_agree(void **state)
{
    static const struct reference references[] = {
        { "fisher-yates/modulo:15", 52, 0.0011182246763211894, 5.6481749772556259897e-6,
          7.8305896558051632322e-6, 1.0232677043008913757, 0.9830205683202945774 },
        { "splice/modulo:31", 60, NAN, 1.8798232278807979667e-15, 2.6059883417861617335e-15,
          1.0000004372560415947, 0.99999961443252597552 },
        { "sort-by-key:53", 52, 4.8913212340762011748e-15, 1.0618576830664071806e-28,
          1.4720473183467922377e-28, NAN, NAN },
        { "sort-by-key:53", 200, 3.6353764926152237637e-14, 5.9571674192348957045e-27,
          8.2583876015324673379e-27, NAN, NAN },
        { "riffle:7", 52, 0.33406099946815156572, 0.52387886696792297351, 1.0396288628728439087, NAN, NAN },
    };

    (void)state;
    for (size_t i = 0; i < sizeof references / sizeof references[0]; i++) {
        const struct reference *const r = &references[i];
        struct sb_effect effect = effect_of(r->scheme, r->n, r->n);

        if (!isnan(r->total_variation))
            assert_near(effect.total_variation, r->total_variation, 1e-12);
        assert_near(effect.kl_bits, r->kl_bits, 1e-12);
        assert_near(effect.chi2_per_sample, r->chi2, 1e-12);
        if (!isnan(r->most)) {
            assert_near(effect.max_ratio, r->most, 1e-14);
            assert_near(effect.min_ratio, r->least, 1e-14);
        }
        sb_effect_close(&effect);
    }
}

/* Beyond 2^52 products there is a bracket. NumPy's grid, here with steps of 4e-6, is an upper bound, by 2e-9.
 */
static void brackets_hold_what_they_promise(void **state)
{
    struct sb_effect effect = effect_of("fisher-yates/modulo:15", 1000, 1000);

    (void)state;
    assert_true(effect.total_variation_error > 0 && effect.total_variation_error < 1e-6);
    assert_true(fabs(effect.total_variation - 0.09017340436681172) <= effect.total_variation_error + 2e-9);
    sb_effect_close(&effect);
}

static void there_is_a_closed_form_for_these_alone(void **state)
{
    static const char *const yes[] = { "fisher-yates/modulo:15",
                                       "fisher-yates-forward",
                                       "splice/multiply:53",
                                       "fisher-yates-original",
                                       "inside-out",
                                       "riffle:3",
                                       "sort-by-key" };
    static const char *const no[] = { "naive",     "redraw", "sattolo",  "fisher-yates-stops-early",
                                      "rotate",    "cut",    "overhand", "transpositions",
                                      "sort-merge" };
    struct asked asked;

    (void)state;
    for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++) {
        ask(yes[i], 52, 52, &asked);
        assert_true(closed_has(&asked.law));
        sb_shuffler_close(&asked.shuffler);
    }
    for (size_t i = 0; i < sizeof no / sizeof no[0]; i++) {
        ask(no[i], 52, 52, &asked);
        assert_false(closed_has(&asked.law));
        sb_shuffler_close(&asked.shuffler);
    }
    ask("fisher-yates/modulo:15", 52, 20, &asked); /* several series of draws for a deal */
    assert_false(closed_has(&asked.law));
    sb_shuffler_close(&asked.shuffler);
    ask("fisher-yates-forward/modulo:15", 52, 20, &asked);
    assert_true(closed_has(&asked.law));
    sb_shuffler_close(&asked.shuffler);
    ask("riffle:3/modulo/minstd", 52, 52, &asked); /* 2^31 - 2 words: a fair coin */
    assert_true(closed_has(&asked.law));
    sb_shuffler_close(&asked.shuffler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(effects_agree_with_the_tree),
        cmocka_unit_test(counts_agree_with_the_tree),
        cmocka_unit_test(wide_counts),
        cmocka_unit_test(riffles_of_52_cards),
        cmocka_unit_test(other_algorithms_agree),
        cmocka_unit_test(brackets_hold_what_they_promise),
        cmocka_unit_test(there_is_a_closed_form_for_these_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
