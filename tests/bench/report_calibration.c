/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether a report on a fair shuffle says what it should: the figures of docs/statistics.md, section
 * "Calibration".
 *
 *     build/tests/bench-report-calibration                  everything, half an hour of processor time
 *     build/tests/bench-report-calibration N SEEDS [NAME]   only N items, and only one statistic
 *
 * Every statistic has a p-value for 100,000 decks from each of the seeds 1, 2, 3 and so on. The
 * Kolmogorov-Smirnov test says whether these p-values are uniform. The smallest p-value of a seed, times
 * their number, is alpha or less for at most a share alpha of all seeds. The same holds for the smallest p
 * of a report, as the report corrects it. The exit status is 1 if p-values of fair decks would be this
 * uneven once in a thousand tables, or if a share is above alpha by more than chance.
 */
#include "calibration/fair_trial.h"
#include "calibration/kolmogorov.h"
#include "core/system.h"
#include "fit/numeric.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static const uint64_t decks = 100000;

/* What all trials said, by statistic. */
struct table {
    size_t statistics, seeds;
    double *p;      /* [statistics * seeds] */
    double *least;  /* [seeds] the smallest of the p-values of one, times their number */
    double *report; /* [seeds] the smallest p of its report, corrected */
};

static void *take(size_t count, size_t size)
{
    void *const memory = calloc(count, size);

    if (!memory)
        abort();
    return memory;
}

/* What the threads share. */
struct try_run {
    const struct fair_trials *trials;
    const struct table *table;
    atomic_size_t next; /* seed to be taken */
    atomic_size_t done;
};

static void progress(size_t n, size_t now, size_t seeds)
{
    if (now % 500 == 0)
        fprintf(stderr, "      n = %zu: %zu of %zu seeds\n", n, now, seeds);
}

static void try_work(void *state, size_t thread)
{
    struct try_run *const run = state;
    const struct table *const table = run->table;
    size_t i;

    while ((i = atomic_fetch_add(&run->next, 1)) < table->seeds) {
        struct fair_said said;
        double least = 1;

        fair_trial(run->trials, i + 1, &said);
        for (size_t j = 0; j < table->statistics; j++) {
            table->p[j * table->seeds + i] = said.p[j];
            least = fmin(least, said.p[j]);
        }
        table->least[i] = least * (double)table->statistics;
        table->report[i] = said.report;
        progress(run->trials->options.n, atomic_fetch_add(&run->done, 1) + 1, table->seeds);
    }
}

static void try_all(const struct fair_trials *trials, const struct table *table)
{
    struct try_run run = { .trials = trials, .table = table };

    sb_threads_run(sb_threads_count(0, table->seeds), try_work, &run);
}

/* A line for a statistic; returns its p. Sorts p. */
static double say_uniform(const char *statistic, size_t seeds, double p[])
{
    const double distance = kolmogorov_distance(seeds, p), q = kolmogorov_p(seeds, distance);

    printf("      %-20s D = %.5f  p = %.4f\n", statistic, distance, q);
    return q;
}

/* What the smallest p of several statistics means. */
static bool say_least(double smallest, size_t statistics)
{
    const double p = fmin(1, smallest * (double)statistics);
    const bool fine = p > 0.001;

    printf("%s  the smallest of %zu, times their number: p = %.4f\n", fine ? "ok  " : "MISS", statistics, p);
    return fine;
}

static bool say_alarms(const char *whose, size_t seeds, const double p[], double alpha)
{
    double low, high;
    size_t alarms = 0;

    for (size_t i = 0; i < seeds; i++)
        alarms += p[i] <= alpha;
    sb_binomial_interval(alarms, seeds, 0.01, &low, &high);
    printf("%s  %s, alpha = %g: %zu false alarms, a share of %.5f; 99%% interval %.5f to %.5f\n",
           low <= alpha ? "ok  " : "MISS", whose, alpha, alarms, (double)alarms / (double)seeds, low, high);
    return low <= alpha;
}

static bool say_all(const struct fair_trials *trials, const struct table *table)
{
    static const double alpha[] = { 0.05, 0.01, 0.001 };
    const size_t seeds = table->seeds;
    double least = 1;

    printf("n = %zu, %zu seeds, %llu decks each\n", trials->options.n, seeds, (unsigned long long)decks);
    for (size_t j = 0; j < table->statistics; j++)
        least = fmin(least, say_uniform(trials->name[j], seeds, table->p + j * seeds));
    bool fine = say_least(least, table->statistics);

    for (size_t i = 0; i < sizeof alpha / sizeof alpha[0]; i++) {
        fine = say_alarms("these p", seeds, table->least, alpha[i]) && fine;
        fine = say_alarms("reports", seeds, table->report, alpha[i]) && fine;
    }
    fflush(stdout);
    return fine;
}

static bool calibrate(size_t n, size_t seeds, const char *names)
{
    struct fair_trials trials;

    fair_trials_open(n, decks, names, &trials);
    const struct table table = {
        .statistics = trials.count,
        .seeds = seeds,
        .p = take(trials.count * seeds, sizeof(double)),
        .least = take(seeds, sizeof(double)),
        .report = take(seeds, sizeof(double)),
    };

    try_all(&trials, &table);
    const bool fine = say_all(&trials, &table);

    fair_trials_close(&trials);
    free(table.p);
    free(table.least);
    free(table.report);
    return fine;
}

int main(int argc, char *argv[])
{
    static const struct {
        size_t n, seeds;
        const char *names; /* of statistics; NULL: all */
    } cases[] = { { 8, 10000, NULL }, { 12, 10000, "repeat" }, { 52, 10000, NULL } };
    bool fine = true;

    if (argc > 2)
        return calibrate(strtoul(argv[1], NULL, 10), strtoul(argv[2], NULL, 10), argc > 3 ? argv[3] : NULL)
                   ? EXIT_SUCCESS
                   : EXIT_FAILURE;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        fine = calibrate(cases[i].n, cases[i].seeds, cases[i].names) && fine;
    return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
