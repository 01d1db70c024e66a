/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The engine `deals`: its fractions against the tree's, against formulas for large decks, and against items that are
 * followed one pair at a time.
 */
#include "unit/test.h"

#include "exact/engine.h"
#include "unit/ready_scheme.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

extern const struct sb_engine_type sb_engine_deals;

static void open_law(const char *text, size_t n, size_t deal, struct sb_evidence *evidence)
{
    struct ready_scheme ready;

    ready_open(text, n, deal, &ready);
    assert_true(isfinite(sb_engine_deals.cost(&ready.law, SB_TASK_LAW)));
    assert_int_equal(sb_engine_deals.law(&ready.law, NULL, evidence), SB_OK);
    assert_int_equal(evidence->cells, sb_cells(n, deal));
    sb_shuffler_close(&ready.shuffler);
}

static void compare_with_the_tree(const char *text, size_t n, size_t deal)
{
    struct sb_evidence tree, deals;
    struct ready_scheme ready;
    mpq_t one, other;

    ready_open(text, n, deal, &ready);
    const bool few = sb_tree_leaves(&ready.law) <= 1e5;
    if (few) {
        open_law(text, n, deal, &deals);
        assert_int_equal(sb_tree_law(&ready.law, NULL, &tree), SB_OK);
        mpq_inits(one, other, NULL);
        for (size_t rank = 0; rank < tree.cells; rank++) {
            sb_evidence_fraction(&tree, rank, one);
            sb_evidence_fraction(&deals, rank, other);
            if (!mpq_equal(one, other))
                fail_msg("%s: n = %zu, deals of %zu, rank %zu", text, n, deal, rank);
        }
        mpq_clears(one, other, NULL);
        sb_evidence_close(&tree);
        sb_evidence_close(&deals);
    }
    sb_shuffler_close(&ready.shuffler);
}

TEST(agrees_with_the_tree)
{
    static const char *const draw[] = { "ideal", "modulo:4", "multiply:5", "modulo:64" };

    for (size_t t = 0; t < sb_shuffle_types_count; t++)
        for (size_t d = 0; sb_shuffle_types[t]->plan && d < sizeof draw / sizeof draw[0]; d++)
            for (size_t n = 3; n <= 6; n++)
                for (size_t deal = 2; deal < n; deal++) {
                    char text[SB_SCHEME_ROOM];

                    snprintf(text, sizeof text, "%s/%s", sb_shuffle_types[t]->name, draw[d]);
                    compare_with_the_tree(text, n, deal);
                }
}

/* Returns whether some cycle of n > k positions has a[j] at position j for each j < k: whether following these items
 * never leads back. */
static bool in_one_cycle(size_t k, const sb_item a[])
{
    for (size_t start = 0; start < k; start++)
        for (size_t j = a[start]; j < k; j = a[j])
            if (j == start || a[j] == start)
                return false;
    for (size_t j = 0; j < k; j++)
        if (a[j] == j)
            return false;
    return true;
}

/* Sattolo's shuffle gives each of the (n-1)! cycles of n positions with the same probability, and (n-k-1)! of them have
 * k given items at the first k positions, unless these close a shorter cycle. */
TEST(sattolo_deals_parts_of_cycles)
{
    static const struct {
        size_t n, deal;
    } law[] = { { 5, 3 }, { 10, 5 }, { 52, 2 }, { 52, 3 }, { 150, 2 } };

    for (size_t i = 0; i < sizeof law / sizeof law[0]; i++) {
        const size_t n = law[i].n, deal = law[i].deal;
        struct sb_evidence evidence;
        mpq_t share;

        open_law("sattolo", n, deal, &evidence);
        mpq_init(share);
        for (size_t rank = 0; rank < evidence.cells; rank++) {
            sb_item a[5];

            sb_permutation_unrank(n, deal, rank, a);
            sb_evidence_fraction(&evidence, rank, share);
            assert_int_equal(mpq_cmp_ui(share, in_one_cycle(deal, a), sb_cells(n - 1, deal)), 0);
        }
        mpq_clear(share);
        sb_evidence_close(&evidence);
    }
}

enum { LARGE = 52 };

/* Returns the probability that the naive swap moves items i and j to positions 0 and 1: follows both items forward
 * through all swaps, in doubles. */
static double naive_pair(size_t i, size_t j)
{
    static double now[LARGE][LARGE], next[LARGE][LARGE];

    memset(now, 0, sizeof now);
    now[i][j] = 1;
    for (size_t s = 0; s < LARGE; s++) {
        memset(next, 0, sizeof next);
        for (size_t p = 0; p < LARGE; p++)
            for (size_t q = 0; q < LARGE; q++)
                for (size_t r = 0; now[p][q] > 0 && r < LARGE; r++) {
                    const size_t to_p = p == s ? r : p == r ? s : p, to_q = q == s ? r : q == r ? s : q;

                    next[to_p][to_q] += now[p][q] / LARGE;
                }
        memcpy(now, next, sizeof now);
    }
    return now[0][1];
}

