/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs of the gate on three cards, with fixed seeds. tests/promise does the same at length.
 * By Ville's inequality, each share below is at most its level on average. With other seeds, a share would
 * be more than 1.5 times its level in less than 1 of 1000 cases.
 */
#include "unit/test.h"

#include "calibration/gate_trial.h"

#include <math.h>

static const struct sb_gate_terms standard = {
    .alpha = 1e-9,
    .delta = 1e-6,
    .exclude = 0.1,
    .limit = 20000,
};

static int open_generator(void **state)
{
    *state = gsl_rng_alloc(gsl_rng_mt19937);
    return *state ? 0 : -1;
}

static int close_generator(void **state)
{
    gsl_rng_free(*state);
    return 0;
}

static unsigned count_of(enum sb_verdict verdict, unsigned runs, const struct sb_gate_terms *terms, const double law[],
                         gsl_rng *rng)
{
    unsigned count = 0;

    for (unsigned seed = 1; seed <= runs; seed++)
        count += trial_run(terms, law, rng, seed).verdict == verdict;
    return count;
}

TEST_WITH(few_false_alarms, open_generator, close_generator)
{
    static const double fair[TRIAL_ORDERS] = { 1 / 6.0, 1 / 6.0, 1 / 6.0, 1 / 6.0, 1 / 6.0, 1 / 6.0 };
    struct sb_gate_terms terms = standard;

    terms.alpha = 0.1;
    assert_true(count_of(SB_VERDICT_FAIL, 500, &terms, fair, *state) <= 50);
}

/* A law at the very distance that a pass rules out. */
TEST_WITH(few_false_passes, open_generator, close_generator)
{
    static const double law[TRIAL_ORDERS] = { 0.2, 0.2, 0.2, 0.4 / 3, 0.4 / 3, 0.4 / 3 };
    struct sb_gate_terms terms = standard;

    terms.delta = 0.1;
    assert_true(count_of(SB_VERDICT_PASS, 500, &terms, law, *state) <= 50);
}

/* Runs on one ledger, each with its share: alarms on any of them are no more frequent than alpha. */
TEST_WITH(few_false_alarms_over_runs, open_generator, close_generator)
{
    static const double fair[TRIAL_ORDERS] = { 1 / 6.0, 1 / 6.0, 1 / 6.0, 1 / 6.0, 1 / 6.0, 1 / 6.0 };
    enum { LEDGERS = 200, RUNS = 10 };
    struct sb_gate_terms terms = standard;
    unsigned ledgers = 0;

    terms.limit = 200;
    for (unsigned i = 0; i < LEDGERS; i++) {
        bool alarm = false;

        for (unsigned k = 1; k <= RUNS && !alarm; k++) {
            terms.alpha = sb_gate_share(0.2, k);
            alarm = trial_run(&terms, fair, *state, 1 + i * RUNS + k).verdict == SB_VERDICT_FAIL;
        }
        ledgers += alarm;
    }
    assert_in_range(ledgers, 1, 40);
}

/*
 * Alarms at 1e-9, by importance sampling: the mean of 1/E over runs under the mixture is the probability of
 * an alarm of a fair shuffle; at an alarm 1/E is at most alpha, if E is what it says.
 */
TEST_WITH(rare_alarms, open_generator, close_generator)
{
    enum { RUNS = 300 };
    struct sb_gate_terms terms = standard;
    unsigned alarms = 0;
    long double sum = 0;

    terms.exclude = 1e-9; /* never ruled out */
    for (unsigned long seed = 1; seed <= RUNS; seed++) {
        double law[TRIAL_ORDERS];

        trial_draw_law(*state, 1000000 + seed, law);
        const struct trial_outcome outcome = trial_run(&terms, law, *state, seed);
        const long double ratio = trial_ratio(&outcome);

        assert_true(fabsl(logl(ratio) - outcome.ln_e) < 1e-10L);
        if (outcome.verdict == SB_VERDICT_FAIL) {
            alarms++;
            sum += 1 / ratio;
        }
    }
    assert_true(alarms > RUNS / 4);
    assert_true(sum / RUNS <= terms.alpha && sum / RUNS > terms.alpha / 20);
}

/* On decks of the library: 3450 permutations until the naive swap fails at 1e-6, within 15%. */
TEST(naive_fails_soon)
{
    enum { RUNS = 150 };
    struct sb_gate_terms terms = standard;
    double sum = 0;

    terms.alpha = 1e-6;
    terms.exclude = 0.01;
    terms.limit = 2000000;
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        const struct trial_outcome outcome = trial_deal(&terms, "naive", 3, seed);

        assert_int_equal(outcome.verdict, SB_VERDICT_FAIL);
        sum += (double)outcome.total;
    }
    assert_true(fabs(sum / RUNS / 3450 - 1) < 0.15);
}
