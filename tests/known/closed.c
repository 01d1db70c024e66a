/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Laws in closed form: against the tree for small decks; for 52 cards, against published values or, if there
 * are none, against other algorithms (data/vectors/closed.txt).
 */
#include "unit/test.h"

#include "exact/engine.h"
#include "exact/engines.h"
#include "fit/fit.h"
#include "unit/assert_near.h"
#include "unit/ready_scheme.h"
#include "unit/vectors.h"

#include <math.h>
#include <stdio.h>

extern const struct sb_engine_type sb_engine_closed;

static bool closed_has(const struct sb_law *law)
{
    return sb_engine_closed.cost(law, SB_TASK_EFFECT) == 0;
}

static struct sb_effect effect_of(const char *scheme, size_t n, size_t deal)
{
    struct ready_scheme ready;
    struct sb_effect effect;

    ready_open(scheme, n, deal, &ready);
    bool draws = false;

    assert_true(sb_piles_has(&ready.law) || (sb_draws_has(&ready.law, &draws) == SB_OK && draws));
    assert_int_equal(sb_engine_closed.effect(&ready.law, NULL, &effect), SB_OK);
    sb_shuffler_close(&ready.shuffler);
    return effect;
}

static void assert_rank(const struct sb_evidence *law, const sb_item deal[], const size_t ranks[], size_t count)
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
    struct ready_scheme ready;
    struct sb_evidence law;
    struct sb_effect tree, closed = effect_of(scheme, n, deal);

    ready_open(scheme, n, deal, &ready);
    assert_int_equal(sb_tree_law(&ready.law, NULL, &law), SB_OK);
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
    sb_shuffler_close(&ready.shuffler);
}

TEST(effects_agree_with_the_tree)
{
    static const char *const fair[] = { "fisher-yates", "fisher-yates-forward", "fisher-yates-original", "splice",
                                        "inside-out" };
    static const char *const draws[] = {
        "/modulo:15", "/modulo:4", "/modulo:2", "/multiply:5", "/multiply:31", "/ideal"
    };

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
    struct ready_scheme ready;
    struct sb_evidence closed, tree;
    mpq_t a, b;

    mpq_inits(a, b, NULL);
    ready_open(scheme, n, deal, &ready);
    assert_true(sb_engine_closed.cost(&ready.law, SB_TASK_LAW) == 0);
    assert_int_equal(sb_engine_closed.law(&ready.law, NULL, &closed), SB_OK);
    assert_int_equal(sb_tree_law(&ready.law, NULL, &tree), SB_OK);
    assert_int_equal(closed.cells, tree.cells);
    for (size_t rank = 0; rank < tree.cells; rank++) {
        sb_evidence_fraction(&closed, rank, a);
        sb_evidence_fraction(&tree, rank, b);
        assert_true(mpq_equal(a, b));
    }
    mpq_clears(a, b, NULL);
    sb_evidence_close(&closed);
    sb_evidence_close(&tree);
    sb_shuffler_close(&ready.shuffler);
}

