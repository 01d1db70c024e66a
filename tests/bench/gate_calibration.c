/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often the gate is wrong, and how soon it decides: the figures of docs/gate-method.md, section "Calibration".
 *
 *     build/tests/bench-gate-calibration            everything, some minutes
 *     build/tests/bench-gate-calibration PART...    parts: alarms rare passes soon lags
 *
 * Every run has its own seed, so that the figures do not depend on the number of threads. The exit status is
 * 1 if a figure is not as required.
 *
 * Rare alarms are measured by importance sampling: under the mixture for which E is the likelihood ratio,
 * nearly every run raises an alarm. The probability of an alarm under the fair law is the mean of 1/E over
 * these runs.
 */
#include "calibration/gate_trial.h"
#include "core/calls.h"
#include "core/system.h"
#include "gate/gate.h"
#include "study/results.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const unsigned long seed_of_laws = 0x80000000; /* on; the runs are seeded from 1 on */

static const struct sb_gate_terms standard = { .alpha = 1e-9, .delta = 1e-6, .exclude = 0.01, .limit = 2000000 };
static const double fair[TRIAL_ORDERS] = { 1 / 6.0, 1 / 6.0, 1 / 6.0, 1 / 6.0, 1 / 6.0, 1 / 6.0 };

static void *take(size_t count, size_t size)
{
    void *const memory = calloc(count, size);

    if (!memory)
        abort();
    return memory;
}

/* What the threads share. */
struct runs {
    const struct sb_gate_terms *terms;
    const double *law;
    unsigned long first;
    size_t count;
    struct trial_outcome *outcome; /* [count] */
    atomic_size_t next;            /* run to be taken */
};

static void runs_work(void *state, size_t thread)
{
    struct runs *const runs = state;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t i;

    while ((i = atomic_fetch_add(&runs->next, 1)) < runs->count) {
        double own[TRIAL_ORDERS];

        if (!runs->law)
            trial_draw_law(rng, seed_of_laws + runs->first + i, own);
        runs->outcome[i] = trial_run(runs->terms, runs->law ? runs->law : own, rng, runs->first + i);
    }
    gsl_rng_free(rng);
}

/* Runs of the seeds `first` on, outcome[runs]; each has a law of the mixture for its own where `law` is NULL.
 */
static void run_all(const struct sb_gate_terms *terms, const double law[], unsigned long first, size_t runs,
                    struct trial_outcome outcome[])
{
    struct runs all = { .terms = terms, .law = law, .first = first, .count = runs, .outcome = outcome };

    sb_threads_run(sb_threads_count(0, runs), runs_work, &all);
}

static size_t count_of(enum sb_verdict verdict, size_t runs, const struct trial_outcome outcome[])
{
    size_t count = 0;

    for (size_t i = 0; i < runs; i++)
        count += outcome[i].verdict == verdict;
    return count;
}

static double mean_total(size_t runs, const struct trial_outcome outcome[])
{
    double sum = 0;

    for (size_t i = 0; i < runs; i++)
        sum += (double)outcome[i].total;
    return sum / (double)runs;
}

static bool report(bool fine, const char *what)
{
    printf("%s  %s\n", fine ? "ok  " : "MISS", what);
    fflush(stdout);
    return fine;
}

/* 10^6 runs on a fair shuffle at alpha = 1e-3: at most 10^3 alarms. */
static bool alarms(void)
{
    enum { CHUNKS = 20, RUNS = 50000 };
    struct trial_outcome *const outcome = take(RUNS, sizeof *outcome);
    struct sb_gate_terms terms = standard;
    size_t failed = 0, passed = 0;
    double mean = 0;
    char line[200];

    terms.alpha = 1e-3;
    for (unsigned long chunk = 0; chunk < CHUNKS; chunk++) {
        run_all(&terms, fair, 1 + chunk * RUNS, RUNS, outcome);
        failed += count_of(SB_VERDICT_FAIL, RUNS, outcome);
        passed += count_of(SB_VERDICT_PASS, RUNS, outcome);
        mean += mean_total(RUNS, outcome) / CHUNKS;
        fprintf(stderr, "      %zu alarms in %lu runs\n", failed, (chunk + 1) * RUNS);
    }
    snprintf(line, sizeof line, "alpha 1e-3: %zu alarms and %zu passes in %d fair runs, %.0f permutations on average",
             failed, passed, CHUNKS * RUNS, mean);
    free(outcome);
    return report(failed <= 1000, line);
}

/* The probability of an alarm ever up to the limit, without passes, at rare levels. */
static bool rare_at(double alpha)
{
    enum { RUNS = 50000 };
    struct trial_outcome *const outcome = take(RUNS, sizeof *outcome);
    struct sb_gate_terms terms = standard;
    long double sum = 0, squares = 0, apart = 0;
    char line[200];

    terms.alpha = alpha;
    terms.exclude = 1e-9; /* which is never ruled out */
    run_all(&terms, NULL, 1, RUNS, outcome);
    for (size_t i = 0; i < RUNS; i++) {
        const long double e = trial_ratio(&outcome[i]), share = outcome[i].verdict == SB_VERDICT_FAIL ? 1 / e : 0;

        sum += share / RUNS;
        squares += share * share / RUNS;
        apart = fmaxl(apart, fabsl(logl(e) - outcome[i].ln_e));
    }
    const double error = (double)sqrtl((squares - sum * sum) / RUNS);

    snprintf(line, sizeof line,
             "alpha %g: alarms with probability %.3Lg +- %.1g, by %zu alarms of %d runs; ln E off by %.1Lg", alpha, sum,
             error, count_of(SB_VERDICT_FAIL, RUNS, outcome), (int)RUNS, apart);
    free(outcome);
    return report(sum + 3 * error <= alpha && apart < 1e-9L, line);
}

