/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The naive swap for n that the tree cannot reach, against published values (data/vectors/naive_swap.txt) and a plain
 * walk; and doubles where integers are too wide.
 */
#include "unit/test.h"

#include "core/evidence.h"
#include "exact/engine.h"
#include "known/ready_scheme.h"
#include "unit/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const struct sb_engine_type sb_engine_convolve;

static void open_naive(size_t n, struct sb_shuffler *shuffler)
{
    struct sb_shuffle shuffle = { 0 };

    for (size_t i = 0; i < sb_shuffle_types_count; i++)
        if (strcmp(sb_shuffle_types[i]->name, "naive") == 0)
            shuffle.type = sb_shuffle_types[i];
    assert_non_null(shuffle.type);
    assert_int_equal(sb_shuffler_open(shuffle, n, n, shuffler), SB_OK);
}

static struct sb_evidence naive(size_t n)
{
    struct sb_shuffler shuffler;
    struct sb_evidence law;

    open_naive(n, &shuffler);
    assert_int_equal(sb_engine_convolve.law(&(struct sb_law) { .shuffler = &shuffler }, NULL, &law), SB_OK);
    sb_shuffler_close(&shuffler);
    return law;
}

static uint64_t power(uint64_t base, size_t exponent)
{
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

/*
 * All counts add up to n^n; the smallest is 2^(n-1), of n 1 2 ... n-1 (Goldstein and Moews, The identity is the most
 * likely exchange shuffle for large n, doi:10.1007/s00010-003-2680-0, from Robbins and Bolker,
 * doi:10.1007/BF02190184).
 */
static void compute_naive(const struct vector *v, struct vector_field got[])
{
    const size_t n = (size_t)v->in[0].whole;
    struct sb_evidence law = naive(n);
    sb_item last_first[11];
    uint64_t most = 0, least = UINT64_MAX, sum = 0;

    for (size_t rank = 0; rank < law.cells; rank++) {
        const uint64_t count = sb_numbers_u64(&law.counts, rank);

        most = count > most ? count : most;
        least = count < least ? count : least;
        sum += count;
    }
    for (size_t j = 0; j < n; j++)
        last_first[j] = (sb_item)(j == 0 ? n - 1 : j - 1);
    assert_true(least == power(2, n - 1));
    assert_true(sum == power(n, n) && law.total == sum);
    assert_true(sb_numbers_u64(&law.counts, (size_t)sb_permutation_rank(n, n, last_first)) == least);
    got[0].whole = sb_numbers_u64(&law.counts, 0);
    got[1].whole = most;
    sb_evidence_close(&law);
}

static bool seven_to_eleven(const struct vector *v)
{
    return v->in[0].whole >= 7 && v->in[0].whole <= 11;
}

TEST(test_naive_swap)
{
    static const struct vector_kind kinds[] = {
        { "naive", .in = "n", .out = "nn", .least = 5, .covers = seven_to_eleven, .compute = compute_naive },
        { .name = NULL },
    };

    vectors_check("naive_swap.txt", kinds);
}

/*
 * Every count of n = 8 by a walk that ranks and unranks permutation by permutation: the formula as it stands,
 * nothing in common with the engine but the ranks.
 */
TEST(test_naive_swap_step_by_step)
{
    const size_t n = 8, cells = 40320;
    struct sb_evidence law = naive(n);
    uint64_t *old = calloc(cells, sizeof *old), *new = calloc(cells, sizeof *new);

    assert_true(old && new);
    old[0] = 1;
    for (size_t i = 0; i < n; i++) {
        uint64_t *const other = old;

        memset(new, 0, cells * sizeof *new);
        for (size_t rank = 0; rank < cells; rank++)
            for (size_t j = 0; j < n && old[rank]; j++) {
                sb_item a[8];

                sb_permutation_unrank(n, n, rank, a);
                const sb_item item = a[i];
                a[i] = a[j];
                a[j] = item;
                new[sb_permutation_rank(n, n, a)] += old[rank];
            }
        old = new;
        new = other;
    }
    assert_memory_equal(old, law.counts.u64, cells * sizeof *old);
    free(old);
    free(new);
    sb_evidence_close(&law);
}

/* The law of the first items is the sum of the law of all: deals that begin alike have neighbouring ranks. */
TEST(deals_are_sums)
{
    static const char *const text[] = { "naive", "naive/modulo:15", "fisher-yates/modulo:15" };
    const size_t n = 8, deal = 3, each = 120; /* 5! */

    for (size_t s = 0; s < sizeof text / sizeof text[0]; s++) {
        struct sb_evidence all, some;
        struct ready_scheme ready;

        ready_open(text[s], n, n, &ready);
        assert_int_equal(sb_engine_convolve.law(&ready.law, NULL, &all), SB_OK);
        sb_shuffler_close(&ready.shuffler);
        ready_open(text[s], n, deal, &ready);
        assert_int_equal(sb_engine_convolve.law(&ready.law, NULL, &some), SB_OK);
        sb_shuffler_close(&ready.shuffler);
        assert_int_equal(some.cells * each, all.cells);
        for (size_t rank = 0; rank < some.cells; rank++) {
            double sum = 0;

            for (size_t i = 0; i < each; i++)
                sum += sb_evidence_share(&all, rank * each + i);
            if (!(fabs(sb_evidence_share(&some, rank) - sum) <= 1e-12 * sum))
                fail_msg("%s, deal %zu: %.17g instead of %.17g", text[s], rank, sb_evidence_share(&some, rank), sum);
        }
        sb_evidence_close(&all);
        sb_evidence_close(&some);
    }
}

/* Fisher-Yates with uneven draws at n = 10: each permutation has one series of draws, so its share is a
 * product. */
TEST(doubles_are_as_good_as_they_say)
{
    const size_t n = 10;
    struct sb_evidence evidence;
    struct ready_scheme ready;
    mpq_t share, product;

    mpq_inits(share, product, NULL);
    ready_open("fisher-yates/modulo:15", n, n, &ready);
    assert_int_equal(sb_engine_convolve.law(&ready.law, NULL, &evidence), SB_OK);
    assert_int_equal(evidence.counts.form, SB_NUMBERS_SHARE);
    assert_true(evidence.error > 0 && evidence.error < 1e-12);
    for (size_t rank = 0; rank < evidence.cells; rank += 997) {
        sb_item a[10];

        sb_permutation_unrank(n, n, rank, a);
        mpq_set_ui(product, 1, 1);
        /* Step i puts at position i what stood at j; forward again, on the identity. */
        sb_item b[10];
        for (size_t j = 0; j < n; j++)
            b[j] = (sb_item)j;
        for (size_t i = n; i-- > 1;) {
            size_t j = 0;

            while (b[j] != a[i])
                j++;
            mpq_set_ui(share, 32768 / (i + 1) + (j < 32768 % (i + 1)), 32768);
            mpq_mul(product, product, share);
            b[j] = b[i];
            b[i] = a[i];
        }
        const double exact = mpq_get_d(product);
        assert_true(fabs(evidence.counts.share[rank] - exact) <= (evidence.error + 0x1p-52) * exact);
    }
    mpq_clears(share, product, NULL);
    sb_evidence_close(&evidence);
    sb_shuffler_close(&ready.shuffler);
}
