/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts of single permutations: against the tree for every permutation of small decks, and against
 * published values of the naive swap (data/vectors/naive_swap.txt).
 */
#include "unit/test.h"

#include "core/evidence.h"
#include "exact/engine.h"
#include "exact/engines.h"
#include "unit/ready_scheme.h"
#include "unit/vectors.h"

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
