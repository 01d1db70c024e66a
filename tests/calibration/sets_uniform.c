/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Of fair sets and hands, the p-values of all statistics are uniform, by the Kolmogorov-Smirnov test over the seeds.
 * The shuffle shares no code with the library.
 *
 *     calibration-sets_uniform SEEDS     2,000 seeds for each setting: results.md
 *
 * Each seed tests one member of each statistic (one item, one pair, one hand), number seed mod members: its cells are
 * merged until each expects 20, and Pearson's statistic has a chi-square law. Two cells have a binomial law, whose p
 * is randomised: P(X > x) + U P(X = x) is uniform. `matrix` is the chi-square of all items by all groups. A lag is that
 * of the overlap with the set so many sets ago. The p-values of a report on the same draws correct for the members,
 * so they are at most as often small: the test is one-sided, by the largest excess of their distribution.
 *
 * The seeds are fixed, so a test that passes once passes always. With other seeds it would fail with a probability of
 * at most 1e-3 (Bonferroni over all tests of all settings).
 */
#include "unit/test.h"

#include "calibration/kolmogorov.h"
#include "core/system.h"
#include "fit/fit.h"
#include "promise/promise.h"
#include "statistic/statistic.h"
#include "study/report/report_result.h"
#include "study/results.h"
#include "subject/subject.h"
#include "tally/order.h"
#include "tally/tally.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

enum { SEEDS = 30, SEEDS_MOST = 10000, LINES_MOST = 64, NAME_ROOM = 64 };

static const double level = 1e-3, expected_least = 20;

struct setting {
    const char *name;
    size_t n, deal;
    struct sb_grouping grouping;
    uint64_t draws;
};

static const struct setting settings[] = {
    { "6 of 49", 49, 6, { .sets = true }, 1000 },
    { "2 of 52", 52, 2, { .sets = true }, 2000 },
    { "13,13,13,13", 52, 0, { .hands = "13,13,13,13" }, 500 },
};

enum { SETTINGS = sizeof settings / sizeof settings[0] };

/* The p-values of a setting: those of statistics, and those of a report, which are corrected. */
static struct table {
    const struct setting *setting;
    size_t seeds, count;
    atomic_size_t next;
    struct line {
        char name[NAME_ROOM];
        bool report;
        size_t seen;
        double p[SEEDS_MOST];
    } line[LINES_MOST];
    pthread_mutex_t lock;
} table = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void table_add(const char *name, bool report, double p)
{
    size_t i = 0;

    if (isnan(p))
        return;
    pthread_mutex_lock(&table.lock);
    while (i < table.count && (strcmp(table.line[i].name, name) != 0 || table.line[i].report != report))
        i++;
    if (i == LINES_MOST)
        abort();
    if (i == table.count) {
        snprintf(table.line[i].name, sizeof table.line[i].name, "%s", name);
        table.line[i].report = report;
        table.line[i].seen = 0;
        table.count++;
    }
    table.line[i].p[table.line[i].seen++] = p;
    pthread_mutex_unlock(&table.lock);
}

static double p_of_two(uint64_t count, uint64_t total, double p, double u)
{
    return gsl_cdf_binomial_Q((unsigned)count, p, (unsigned)total) +
           u * gsl_ran_binomial_pdf((unsigned)count, p, (unsigned)total);
}

static double p_of_member(const struct sb_tally *tally, size_t member, double u)
{
    enum { CELLS_MOST = 4096 };
    static _Thread_local uint32_t map[CELLS_MOST];
    static _Thread_local double ln_p[CELLS_MOST];
    static _Thread_local uint64_t count[CELLS_MOST];
    const size_t cells = tally->cells;
    struct sb_tally merged = { .members = 1, .total = tally->total, .count = count, .ln_p = ln_p };
    struct sb_finding finding;

    if (cells > CELLS_MOST)
        abort();
    for (size_t i = 0; i < cells; i++) {
        count[i] = 0;
        ln_p[i] = tally->ln_p ? tally->ln_p[(tally->separate ? member * cells : 0) + i] : -log((double)cells);
    }
    if (cells == 2)
        return p_of_two(tally->count[2 * member], tally->total, exp(ln_p[0]), u);
    merged.cells = sb_merge_cells(ln_p, cells, expected_least / (double)tally->total, map, ln_p);
    for (size_t i = 0; i < cells; i++)
        count[map[i]] += tally->count[member * cells + i];
    if (merged.cells == 2)
        return p_of_two(count[0], tally->total, exp(ln_p[0]), u);
    if (merged.cells == 1)
        return NAN;
    if (sb_test_pearson.run(&merged, 0.5, &finding))
        abort();
    return finding.p;
}

static struct sb_subject subject_of(const struct setting *setting, struct promise_random *random)
{
    return (struct sb_subject) {
        .name = "fair",
        .shuffle = promise_fair,
        .state = random,
        .n = setting->n,
        .deal = setting->deal,
        .grouping = setting->grouping,
    };
}

static void trial_tally(const struct sb_tally *tally, size_t seed, struct promise_random *random)
{
    char name[NAME_ROOM];

    if (tally->lag)
        snprintf(name, sizeof name, "%s, lag %zu", tally->statistic, tally->lag);
    else
        snprintf(name, sizeof name, "%s", tally->statistic);
    table_add(name, false, p_of_member(tally, seed % tally->members, promise_uniform(random)));
}

