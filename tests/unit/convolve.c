/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The walk on the permutations: the numbers in which it counts, its limits, how it stops. Also the choice of
 * engines.
 */
#include "unit/test.h"

#include "unit/ready_scheme.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const struct sb_engine_type sb_engine_convolve;

TEST(counts_are_as_wide_as_they_need)
{
    static const struct {
        const char *scheme;
        size_t n;
        enum sb_number_form form;
    } law[] = {
        { "naive", 10, SB_NUMBERS_U64 },           /* 10^10 fits 64 bits */
        { "transpositions", 10, SB_NUMBERS_U64 },  /* 10^20 does not, but each count does */
        { "naive/modulo:15", 5, SB_NUMBERS_WIDE }, /* 2^75: some 2^68 each */
        { "naive/modulo:15", 9, SB_NUMBERS_WIDE },
        { "naive/modulo:15", 10, SB_NUMBERS_SHARE }, /* 2^150 in 10! places */
    };

    for (size_t i = 0; i < sizeof law / sizeof law[0]; i++) {
        struct sb_evidence evidence;
        struct ready_scheme ready;

        ready_open(law[i].scheme, law[i].n, law[i].n, &ready);
        assert_int_equal(sb_engine_convolve.law(&ready.law, NULL, &evidence), SB_OK);
        assert_int_equal(evidence.counts.form, law[i].form);
        assert_true((mpz_sgn(evidence.denominator) == 0) == (law[i].form == SB_NUMBERS_SHARE));
        sb_evidence_close(&evidence);
        sb_shuffler_close(&ready.shuffler);
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

/* Adds the weights of all series of draws of Sattolo's loop from step i down, for words of 22 bits: each series leads
 * to one permutation, whose first `deal` items have a rank. */
static void sattolo_add(size_t n, size_t deal, size_t i, sb_item a[], const mpz_t weight, mpz_t sum[])
{
    enum { WORDS = 1 << 22 };
    mpz_t next;

    if (i == 0) {
        const size_t rank = (size_t)sb_permutation_rank(n, deal, a);

        mpz_add(sum[rank], sum[rank], weight);
        return;
    }
    mpz_init(next);
    for (size_t j = 0; j < i; j++) {
        const sb_item moved = a[i];

        a[i] = a[j];
        a[j] = moved;
        mpz_mul_ui(next, weight, WORDS / i + (j < WORDS % i));
        sattolo_add(n, deal, i - 1, a, next, sum);
        a[j] = a[i];
        a[i] = moved;
    }
    mpz_clear(next);
}

/* 2^66 series of words, and a word that decides nothing, lead to 24 permutations. Each count fits 64 bits, but not the
 * sum of those that begin with the same card. */
TEST(deals_have_more_than_their_permutations)
{
    enum { N = 5, MOST = 120 };

    for (size_t deal = 1; deal <= N; deal++) {
        sb_item a[N] = { 0, 1, 2, 3, 4 };
        struct sb_evidence evidence;
        struct ready_scheme ready;
        mpz_t sum[MOST], one;
        mpq_t share, truth;

        mpz_init_set_ui(one, 1);
        mpq_inits(share, truth, NULL);
        for (size_t i = 0; i < MOST; i++)
            mpz_init(sum[i]);
        sattolo_add(N, deal, N - 1, a, one, sum);
        ready_open("sattolo/modulo:22", N, deal, &ready);
        assert_int_equal(sb_engine_convolve.law(&ready.law, NULL, &evidence), SB_OK);
        assert_int_equal(evidence.counts.form, deal < 2 ? SB_NUMBERS_WIDE : SB_NUMBERS_U64);
        for (size_t rank = 0; rank < evidence.cells; rank++) {
            mpq_set_z(truth, sum[rank]);
            mpq_div_2exp(truth, truth, 88);
            sb_evidence_fraction(&evidence, rank, share);
            assert_true(mpq_equal(share, truth));
        }
        for (size_t i = 0; i < MOST; i++)
            mpz_clear(sum[i]);
        mpq_clears(share, truth, NULL);
        mpz_clear(one);
        sb_evidence_close(&evidence);
        sb_shuffler_close(&ready.shuffler);
    }
}

/* Nine draws of whether the first two change places: 2^35 series of words say yes, and as many no, which 32 bits do not
 * hold, though the mean count is small. */
TEST(counts_that_32_bits_do_not_hold)
{
    struct sb_evidence evidence;
    struct ready_scheme ready;
    uint64_t sum = 0;

    ready_open("naive/modulo:2", 9, 9, &ready);
    for (size_t k = 0; k < ready.shuffler.count; k++)
        ready.shuffler.steps[k] = (struct sb_swap) { .at = 0, .at_bound = 2, .from = 0, .bound = 2 };
    assert_int_equal(sb_engine_convolve.law(&ready.law, NULL, &evidence), SB_OK);
    for (size_t rank = 0; rank < evidence.cells; rank++)
        sum += sb_numbers_u64(&evidence.counts, rank);
    assert_true(sum == UINT64_C(1) << 36);
    assert_true(sb_numbers_u64(&evidence.counts, 0) == sum / 2);
    sb_evidence_close(&evidence);
    sb_shuffler_close(&ready.shuffler);
}

TEST(limits_are_named)
{
    struct sb_evidence evidence;
    struct sb_error error;
    struct ready_scheme ready;

    ready_open("naive", 13, 13, &ready);
    assert_true(sb_engine_convolve.cost(&ready.law, SB_TASK_LAW) == HUGE_VAL);
    assert_int_equal(sb_engine_convolve.law(&ready.law, &error, &evidence), SB_TOO_LARGE);
    assert_non_null(strstr(error.text, "use n <= 12"));
    sb_shuffler_close(&ready.shuffler);
    ready_open("splice", 5, 5, &ready);
    assert_true(sb_engine_convolve.cost(&ready.law, SB_TASK_LAW) == HUGE_VAL);
    assert_int_equal(sb_engine_convolve.law(&ready.law, &error, &evidence), SB_INVALID);
    sb_shuffler_close(&ready.shuffler);
}

/* Progress that raises the flag. */
struct watch {
    volatile sig_atomic_t stop;
    uint64_t calls;
};

static void watch_progress(void *state, const char *subject, uint64_t done, uint64_t total)
{
    struct watch *const watch = state;

    assert_string_equal(subject, "naive");
    assert_true(done <= total);
    watch->calls++;
    watch->stop = 1;
}

TEST(a_walk_can_be_stopped)
{
    struct watch watch = { 0 };
    struct sb_evidence evidence;
    struct sb_error error;
    struct ready_scheme ready;

    ready_open("naive", 10, 10, &ready);
    ready.law.threads = 2;
    ready.law.stop = &watch.stop;
    ready.law.progress = watch_progress;
    ready.law.progress_state = &watch;
    ready.law.subject = "naive";
    assert_int_equal(sb_engine_convolve.law(&ready.law, &error, &evidence), SB_STOPPED);
    assert_non_null(strstr(error.text, "stopped"));
    assert_int_equal(watch.calls, 1);
    sb_shuffler_close(&ready.shuffler);
}

static const char *engine(const char *text, size_t n)
{
    struct sb_evidence evidence;
    struct ready_scheme ready;

    ready_open(text, n, n, &ready);
    assert_int_equal(sb_engine_law(&ready.law, SB_COST_UNLIMITED, NULL, &evidence), SB_OK);
    double cost;
    const char *const name = sb_engine_for(&ready.law, SB_TASK_LAW, &cost)->name;

    assert_string_equal(evidence.engine, name);
    sb_evidence_close(&evidence);
    sb_shuffler_close(&ready.shuffler);
    return name;
}

TEST(the_quicker_engine_is_taken)
{
    assert_string_equal(engine("naive", 1), "tree");
    assert_string_equal(engine("naive", 3), "tree");
    assert_string_equal(engine("naive", 7), "convolve");
    assert_string_equal(engine("sort-merge", 4), "tree");
}

/* What an engine has a cost for it has a method for; and the first one says why there is no law. */
TEST(engines_do_what_they_offer)
{
    static const char *const scheme[] = { "naive/modulo:15", "riffle:3", "splice", "redraw", "sort-by-key:8" };

    assert_non_null(sb_engine_types[0]->law);
    assert_non_null(sb_engine_types[0]->odds);
    for (size_t i = 0; i < 2 * sizeof scheme / sizeof scheme[0]; i++) {
        struct ready_scheme ready;

        ready_open(scheme[i / 2], i % 2 ? 52 : 4, i % 2 ? 52 : 4, &ready);
        for (size_t k = 0; k < sb_engine_types_count; k++) {
            const struct sb_engine_type *const type = sb_engine_types[k];

            assert_true(type->law || type->cost(&ready.law, SB_TASK_LAW) == HUGE_VAL);
            assert_true(type->matrix || type->cost(&ready.law, SB_TASK_MATRIX) == HUGE_VAL);
            assert_true(type->effect || type->cost(&ready.law, SB_TASK_EFFECT) == HUGE_VAL);
            assert_true(type->odds || type->cost(&ready.law, SB_TASK_ODDS) == HUGE_VAL);
        }
        sb_shuffler_close(&ready.shuffler);
    }
}

/* Seven riffles of 52 cards: the matrix from one engine, and the effects from another. A report names both. */
TEST(both_engines_are_named)
{
    struct sb_evidence evidence;
    struct sb_effect effect;
    struct ready_scheme ready;
    bool known = false;

    ready_open("riffle:7", 52, 52, &ready);
    assert_int_equal(sb_engine_evidence(&ready.law, 1, HUGE_VAL, NULL, &evidence), SB_OK);
    assert_string_equal(evidence.engine, "position");
    assert_int_equal(sb_engine_effect(&ready.law, NULL, &evidence, &effect, &known), SB_OK);
    assert_true(known);
    assert_string_equal(evidence.engine, "closed form, position");
    sb_effect_close(&effect);
    sb_evidence_close(&evidence);
    sb_shuffler_close(&ready.shuffler);
}
