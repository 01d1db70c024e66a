/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Under a fair shuffle the p-values of all statistics are uniform, by the Kolmogorov-Smirnov test over 300
 * seeds of 100,000 decks each. A report on these decks does not call the shuffle biased more often than
 * alpha says.
 *
 *     calibration-report_uniform N SEEDS [NAME]     N items, perhaps one statistic alone: docs/accuracy.md
 *
 * The seeds are fixed, so a test that passes once passes always. With other seeds it would fail with
 * probability 1e-3 for the statistics of one n together (Bonferroni), with 1e-3 for the repeats, and with
 * less for each count of alarms: by the binomial law, more than 28 of 300 at 0.05 are as rare, and more than
 * 10 at 0.01. A draw that is not quite fair shows that the test would detect a slightly wrong law.
 */
#include "unit/test.h"

#include "calibration/fair_trial.h"
#include "calibration/kolmogorov.h"
#include "core/system.h"
#include "unit/vectors.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { SEEDS = 300, SEEDS_MOST = 10000, DECKS = 100000 };

static const double level = 1e-3;

static void compute_kolmogorov_p(const struct vector *v, struct vector_field got[])
{
    got[0].real = kolmogorov_p((size_t)v->in[1].whole, v->in[2].real);
}

TEST(kolmogorov_is_as_published)
{
    static const struct vector_kind kinds[] = {
        { "p", .in = "enr", .out = "r", .least = 6, .compute = compute_kolmogorov_p },
        { .name = NULL },
    };

    vectors_check("kolmogorov.txt", kinds);
}

/* What the decks from some seeds say. */
static struct table {
    double p[FAIR_STATISTICS_MOST][SEEDS_MOST], report[SEEDS_MOST];
} table;

/* What the threads share. */
struct try_run {
    const struct fair_trials *trials;
    size_t seeds;
    atomic_size_t next; /* seed to be taken */
};

static void try_work(void *state, size_t thread)
{
    struct try_run *const run = state;
    size_t i;

    while ((i = atomic_fetch_add(&run->next, 1)) < run->seeds) {
        struct fair_said said;

        fair_trial(run->trials, i + 1, &said);
        for (size_t j = 0; j < run->trials->count; j++)
            table.p[j][i] = said.p[j];
        table.report[i] = said.report;
    }
}

static void try_all(const struct fair_trials *trials, size_t seeds)
{
    struct try_run run = { .trials = trials, .seeds = seeds };

    sb_threads_run(sb_threads_count(0, seeds), try_work, &run);
}

/* The smallest p of Kolmogorov and Smirnov's tests of all statistics, times their number. */
static double least_uniform(const struct fair_trials *trials, size_t seeds)
{
    double least = 1;

    for (size_t j = 0; j < trials->count; j++)
        least = fmin(least, kolmogorov_p(seeds, kolmogorov_distance(seeds, table.p[j])));
    return least * (double)trials->count;
}

static size_t alarms(size_t seeds, double alpha)
{
    size_t count = 0;

    for (size_t i = 0; i < seeds; i++)
        count += table.report[i] <= alpha;
    return count;
}

TEST(all_statistics_are_uniform)
{
    for (size_t n = 5; n <= 6; n++) {
        struct fair_trials trials;

        fair_trials_open(n, DECKS, NULL, &trials);
        try_all(&trials, SEEDS);
        assert_true(least_uniform(&trials, SEEDS) > level);
        assert_true(alarms(SEEDS, 0.05) <= 28);
        assert_true(alarms(SEEDS, 0.01) <= 10);
        fair_trials_close(&trials);
    }
}

/* At n = 12 ten of 100,000 decks come up again, on average. */
TEST(repeats_are_uniform)
{
    struct fair_trials trials;

    fair_trials_open(12, DECKS, "repeat", &trials);
    assert_string_equal(trials.name[trials.count - 1], "repeat");
    try_all(&trials, SEEDS);
    assert_true(least_uniform(&trials, SEEDS) > level);
    fair_trials_close(&trials);
}

/* A draw that is slightly unfair is noticed in a few seeds, though hardly any report calls it biased. */
TEST(slight_bias_is_noticed)
{
    enum { FEW = 30 };
    struct fair_trials trials;

    fair_trials_open(5, DECKS, NULL, &trials);
    assert_int_equal(sb_scheme_parse("fisher-yates/modulo:8", NULL, NULL, NULL, &trials.scheme), SB_OK);
    try_all(&trials, FEW);
    assert_true(least_uniform(&trials, FEW) < 1e-4);
    assert_true(alarms(FEW, 0.001) <= 2);
    fair_trials_close(&trials);
}

static int long_form(size_t n, size_t seeds, const char *names)
{
    static const double levels[] = { 0.05, 0.01, 0.001 };
    struct fair_trials trials;

    fair_trials_open(n, DECKS, names, &trials);
    try_all(&trials, seeds);
    for (size_t j = 0; j < trials.count; j++) {
        const double distance = kolmogorov_distance(seeds, table.p[j]);

        printf("%-20s D = %.5f  p = %.4f\n", trials.name[j], distance, kolmogorov_p(seeds, distance));
    }
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        printf("alpha = %g: a share of %.5f false alarms\n", levels[i],
               (double)alarms(seeds, levels[i]) / (double)seeds);
    const bool fine = least_uniform(&trials, seeds) > level;

    fair_trials_close(&trials);
    return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char *argv[])
{
    const size_t n = argc > 2 ? strtoul(argv[1], NULL, 10) : 0, seeds = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;

    if (argc <= 2)
        return test_run();
    return seeds <= SEEDS_MOST ? long_form(n, seeds, argc > 3 ? argv[3] : NULL) : EXIT_FAILURE;
}
