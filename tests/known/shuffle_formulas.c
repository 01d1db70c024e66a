/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formulas that src/shuffle states for the shuffles used by their names, against the exact engines. */
#include "unit/test.h"

#include "exact/engine.h"
#include "known/ready_scheme.h"

#include <stdio.h>

/* Sets `p` to the probability that item x ends at position q of a deal of k. */
typedef void formula(size_t n, size_t k, size_t parameter, size_t x, size_t q, mpq_t p);

static void set_power(unsigned long base, size_t exponent, mpz_t power)
{
    mpz_ui_pow_ui(power, base, exponent);
}

/* (1/B) (1 - 1/B)^(min(q, n-B) - s), s = max(0, x-B+1) */
static void shuffle_buffer(size_t n, size_t k, size_t parameter, size_t x, size_t q, mpq_t p)
{
    const size_t size = parameter < n ? parameter : n, from = x + 1 > size ? x + 1 - size : 0;
    const size_t steps = (q < n - size ? q : n - size) - from;

    mpq_set_ui(p, 0, 1);
    if (q < from)
        return;
    set_power(size - 1, steps, mpq_numref(p));
    set_power(size, steps + 1, mpq_denref(p));
    mpq_canonicalize(p);
}

/* 1/n + 2^-R ([x = q] - 1/n) = (2^R - 1 + n [x = q]) / (2^R n) */
static void swap_or_not(size_t n, size_t k, size_t parameter, size_t x, size_t q, mpq_t p)
{
    set_power(2, parameter, mpq_numref(p));
    mpz_mul_ui(mpq_denref(p), mpq_numref(p), n);
    mpz_sub_ui(mpq_numref(p), mpq_numref(p), 1);
    mpz_add_ui(mpq_numref(p), mpq_numref(p), x == q ? n : 0);
    mpq_canonicalize(p);
}

/* 1/n, if the chunks have the same size */
static void chunks(size_t n, size_t k, size_t parameter, size_t x, size_t q, mpq_t p)
{
    assert_int_equal(n % parameter, 0);
    mpq_set_ui(p, 1, n);
}

/* With j = n-k+q: (n-k) / (j (j+1)) for x < j, (q+1) / (j+1) for x = j. */
static void floyd(size_t n, size_t k, size_t parameter, size_t x, size_t q, mpq_t p)
{
    const size_t j = n - k + q;

    if (x < j)
        mpq_set_ui(p, n - k, j * (j + 1));
    else
        mpq_set_ui(p, x == j ? q + 1 : 0, j + 1);
    mpq_canonicalize(p);
}

/* C(x, q) C(n-1-x, k-1-q) / C(n, k) */
static void array_rand(size_t n, size_t k, size_t parameter, size_t x, size_t q, mpq_t p)
{
    mpz_t after;

    mpz_init(after);
    mpz_bin_uiui(mpq_numref(p), x, q);
    mpz_bin_uiui(after, n - 1 - x, k - 1 - q);
    mpz_mul(mpq_numref(p), mpq_numref(p), after);
    mpz_bin_uiui(mpq_denref(p), n, k);
    mpq_canonicalize(p);
    mpz_clear(after);
}

/* Compares each cell of the exact matrix; `tree` says which engine computes it. */
static void compare(const char *name, formula *expected, size_t n, size_t k, size_t parameter, bool tree)
{
    char text[SB_SCHEME_ROOM];
    struct ready_scheme ready;
    struct sb_evidence evidence;
    mpq_t p, found;

    snprintf(text, sizeof text, parameter ? "%s:%zu" : "%s", name, parameter);
    ready_open(text, n, k, &ready);
    if (tree) {
        assert_int_equal(sb_tree_law(&ready.law, NULL, &evidence), SB_OK);
        assert_int_equal(sb_evidence_matrix(&evidence), SB_OK);
    } else {
        assert_int_equal(sb_position_matrix(&ready.law, true, NULL, &evidence), SB_OK);
    }
    mpq_inits(p, found, NULL);
    for (size_t x = 0; x < n; x++)
        for (size_t q = 0; q < k; q++) {
            expected(n, k, parameter, x, q, p);
            sb_evidence_matrix_fraction(&evidence, x, q, found);
            if (!mpq_equal(p, found))
                fail_msg("%s, n = %zu, k = %zu: item %zu at %zu", text, n, k, x, q);
        }
    mpq_clears(p, found, NULL);
    sb_evidence_close(&evidence);
    sb_shuffler_close(&ready.shuffler);
}

TEST(test_matrix_of_a_shuffle_buffer)
{
    for (size_t n = 2; n <= 12; n++)
        for (size_t size = 1; size <= n + 1; size++)
            compare("shuffle-buffer", shuffle_buffer, n, n, size, false);
    compare("shuffle-buffer", shuffle_buffer, 100, 100, 7, false);
    compare("shuffle-buffer", shuffle_buffer, 60, 9, 25, false);
}

TEST(test_matrices_of_other_shuffles)
{
    for (size_t n = 2; n <= 9; n++)
        for (size_t rounds = 1; rounds <= 5; rounds++)
            compare("swap-or-not", swap_or_not, n, n, rounds, false);
    compare("swap-or-not", swap_or_not, 12, 12, 90, false);
    compare("chunks", chunks, 12, 12, 3, false);
    compare("chunks", chunks, 12, 12, 4, false);
    compare("chunks", chunks, 30, 30, 15, false);
}

TEST(test_matrices_of_samples)
{
    for (size_t n = 2; n <= 7; n++)
        for (size_t k = 1; k <= n; k++) {
            compare("floyd", floyd, n, k, 0, true);
            compare("array-rand", array_rand, n, k, 0, true);
        }
}

/* Each of the B! B^(n-B) orders that can occur comes from one series of draws. */
TEST(test_orders_of_a_shuffle_buffer)
{
    for (size_t n = 2; n <= 8; n++)
        for (size_t size = 1; size <= n; size++) {
            char text[SB_SCHEME_ROOM];
            struct ready_scheme ready;
            struct sb_evidence law;
            uint64_t orders = 1, found = 0;

            for (size_t i = 0; i < n; i++)
                orders *= size < n - i ? size : n - i;
            snprintf(text, sizeof text, "shuffle-buffer:%zu", size);
            ready_open(text, n, n, &ready);
            assert_int_equal(sb_tree_law(&ready.law, NULL, &law), SB_OK);
            assert_int_equal(law.total, orders);
            for (size_t rank = 0; rank < law.cells; rank++) {
                assert_in_range(law.counts.u64[rank], 0, 1);
                found += law.counts.u64[rank];
            }
            assert_int_equal(found, orders);
            sb_evidence_close(&law);
            sb_shuffler_close(&ready.shuffler);
        }
}