/* Laws that are 0.05 from fair in total variation, which a pass rules out: at most a share of delta passes.
 */
static bool passes_at(double delta, size_t runs)
{
    static const struct {
        const char *name;
        double law[TRIAL_ORDERS];
    } laws[] = {
        { "three orders up", { 0.55 / 3, 0.55 / 3, 0.55 / 3, 0.45 / 3, 0.45 / 3, 0.45 / 3 } },
        { "one up",
          { 1 / 6.0 + 0.05, 1 / 6.0 - 0.01, 1 / 6.0 - 0.01, 1 / 6.0 - 0.01, 1 / 6.0 - 0.01, 1 / 6.0 - 0.01 } },
        { "one down",
          { 1 / 6.0 - 0.05, 1 / 6.0 + 0.01, 1 / 6.0 + 0.01, 1 / 6.0 + 0.01, 1 / 6.0 + 0.01, 1 / 6.0 + 0.01 } },
    };
    struct trial_outcome *const outcome = take(runs, sizeof *outcome);
    struct sb_gate_terms terms = standard;
    bool fine = true;

    terms.delta = delta;
    terms.exclude = 0.05;
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        char line[200];

        run_all(&terms, laws[i].law, 1, runs, outcome);
        const size_t passed = count_of(SB_VERDICT_PASS, runs, outcome);

        snprintf(line, sizeof line, "delta %g, %s: %zu false passes, %zu fails in %zu runs", delta, laws[i].name,
                 passed, count_of(SB_VERDICT_FAIL, runs, outcome), runs);
        fine = report((double)passed <= delta * (double)runs, line) && fine;
    }
    free(outcome);
    return fine;
}

/* Runs on decks of the library: how many permutations until the verdict. */
static bool soon_with(const struct sb_gate_terms *terms, const char *scheme, size_t n, enum sb_verdict verdict,
                      size_t runs, double least, double most)
{
    struct trial_outcome *const outcome = take(runs, sizeof *outcome);
    char line[200];

    for (size_t i = 0; i < runs; i++)
        outcome[i] = trial_deal(terms, scheme, n, i + 1);
    const size_t count = count_of(verdict, runs, outcome);
    const double mean = mean_total(runs, outcome);

    snprintf(line, sizeof line,
             "%s, n = %zu, alpha %g, exclude %g: %s in %zu of %zu runs, after %.0f permutations on average", scheme, n,
             terms->alpha, terms->exclude, verdict == SB_VERDICT_FAIL ? "FAIL" : "PASS", count, runs, mean);
    free(outcome);
    return report(count == runs && mean >= least && mean <= most, line);
}

static bool soon(void)
{
    struct sb_gate_terms million = standard, coarse = standard;

    million.alpha = 1e-6;
    coarse.exclude = 0.02;
    bool fine = soon_with(&million, "naive", 3, SB_VERDICT_FAIL, 2000, 3450 * 0.85, 3450 * 1.15);

    fine = soon_with(&standard, "naive", 52, SB_VERDICT_FAIL, 100, 0, 5000) && fine;
    return soon_with(&coarse, "fisher-yates", 3, SB_VERDICT_PASS, 500, 0, 40000) && fine;
}

static bool rare(void)
{
    const bool fine = rare_at(1e-6);

    return rare_at(1e-9) && fine;
}

static bool passes(void)
{
    const bool fine = passes_at(1e-2, 100000);

    return passes_at(1e-3, 100000) && fine;
}

/* Whole gates, with the lags and all else that is in play, on a fair shuffle at alpha = 0.01. */
static bool lags_with(size_t n, double exclude, uint64_t runs)
{
    uint64_t failed = 0, by_lag = 0, total = 0;
    char line[200];

    for (uint64_t i = 0; i < runs; i++) {
        const struct sb_subject subject = { .scheme = "fisher-yates", .n = n, .seed = i + 1 };
        struct sb_request options;
        struct sb_gate *gate;

        sb_request_init(&options, SB_GATE);
        options.alpha = 0.01;
        options.exclude = exclude;
        if (sb_gate_new(&subject, &options, NULL, &gate))
            abort();
        failed += gate->verdict == SB_VERDICT_FAIL;
        for (size_t k = 0; gate->verdict == SB_VERDICT_FAIL && k < gate->lines_count; k++)
            if (gate->line[k].lag && gate->line[k].ln_e > -log(options.alpha)) {
                by_lag++;
                break;
            }
        total += gate->total;
        sb_gate_free(gate);
    }
    snprintf(line, sizeof line,
             "n = %zu, alpha 0.01, exclude %g, all statistics and lags: %llu alarms, %llu of them with a lag, in "
             "%llu fair runs, %.0f permutations on average",
             n, exclude, (unsigned long long)failed, (unsigned long long)by_lag, (unsigned long long)runs,
             (double)total / (double)runs);
    return report((double)failed <= 0.01 * (double)runs, line);
}

static bool lags(void)
{
    const bool fine = lags_with(3, 0.1, 20000);

    return lags_with(52, 0.2, 200) && fine;
}

int main(int argc, char *argv[])
{
    static const struct {
        const char *name;
        bool (*run)(void);
    } parts[] = { { "soon", soon }, { "passes", passes }, { "rare", rare }, { "alarms", alarms }, { "lags", lags } };
    bool fine = true;

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        bool asked = argc < 2;

        for (int j = 1; j < argc; j++)
            asked = asked || strcmp(argv[j], parts[i].name) == 0;
        if (asked)
            fine = parts[i].run() && fine;
    }
    return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
