/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts of single permutations: against the tree for every permutation of small decks, and against
 * published values of the naive swap (data/vectors/naive_swap.txt).
 */
#include "unit/test.h"

#include "core/evidence.h"
#include "exact/engine.h"
#include "exact/engines.h"
#include "unit/assert_near.h"
#include "unit/ready_scheme.h"
#include "unit/vectors.h"

#include <float.h>
#include <stdio.h>

/* Every permutation of a scheme whose tree has at most a million leaves. */
static void compare(const char *text, size_t n)
{
    struct sb_evidence tree;
    struct ready_scheme ready;
    sb_item a[8];
    mpq_t expected, found;

    ready_open(text, n, n, &ready);
    if (sb_tree_leaves(&ready.law) > 1e6) {
        sb_shuffler_close(&ready.shuffler);
        return;
    }
    assert_int_equal(sb_tree_law(&ready.law, NULL, &tree), SB_OK);
    mpq_inits(expected, found, NULL);
    for (size_t rank = 0; rank < tree.cells; rank++) {
        sb_permutation_unrank(n, n, rank, a);
        sb_evidence_fraction(&tree, rank, expected);
        assert_int_equal(sb_single_count(&ready.law, a, NULL, mpq_numref(found), mpq_denref(found)), SB_OK);
        mpq_canonicalize(found);
        if (!mpq_equal(expected, found))
            fail_msg("%s: n = %zu, rank %zu", text, n, rank);
    }
    mpq_clears(expected, found, NULL);
    sb_evidence_close(&tree);
    sb_shuffler_close(&ready.shuffler);
}

TEST(agrees_with_the_tree)
{
    static const char *const draw[] = { "ideal", "modulo:4", "multiply:3" };

    for (size_t t = 0; t < sb_shuffle_types_count; t++)
        for (size_t d = 0; d < 3 && sb_shuffle_types[t]->plan; d++)
            for (size_t n = 0; n <= 7; n++) {
                char text[SB_SCHEME_ROOM];

                snprintf(text, sizeof text, "%s/%s", sb_shuffle_types[t]->name, draw[d]);
                compare(text, n);
            }
}

/* The count of a permutation of the naive swap. */
static void naive(size_t n, const sb_item a[], mpz_t count)
{
    struct ready_scheme ready;
    mpz_t denominator, power;

    ready_open("naive", n, n, &ready);
    mpz_inits(denominator, power, NULL);
    assert_int_equal(sb_single_count(&ready.law, a, NULL, count, denominator), SB_OK);
    mpz_ui_pow_ui(power, n, n);
    assert_int_equal(mpz_cmp(denominator, power), 0);
    mpz_clears(denominator, power, NULL);
    sb_shuffler_close(&ready.shuffler);
}

static void identity(size_t n, sb_item a[])
{
    for (size_t j = 0; j < n; j++)
        a[j] = (sb_item)j;
}

/* 2..m 1 m+2..n m+1 with m = floor(n/2), whose count is the largest as far as those were enumerated. */
static void rival(size_t n, sb_item a[])
{
    const size_t m = n / 2;

    for (size_t j = 0; j < n; j++)
        a[j] = (sb_item)(j == m - 1 ? 0 : j == n - 1 ? m : j + 1);
}

static void compute_naive(const struct vector *v, struct vector_field got[])
{
    const size_t n = (size_t)v->in[0].whole;
    sb_item a[20];
    mpz_t count;

    assert_true(n <= sizeof a / sizeof a[0]);
    mpz_init(count);
    identity(n, a);
    naive(n, a, count);
    got[0].whole = sb_mpz_get_u64(count);
    rival(n, a);
    naive(n, a, count);
    got[1].whole = sb_mpz_get_u64(count);
    mpz_clear(count);
}

TEST(known_vectors)
{
    static const struct vector_kind kinds[] = {
        { "naive", .in = "n", .out = "nn", .least = 20, .compute = compute_naive },
        { .name = NULL },
    };

    vectors_check("naive_swap.txt", kinds);
}

/*
 * Goldstein and Moews: "for n >= 18 the identity is the most likely", and before that the rival is. (By way
 * of https://mathworld.wolfram.com/ExchangeShuffle.html, which cites arXiv:math/0010066.)
 */
TEST(the_identity_overtakes_at_eighteen)
{
    for (size_t n = 4; n <= 22; n++) {
        sb_item a[22];
        mpz_t own, other;

        mpz_inits(own, other, NULL);
        identity(n, a);
        naive(n, a, own);
        rival(n, a);
        naive(n, a, other);
        if ((mpz_cmp(own, other) > 0) != (n >= 18))
            fail_msg("n = %zu", n);
        mpz_clears(own, other, NULL);
    }
}

/* Each of 52! by Fisher-Yates, and a draw too many for all that is kept. */
TEST(large_decks)
{
    struct sb_error error;
    struct ready_scheme ready;
    sb_item a[129];
    mpz_t count, denominator, factorial;

    mpz_inits(count, denominator, factorial, NULL);
    ready_open("fisher-yates", 52, 52, &ready);
    rival(52, a);
    assert_int_equal(sb_single_count(&ready.law, a, NULL, count, denominator), SB_OK);
    mpz_fac_ui(factorial, 52);
    assert_int_equal(mpz_cmp_ui(count, 1), 0);
    assert_int_equal(mpz_cmp(denominator, factorial), 0);
    sb_shuffler_close(&ready.shuffler);
    ready_open("naive", 129, 129, &ready);
    identity(129, a);
    assert_int_equal(sb_single_count(&ready.law, a, &error, count, denominator), SB_TOO_LARGE);
    sb_shuffler_close(&ready.shuffler);
    ready_open("splice", 5, 5, &ready);
    assert_int_equal(sb_single_count(&ready.law, a, &error, count, denominator), SB_INVALID);
    sb_shuffler_close(&ready.shuffler);
    assert_int_equal(mpz_cmp_ui(count, 1), 0);
    ready_open("naive", 18, 18, &ready);
    ready.law.stop = &(volatile sig_atomic_t) { 1 };
    assert_int_equal(sb_single_count(&ready.law, a, &error, count, denominator), SB_STOPPED);
    sb_shuffler_close(&ready.shuffler);
    mpz_clears(count, denominator, factorial, NULL);
}

/* ---- closed product ---- */

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
