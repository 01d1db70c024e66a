/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Laws in closed form, for 52 cards: against published values or, if there are none, against other algorithms
 * (data/vectors/closed.txt). tests/property/engines.c has small decks.
 */
#include "unit/test.h"

#include "exact/engine.h"
#include "fit/fit.h"
#include "known/assert_near.h"
#include "known/ready_scheme.h"
#include "unit/vectors.h"

#include <math.h>

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

/* ---- products of factors ---- */

/*
 * Total variation of products of factors, against the definition: the mean of max(0, 1 - R) over every
 * combination of values. Equal factors of two values give a binomial law instead of 2^n combinations.
 */

static const struct sb_law plain_law = { .threads = 1 };

/* A factor with the given weights and ratios, divided by their mean. */
static struct sb_factor factor_of(size_t count, const double weight[], const double ratio[])
{
    struct sb_factor factor = { .count = count };
    double total = 0, mean = 0;

    for (size_t v = 0; v < count; v++)
        total += weight[v];
    for (size_t v = 0; v < count; v++)
        mean += weight[v] / total * ratio[v];
    for (size_t v = 0; v < count; v++)
        factor.atom[v] = (struct sb_atom) { ratio[v] / mean - 1, weight[v] / total };
    return factor;
}

/* The sum over all combinations of the remaining factors. */
static double enumerate(const struct sb_factor factor[], size_t count, double weight, double ratio)
{
    double sum = 0;

    if (count == 0)
        return ratio < 1 ? weight * (1 - ratio) : 0;
    for (size_t v = 0; v < factor->count; v++)
        sum +=
            enumerate(factor + 1, count - 1, weight * factor->atom[v].weight, ratio * (1 + factor->atom[v].deviation));
    return sum;
}

static void expect_exact(const struct sb_factor factor[], size_t count)
{
    struct sb_bracket bracket = { -1, -1 };

    assert_int_equal(sb_product_variation(factor, count, &plain_law, &bracket), SB_OK);
    assert_true(bracket.low == bracket.high);
    assert_near(bracket.low, enumerate(factor, count, 1, 1), 1e-12);
}

TEST(few_factors_are_exact)
{
    const struct sb_factor coin = factor_of(2, (double[]) { 1, 1 }, (double[]) { 1, 3 });
    const struct sb_factor never = factor_of(3, (double[]) { 1, 2, 3 }, (double[]) { 0, 1, 4 });
    const struct sb_factor wide =
        factor_of(8, (double[]) { 1, 2, 3, 4, 5, 6, 7, 8 }, (double[]) { 0.1, 0.2, 0.5, 1, 2, 3, 5, 9 });
    const struct sb_factor slight = factor_of(2, (double[]) { 3, 5 }, (double[]) { 1, 1 + 0x1p-30 });
    const struct sb_factor all[] = { coin, never, wide, slight, never, coin, wide, never };

    for (size_t first = 0; first < 8; first++)
        for (size_t count = 0; first + count <= 8; count++)
            expect_exact(all + first, count);
}

/* Sizes whose products do not fill two lists, so that an outer list is needed. */
TEST(odd_sizes_need_an_outer_list)
{
    struct sb_factor factor[7];

    for (size_t i = 0; i < 7; i++)
        factor[i] = factor_of(3 + i % 3, (double[]) { 1, 1 + (double)i, 2, 3, 5 }, (double[]) { 1, 1.5, 2, 4, 7 });
    for (size_t count = 1; count <= 7; count++)
        expect_exact(factor, count);
}

TEST(threads_do_not_matter)
{
    struct sb_factor factor[7];
    struct sb_bracket one, three;
    struct sb_law law = plain_law;

    for (size_t i = 0; i < 7; i++)
        factor[i] = factor_of(3, (double[]) { 1, 2, 3 + (double)i }, (double[]) { 1, 2, 3 });
    assert_int_equal(sb_product_variation(factor, 7, &law, &one), SB_OK);
    law.threads = 3;
    assert_int_equal(sb_product_variation(factor, 7, &law, &three), SB_OK);
    assert_true(one.low == three.low && one.high == three.high);
}

enum { KINDS = 5, EQUAL = 25 };

/* EQUAL factors of each kind, with ratios 1 - d and 1 + d. There are C(EQUAL, j) / 2^EQUAL products with j of
 * the second ratio. Sums over all such products of the remaining kinds. */
static double enumerate_kinds(const double d[], size_t kinds, double weight, double ratio)
{
    double sum = 0, choose = ldexp(1, -EQUAL);

    if (kinds == 0)
        return ratio < 1 ? weight * (1 - ratio) : 0;
    for (int j = 0; j <= EQUAL; j++) {
        sum += enumerate_kinds(d + 1, kinds - 1, weight * choose, ratio * pow(1 + *d, j) * pow(1 - *d, EQUAL - j));
        choose *= (double)(EQUAL - j) / (j + 1);
    }
    return sum;
}

/* 2^125 combinations: too many for an exact result. */
TEST(many_factors_have_bounds)
{
    static const double d[KINDS] = { 0.05, 0.0713, 0.0911, 0.1127, 0.2 };
    struct sb_factor factor[KINDS * EQUAL];
    const double exact = enumerate_kinds(d, KINDS, 1, 1);
    struct sb_bracket bracket;

    for (size_t i = 0; i < KINDS * EQUAL; i++)
        factor[i] = (struct sb_factor) { 2, { { -d[i % KINDS], 0.5 }, { d[i % KINDS], 0.5 } } };
    assert_int_equal(sb_product_variation(factor, KINDS * EQUAL, &plain_law, &bracket), SB_OK);
    assert_true(bracket.low < exact && exact < bracket.high);
    assert_true(bracket.high - bracket.low < 1e-7 * exact);
}

/* Ratios beyond the range of doubles: Le Cam's bounds 1 - c and sqrt(1 - c^2), c the mean of sqrt(R). */
TEST(far_laws_have_le_cams_bounds)
{
    struct sb_factor factor[12];
    double c = 1;
    struct sb_bracket bracket;

    for (size_t i = 0; i < 12; i++) {
        const double w = 0x1p-50 * (1 + (double)i), low = 0.5, high = (1 - (1 - w) * low) / w;

        factor[i] = (struct sb_factor) { 2, { { low - 1, 1 - w }, { high - 1, w } } };
        c *= (1 - w) * sqrt(low) + w * sqrt(high);
    }
    assert_int_equal(sb_product_variation(factor, 12, &plain_law, &bracket), SB_OK);
    assert_near(bracket.low, 1 - c, 1e-12);
    assert_near(bracket.high, sqrt(1 - c * c), 1e-12);
    assert_int_equal(sb_product_variation(factor, 8, &plain_law, &bracket), SB_OK); /* ratios up to e^272 */
    assert_true(bracket.low == bracket.high);
    assert_near(bracket.low, enumerate(factor, 8, 1, 1), 1e-12);
}

TEST(a_stop_is_heard)
{
    const volatile sig_atomic_t stop = 1;
    const struct sb_law law = { .threads = 1, .stop = &stop };
    const struct sb_factor coin = factor_of(2, (double[]) { 1, 1 }, (double[]) { 1, 3 });
    struct sb_bracket bracket = { -1, -1 };

    assert_int_equal(sb_product_variation(&coin, 1, &law, &bracket), SB_STOPPED);
    assert_true(bracket.low == -1);
}