static void trial_statistics(size_t seed)
{
    static const struct sb_statistic_type *const rank = &sb_statistic_rank;
    struct promise_random random = promise_seed(40, seed), other = promise_seed(41, seed);
    const struct sb_subject subject = subject_of(table.setting, &random);
    const uint64_t draws = table.setting->draws;
    struct sb_tally lag[SB_LAGS * SB_LAGS_STATISTICS], orders;
    struct sb_statistics statistics;
    struct sb_observer *observer = NULL;
    struct sb_lags *lags = NULL;
    struct sb_finding matrix;
    struct sb_request options;
    struct sb_feed *feed;
    uint64_t total = 0;

    sb_request_init(&options, SB_REPORT);
    if (sb_feed_open(&subject, NULL, draws, NULL, &feed))
        abort();
    const struct sb_multiset *const multiset = sb_item_multiset(feed->names);
    const size_t n = feed->n;

    if (sb_statistics_open(&options, multiset, n, n, draws, NULL, &statistics) ||
        sb_lags_new(multiset, n, n, true, NULL, &lags) ||
        (multiset->arrangements && multiset->arrangements < 4096 &&
         sb_observer_new(multiset, n, n, &rank, 1, 0, false, NULL, &observer)))
        abort();
    do {
        const size_t count = feed->count < draws - total ? feed->count : (size_t)(draws - total);

        sb_tallies_add(&statistics.tallies, feed->items, count);
        sb_lags_add(lags, feed->items, count);
        if (observer)
            sb_observer_add(observer, feed->items, count);
        total += count;
    } while (total < draws && !sb_feed_next(feed, draws - total, NULL));
    sb_tallies_read(&statistics.tallies);
    for (size_t i = 0; i < statistics.types; i++) {
        const struct sb_tally *const tally = &statistics.tallies.tally[i];

        trial_tally(tally, seed, &other);
        if (strcmp(tally->statistic, "card-at") == 0 && !sb_test_matrix.run(tally, 0.5, &matrix))
            table_add("matrix", false, matrix.p);
    }
    sb_lags_read(lags, lag);
    for (size_t i = 0; i < sb_lags_count(lags); i++)
        trial_tally(&lag[i], seed, &other);
    if (observer) {
        sb_observer_read(observer, &orders);
        trial_tally(&orders, seed, &other);
    }
    sb_observer_free(observer);
    sb_lags_free(lags);
    sb_statistics_close(&statistics);
    sb_feed_free(feed);
}

static void trial_report(size_t seed)
{
    struct promise_random random = promise_seed(40, seed);
    const struct sb_subject subject = subject_of(table.setting, &random);
    struct sb_reports *reports;
    struct sb_request options;
    char name[NAME_ROOM];

    sb_request_init(&options, SB_REPORT);
    options.samples = table.setting->draws;
    options.threads = 1;
    if (sb_reports_observe(&subject, &options, NULL, &reports))
        abort();
    const struct sb_report *const report = &reports->report[0];

    for (size_t i = 0; i < report->findings_count; i++) {
        const struct sb_finding *const finding = &report->findings[i];

        if (!sb_finding_reliable(finding))
            continue;
        snprintf(name, sizeof name, "%s: %s%s", finding->test, finding->statistic, finding->lag ? " at lags" : "");
        table_add(name, true, finding->p);
    }
    table_add("the report", true, report->p);
    sb_reports_free(reports);
}

static void trial_work(void *state, size_t thread)
{
    size_t seed;

    (void)state, (void)thread;
    while ((seed = atomic_fetch_add(&table.next, 1)) < table.seeds) {
        trial_statistics(seed);
        trial_report(seed);
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The largest excess of the distribution over the uniform one, and a bound of its probability, exp(-2 N D^2) (P.
 * Massart, The tight constant in the Dvoretzky-Kiefer-Wolfowitz inequality, doi:10.1214/aop/1176990746). */
static double excess_p(size_t count, double p[], double *distance)
{
    *distance = 0;
    qsort(p, count, sizeof p[0], compare);
    for (size_t i = 0; i < count; i++)
        *distance = fmax(*distance, (double)(i + 1) / (double)count - p[i]);
    return fmin(1, exp(-2 * (double)count * *distance * *distance));
}

/* Runs all seeds of a setting. Returns the smallest p, times the number of tests. */
static double setting_run(const struct setting *setting, size_t seeds, bool print)
{
    double least = 1;

    table.setting = setting;
    table.seeds = seeds;
    table.count = 0;
    table.next = 0;
    sb_threads_run(sb_threads_count(0, seeds), trial_work, NULL);
    for (size_t i = 0; i < table.count; i++) {
        struct line *const line = &table.line[i];
        double distance, p;
        size_t at_5 = 0, at_1 = 0;

        for (size_t j = 0; j < line->seen; j++) {
            at_5 += line->p[j] <= 0.05;
            at_1 += line->p[j] <= 0.01;
        }
        if (line->report) {
            p = excess_p(line->seen, line->p, &distance);
        } else {
            distance = kolmogorov_distance(line->seen, line->p);
            p = kolmogorov_p(line->seen, distance);
        }
        if (print)
            printf("| %s | %s `%s` | %zu | %.5f | %.3f | %.2f%% | %.2f%% |\n", setting->name,
                   line->report ? "report:" : "", line->name, line->seen, distance, p,
                   100 * (double)at_5 / (double)line->seen, 100 * (double)at_1 / (double)line->seen);
        least = fmin(least, p * (double)table.count);
    }
    fflush(stdout);
    return least;
}

TEST(fair_sets_are_uniform)
{
    for (size_t k = 0; k < SETTINGS; k++)
        assert_true(setting_run(&settings[k], SEEDS, false) * SETTINGS > level);
}

int main(int argc, char *argv[])
{
    const size_t seeds = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    bool fine = true;

    if (argc <= 1)
        return test_run();
    if (seeds == 0 || seeds > SEEDS_MOST)
        return EXIT_FAILURE;
    for (size_t k = 0; k < SETTINGS; k++)
        fine = setting_run(&settings[k], seeds, true) * SETTINGS > level && fine;
    return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
