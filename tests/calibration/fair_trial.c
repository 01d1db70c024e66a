/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One report on a fair shuffle: the trial counts its decks as a report does, and makes the report from the
 * same tallies.
 *
 * If N decks fall into two equally likely cells, the p-value has steps of up to 2/sqrt(2 pi N), which is
 * 0.005 at 10^5. There the p-value is P(T > t) + U P(T = t), where T is the distance of the larger count
 * from one half and U is uniform. Other statistics have so many outcomes that the steps do not matter.
 */
#include "calibration/fair_trial.h"

#include "core/numbers.h"
#include "fit/fit.h"
#include "sample/sample.h"
#include "study/report/report_result.h"
#include "study/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

static const double fair_expected_least = 20;

static void *fair_take(size_t count, size_t size)
{
    void *const memory = calloc(count + 1, size);

    if (!memory)
        abort();
    return memory;
}

static struct sb_statistics fair_statistics(const struct fair_trials *trials)
{
    const struct sb_request *const options = &trials->options;
    struct sb_statistics statistics;

    if (sb_statistics_open(options, NULL, options->n, options->n, options->samples, NULL, &statistics))
        abort();
    return statistics;
}

/* What a trial has p-values of. */
static void fair_trials_name(struct fair_trials *trials)
{
    struct sb_statistics statistics = fair_statistics(trials);
    const size_t n = trials->options.n;

    if (statistics.types + 3 > FAIR_STATISTICS_MOST)
        abort();
    for (size_t i = 0; i < statistics.types; i++)
        trials->name[trials->count++] = statistics.type[i]->name;
    trials->name[trials->count++] = "position";
    if (sb_cells(n, n))
        trials->name[trials->count++] = "rank";
    if (statistics.tallies.noted && fair_repeats_happen(n, trials->options.samples)) {
        fair_repeats_open(n, trials->options.samples, &trials->repeats);
        trials->name[trials->count++] = "repeat";
    }
    sb_statistics_close(&statistics);
}

void fair_trials_open(size_t n, uint64_t samples, const char *names, struct fair_trials *trials)
{
    *trials = (struct fair_trials) { .count = 0 };
    sb_request_init(&trials->options, SB_REPORT);
    trials->options.n = trials->options.deal = n;
    trials->options.samples = samples;
    trials->options.statistics = names;
    if (sb_scheme_parse("fisher-yates", NULL, NULL, NULL, &trials->scheme) ||
        sb_shuffler_open(trials->scheme.shuffle, n, n, &trials->shuffler))
        abort();
    fair_trials_name(trials);
}

void fair_trials_close(struct fair_trials *trials)
{
    fair_repeats_close(&trials->repeats);
    sb_shuffler_close(&trials->shuffler);
}

/* A number in 0..1 that depends on the seed alone, and not on its decks. */
static double fair_random(uint64_t seed)
{
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);

    if (!rng)
        abort();
    gsl_rng_set(rng, (unsigned long)seed);
    const double u = gsl_rng_uniform(rng);

    gsl_rng_free(rng);
    return u;
}

/* The p-value of a count of one of two cells that are equally likely. */
static double fair_p_of_two(uint64_t count, uint64_t total, double u)
{
    const uint64_t most = count > total - count ? count : total - count;
    double both = 2 * gsl_ran_binomial_pdf((unsigned)most, 0.5, (unsigned)total), p = 0;

    p = (2 * most == total ? u / 2 : u) * both;
    for (uint64_t k = most; k < total && both > 1e-18; k++) {
        both *= (double)(total - k) / (double)(k + 1);
        p += both;
    }
    return p;
}

static double fair_p_of_cells(const struct sb_tally *tally, double u)
{
    struct sb_finding finding;

    if (tally->cells == 2)
        return fair_p_of_two(tally->count[0], tally->total, u);
    if (sb_test_pearson.run(tally, 0.5, &finding))
        abort();
    return finding.p;
}

/* The p-value of one member, its cells merged. */
static double fair_p_of_member(const struct sb_tally *tally, size_t member, double u)
{
    const size_t cells = tally->cells;
    const uint64_t *const row = tally->count + member * cells;
    uint32_t *const map = fair_take(cells, sizeof *map);
    uint64_t *const count = fair_take(cells, sizeof *count);
    double *const ln_p = fair_take(cells, sizeof *ln_p);
    struct sb_tally merged = { .members = 1, .total = tally->total, .count = count, .ln_p = ln_p };

    for (size_t i = 0; i < cells; i++)
        ln_p[i] = tally->ln_p ? tally->ln_p[i] : -log((double)cells);
    merged.cells = sb_merge_cells(ln_p, cells, fair_expected_least / (double)tally->total, map, ln_p);
    for (size_t i = 0; i < cells; i++)
        count[map[i]] += row[i];
    const double p = fair_p_of_cells(&merged, u);

    free(map);
    free(count);
    free(ln_p);
    return p;
}

/* The decks from one seed, tallied. */
static void fair_sample(const struct fair_trials *trials, uint64_t seed, struct sb_statistics *statistics,
                        struct sb_evidence *evidence)
{
    const struct sb_sample sample = {
        .recipe = { &trials->shuffler, &trials->scheme.draw, &trials->scheme.rng, seed, NULL },
        .total = trials->options.samples,
        .threads = 1,
        .tallies = &statistics->tallies,
    };

    if (sb_sample_tally(&sample, NULL, evidence) || sb_statistics_read(evidence, 1, statistics))
        abort();
}

/* The p-value of the whole matrix, which the report has. */
static double fair_p_of_matrix(const struct sb_report *report)
{
    for (size_t i = 0; i < report->findings_count; i++)
        if (strcmp(report->findings[i].test, "matrix") == 0)
            return report->findings[i].p;
    abort();
}

void fair_trial(const struct fair_trials *trials, uint64_t seed, struct fair_said *said)
{
    struct sb_statistics statistics = fair_statistics(trials);
    struct sb_report report = { .proven = true };
    const double u = fair_random(seed);
    double *p = said->p;

    fair_sample(trials, seed, &statistics, &report.evidence);
    if (sb_report_outside("fisher-yates", NULL, &trials->options, &statistics, &report))
        abort();
    const struct sb_tally rank = {
        .members = 1,
        .cells = report.evidence.cells,
        .total = report.evidence.total,
        .count = report.evidence.counts.u64,
    };

    for (size_t i = 0; i < statistics.types; i++)
        *p++ = fair_p_of_member(&statistics.tallies.tally[i], seed % statistics.tallies.tally[i].members, u);
    *p++ = fair_p_of_matrix(&report);
    if (rank.cells)
        *p++ = fair_p_of_member(&rank, 0, u);
    if (trials->repeats.law)
        *p = fair_repeats_p(&trials->repeats, statistics.tallies.birthday.repeats, u);
    said->report = report.p;
    sb_report_close(&report);
    sb_statistics_close(&statistics);
}
