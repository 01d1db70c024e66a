/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often runs of the gate that share a budget are wrong, all together: the figures of docs/ledger.md.
 *
 *     build/tests/bench-gate-ledger            everything, some minutes
 *     build/tests/bench-gate-ledger PART...    parts: long many keys passes
 *
 * The program simulates runs on counts of three cards, with the library's shares and e-processes. The runs
 * never pass, so each one reaches its limit and has every chance of an alarm. The runs of one key are one
 * e-process, whatever their number, so one trial has as many permutations as all of them. Every run has its
 * own seed. The exit status is 1 if a figure is not as required.
 */
#include "calibration/gate_trial.h"
#include "core/system.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double fair[TRIAL_ORDERS] = { 1 / 6.0, 1 / 6.0, 1 / 6.0, 1 / 6.0, 1 / 6.0, 1 / 6.0 };

/* Ledgers, the tests on each, and the permutations of each test. */
struct budget {
    const char *name;
    double alpha, delta, exclude;
    size_t ledgers, tests;
    uint64_t limit;
    bool shared; /* else each test has all of alpha, as without a ledger */
    const double *law;
    enum sb_verdict wrong;
};

/* What the threads share. */
struct budget_run {
    const struct budget *budget;
    atomic_bool *wrong; /* [ledgers] */
    atomic_size_t next; /* test to be taken */
    atomic_size_t all;  /* tests with a wrong verdict */
};

static void budget_work(void *state, size_t thread)
{
    struct budget_run *const run = state;
    const struct budget *const budget = run->budget;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t i;

    while ((i = atomic_fetch_add(&run->next, 1)) < budget->ledgers * budget->tests) {
        const uint64_t share = i % budget->tests + 1;
        const struct sb_gate_terms terms = {
            .alpha = budget->shared ? sb_gate_share(budget->alpha, share) : budget->alpha,
            .delta = budget->shared ? sb_gate_share(budget->delta, share) : budget->delta,
            .exclude = budget->exclude,
            .limit = budget->limit,
        };

        if (trial_run(&terms, budget->law, rng, 1 + i).verdict != budget->wrong)
            continue;
        run->all++;
        run->wrong[i / budget->tests] = true;
    }
    gsl_rng_free(rng);
}

/* How many ledgers have a wrong verdict; *tests becomes how many there are in all. */
static size_t ledgers_with(const struct budget *budget, size_t *tests)
{
    size_t ledgers = 0;
    atomic_bool *const wrong = calloc(budget->ledgers, sizeof *wrong);
    struct budget_run run = { .budget = budget, .wrong = wrong };

    if (!wrong)
        abort();
    sb_threads_run(sb_threads_count(0, budget->ledgers * budget->tests), budget_work, &run);
    for (size_t i = 0; i < budget->ledgers; i++)
        ledgers += wrong[i];
    free(wrong);
    *tests = run.all;
    return ledgers;
}

static bool measure(const struct budget *budget)
{
    const double level = budget->wrong == SB_VERDICT_FAIL ? budget->alpha : budget->delta;
    size_t tests;
    const size_t ledgers = ledgers_with(budget, &tests);
    const bool fine = !budget->shared || (double)ledgers <= level * (double)budget->ledgers;

    printf("%s  %s: %zu ledgers of %zu tests of %llu permutations, %s %g: %zu ledgers with a false %s, %zu "
           "tests\n",
           fine ? "ok  " : "MISS", budget->name, budget->ledgers, budget->tests,
           (unsigned long long)budget->limit, budget->wrong == SB_VERDICT_FAIL ? "alpha" : "delta", level,
           ledgers, budget->wrong == SB_VERDICT_FAIL ? "alarm" : "pass", tests);
    fflush(stdout);
    return fine;
}

int main(int argc, char *argv[])
{
    static const double off[TRIAL_ORDERS] = {
        0.8 / 3, 0.2 / 3, 0.8 / 3, 0.2 / 3, 0.8 / 3, 0.2 / 3
    }; /* by 0.3 */
    static const double never = 1e-9;
    const struct budget budgets[] = {
        { "long", 1e-2, 1e-6, never, 1, 100000, 2000, true, fair, SB_VERDICT_FAIL },
        { "many", 1e-2, 1e-6, never, 1000, 100, 300, true, fair, SB_VERDICT_FAIL },
        { "many, without a ledger", 1e-2, 1e-6, never, 1000, 100, 300, false, fair, SB_VERDICT_FAIL },
        { "keys, of ten runs", 1e-2, 1e-6, never, 1000, 20, 1000, true, fair, SB_VERDICT_FAIL },
        { "passes", 1e-9, 1e-2, 0.3, 1000, 100, 300, true, off, SB_VERDICT_PASS },
    };
    bool fine = true;

    for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
        bool asked = argc < 2;

        for (int j = 1; j < argc; j++)
            asked = asked || strncmp(argv[j], budgets[i].name, strlen(argv[j])) == 0;
        if (asked)
            fine = measure(&budgets[i]) && fine;
    }
    return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
