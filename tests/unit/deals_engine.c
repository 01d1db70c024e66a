/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine `deals`: its fractions against the tree's, its numbers, costs and limits. */
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