TEST(counts_agree_with_the_tree)
{
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
TEST(wide_counts)
{
    struct ready_scheme ready;
    struct sb_evidence law;
    mpz_t s, expected;

    mpz_inits(s, expected, NULL);
    ready_open("sort-by-key:53", 3, 3, &ready);
    assert_int_equal(sb_engine_closed.law(&ready.law, NULL, &law), SB_OK);
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
    sb_shuffler_close(&ready.shuffler);
}

static void compute_total_variation(const struct vector *v, struct vector_field got[])
{
    struct sb_effect effect = effect_of(v->in[0].text, (size_t)v->in[1].whole, (size_t)v->in[1].whole);

    got[0].real = effect.total_variation;
    sb_effect_close(&effect);
}

static void compute_distances(const struct vector *v, struct vector_field got[])
{
    struct sb_effect effect = effect_of(v->in[0].text, (size_t)v->in[1].whole, (size_t)v->in[1].whole);

    got[0].real = effect.total_variation;
    got[1].real = effect.kl_bits;
    got[2].real = effect.chi2_per_sample;
    sb_effect_close(&effect);
}

static void compute_ratios(const struct vector *v, struct vector_field got[])
{
    struct sb_effect effect = effect_of(v->in[0].text, (size_t)v->in[1].whole, (size_t)v->in[1].whole);

    got[0].real = effect.max_ratio;
    got[1].real = effect.min_ratio;
    sb_effect_close(&effect);
}

static void compute_extremes(const struct vector *v, struct vector_field got[])
{
    struct sb_effect effect = effect_of(v->in[0].text, (size_t)v->in[1].whole, (size_t)v->in[1].whole);

    got[0].whole = effect.most_total;
    got[1].whole = effect.least_total;
    sb_effect_close(&effect);
}

/* The number in the bracket that is nearest to the known one. */
static void compute_bracket(const struct vector *v, struct vector_field got[])
{
    struct sb_effect effect = effect_of(v->in[0].text, (size_t)v->in[1].whole, (size_t)v->in[1].whole);
    const double middle = effect.total_variation, error = effect.total_variation_error;

    assert_true(error > 0 && error < 1e-6);
    got[0].real = fmin(fmax(v->out[0].real, middle - error), middle + error);
    sb_effect_close(&effect);
}

TEST(known_vectors)
{
    static const struct vector_kind kinds[] = {
        { "total-variation-to-a-thousandth", .in = "tn", .out = "r", .absolute = 5e-4, .least = 10,
          .compute = compute_total_variation },
        { "distances", .in = "tn", .out = "rrr", .relative = 1e-12, .least = 5, .compute = compute_distances },
        { "ratios", .in = "tn", .out = "rr", .relative = 1e-14, .least = 2, .compute = compute_ratios },
        { "extremes", .in = "tn", .out = "nn", .least = 3, .compute = compute_extremes },
        { "bracket", .in = "tn", .out = "r", .absolute = 2e-9, .least = 1, .compute = compute_bracket },
        { .name = NULL },
    };

    vectors_check("closed.txt", kinds);
}

TEST(there_is_a_closed_form_for_these_alone)
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
    struct ready_scheme ready;

    for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++) {
        ready_open(yes[i], 52, 52, &ready);
        assert_true(closed_has(&ready.law));
        sb_shuffler_close(&ready.shuffler);
    }
    for (size_t i = 0; i < sizeof no / sizeof no[0]; i++) {
        ready_open(no[i], 52, 52, &ready);
        assert_false(closed_has(&ready.law));
        sb_shuffler_close(&ready.shuffler);
    }
    ready_open("fisher-yates/modulo:15", 52, 20, &ready); /* several series of draws for a deal */
    assert_false(closed_has(&ready.law));
    sb_shuffler_close(&ready.shuffler);
    ready_open("fisher-yates-forward/modulo:15", 52, 20, &ready);
    assert_true(closed_has(&ready.law));
    sb_shuffler_close(&ready.shuffler);
    ready_open("riffle:2", 4, 2, &ready); /* the effects in closed form are those of whole permutations */
    assert_false(closed_has(&ready.law));
    sb_shuffler_close(&ready.shuffler);
    ready_open("riffle:3/modulo/minstd", 52, 52, &ready); /* 2^31 - 2 words: a fair coin */
    assert_true(closed_has(&ready.law));
    sb_shuffler_close(&ready.shuffler);
}

/* Makes the draws of a Fisher-Yates shuffle, and leaves the deck as it is. */
static void asks(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    for (uint32_t bound = (uint32_t)deck->n; bound > 1; bound--)
        sb_draw_below(src, bound);
}

/* The same, and draws the last coin again if its answer was 1. */
static void asks_again(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    for (uint32_t bound = (uint32_t)deck->n; bound > 1; bound--)
        if (sb_draw_below(src, bound) == 1 && bound == 2)
            sb_draw_below(src, bound);
}

/* Shuffles with a draw for each bound from 2 to n have a closed form if they are known to be fair with fair draws, and
 * if the draws are the same whatever the answers. */
TEST(draws_do_not_suffice)
{
    static const struct {
        struct sb_shuffle_type type;
        bool has;
    } shuffles[] = {
        { { .name = "asks", .run = asks, .claim = SB_UNIFORM }, true },
        { { .name = "biased", .run = asks, .claim = SB_BIASED }, false },
        { { .name = "asks again", .run = asks_again, .claim = SB_UNIFORM }, false },
    };

    for (size_t i = 0; i < sizeof shuffles / sizeof shuffles[0]; i++) {
        const struct sb_shuffle shuffle = { .type = &shuffles[i].type };
        struct sb_shuffler shuffler;
        bool has = !shuffles[i].has;

        assert_int_equal(sb_shuffler_open(shuffle, 12, 12, &shuffler), SB_OK);
        assert_int_equal(sb_draws_has(&(struct sb_law) { .shuffler = &shuffler }, &has), SB_OK);
        assert_int_equal(has, shuffles[i].has);
        sb_shuffler_close(&shuffler);
    }
}