TEST(items_followed_forward_agree)
{
    static const sb_item pair[][2] = { { 0, 1 }, { 1, 0 }, { 1, 2 }, { 2, 1 }, { 30, 7 }, { 51, 50 } };
    struct sb_evidence evidence;

    open_law("naive", LARGE, 2, &evidence);
    for (size_t k = 0; k < sizeof pair / sizeof pair[0]; k++) {
        const double share = sb_evidence_share(&evidence, sb_permutation_cell(LARGE, 2, pair[k]));

        assert_true(fabs(share / naive_pair(pair[k][0], pair[k][1]) - 1) < 1e-12);
    }
    sb_evidence_close(&evidence);
}

/* The sum of all counts is the denominator, in 64 bits if these suffice: 12^12 < 2^64 < 16^16. */
TEST(counts_are_as_wide_as_they_need)
{
    struct sb_evidence evidence;
    uint64_t sum = 0;
    mpz_t wide;

    open_law("naive", 12, 4, &evidence);
    assert_int_equal(evidence.counts.form, SB_NUMBERS_U64);
    for (size_t rank = 0; rank < evidence.cells; rank++)
        sum += evidence.counts.u64[rank];
    assert_int_equal(evidence.total, UINT64_C(8916100448256));
    assert_int_equal(sum, evidence.total);
    sb_evidence_close(&evidence);
    open_law("naive", 17, 3, &evidence);
    assert_int_equal(evidence.counts.form, SB_NUMBERS_WIDE);
    mpz_init(wide);
    for (size_t rank = 0; rank < evidence.cells; rank++)
        mpz_add(wide, wide, evidence.counts.wide[rank]);
    assert_int_equal(mpz_cmp(wide, evidence.denominator), 0);
    mpz_clear(wide);
    sb_evidence_close(&evidence);
}

TEST(costs_say_what_is_possible)
{
    static const struct {
        const char *text;
        size_t n, deal;
        bool possible;
    } law[] = {
        { "naive", 52, 3, true },    { "naive", 40, 4, true }, { "naive", 52, 1, false }, /* for `position` */
        { "naive", 5, 5, false },                                                         /* for `convolve` */
        { "naive", 52, 4, false },                                                        /* 6,497,400 deals */
        { "naive", 1000, 2, false },                                                      /* minutes */
        { "splice", 5, 2, false },                                                        /* not made of swaps */
    };

    for (size_t k = 0; k < sizeof law / sizeof law[0]; k++) {
        struct ready_scheme ready;

        ready_open(law[k].text, law[k].n, law[k].deal, &ready);
        assert_int_equal(isfinite(sb_engine_deals.cost(&ready.law, SB_TASK_LAW)), law[k].possible);
        assert_false(isfinite(sb_engine_deals.cost(&ready.law, SB_TASK_MATRIX)));
        sb_shuffler_close(&ready.shuffler);
    }
}

/* Numbers of many digits, and steps with more pairs of positions, take longer. */
TEST(costs_grow_with_the_work)
{
    static const char *const text[] = { "fisher-yates", "naive", "naive/modulo:64", "transpositions" };
    double cost = 0;

    for (size_t k = 0; k < sizeof text / sizeof text[0]; k++) {
        const double before = cost;
        struct ready_scheme ready;

        ready_open(text[k], 30, 2, &ready);
        cost = sb_engine_deals.cost(&ready.law, SB_TASK_LAW);
        assert_true(cost > 1.2 * before);
        sb_shuffler_close(&ready.shuffler);
    }
}

static double cost_of(const char *text)
{
    struct ready_scheme ready;

    ready_open(text, 30, 2, &ready);
    const double cost = sb_engine_deals.cost(&ready.law, SB_TASK_LAW);

    sb_shuffler_close(&ready.shuffler);
    return cost;
}

/* 30 swaps of two drawn positions have 60 draws, and the naive swap has 30. So with 64 bits for each draw in place of
 * 32, numbers get twice as many more bits. There are 2 + 4 * 30 products for each state and swap, and 2 + 4 for
 * each of the naive swap. */
TEST(both_draws_of_a_swap_add_digits)
{
    const double two = cost_of("transpositions/multiply:64") - cost_of("transpositions/multiply:32");
    const double one = cost_of("naive/multiply:64") - cost_of("naive/multiply:32");

    assert_true(fabs(two / one / (2 * 122.0 / 6) - 1) < 1e-9);
}

enum { STATES = 52 * 51 * 50 };

/* Progress that stops the walk in its second step. */
struct watch {
    volatile sig_atomic_t stop;
    uint64_t last;
};

static void watch_progress(void *state, const char *subject, uint64_t done, uint64_t total)
{
    struct watch *const watch = state;

    assert_string_equal(subject, "naive");
    assert_int_equal(total, 52 * STATES);
    assert_true(done == 0 || done > watch->last);
    watch->last = done;
    watch->stop = done >= STATES;
}

TEST(a_walk_can_be_stopped)
{
    struct watch watch = { 0 };
    struct sb_evidence evidence;
    struct sb_error error;
    struct ready_scheme ready;

    ready_open("naive", 52, 3, &ready);
    ready.law.stop = &watch.stop;
    ready.law.progress = watch_progress;
    ready.law.progress_state = &watch;
    ready.law.subject = "naive";
    assert_int_equal(sb_engine_deals.law(&ready.law, &error, &evidence), SB_STOPPED);
    assert_int_equal(watch.last, STATES);
    assert_non_null(strstr(error.text, "naive: stopped"));
    sb_shuffler_close(&ready.shuffler);
}
