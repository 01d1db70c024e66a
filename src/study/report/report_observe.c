/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report on what stands outside: permutations are read and tallied, and the rest is as for any sample. */
#include "tally/observe.h"

#include "core/error.h"
#include "statistic/statistic.h"
#include "study/study.h"
#include "subject/feed_start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t observe_samples = 2000000;

enum sb_status sb_evidence_tallied(const struct sb_tally tally[], size_t count, size_t n, size_t deal,
                                   struct sb_evidence *evidence)
{
    struct sb_evidence made = { .by = SB_BY_SAMPLE, .n = n, .deal = deal };

    mpz_init(made.denominator);
    for (size_t i = 0; i < count; i++) {
        const struct sb_tally *const one = &tally[i];
        const bool rank = strcmp(one->statistic, sb_statistic_rank.name) == 0;
        const size_t rows = rank ? 1 : one->members, columns = rank ? one->cells : deal;
        struct sb_numbers copy;

        made.total = one->total;
        if (one->first || (!rank && strcmp(one->statistic, sb_statistic_position.name) != 0))
            continue; /* the positions of large decks are merged */
        if (sb_numbers_open(SB_NUMBERS_U64, rows * columns, &copy)) {
            sb_evidence_close(&made);
            return SB_NO_MEMORY;
        }
        for (size_t row = 0; row < rows; row++) /* but for "not dealt" */
            memcpy(copy.u64 + row * columns, one->count + row * one->cells, columns * sizeof *copy.u64);
        if (rank) {
            made.cells = columns;
            made.counts = copy;
        } else {
            made.matrix = copy;
        }
    }
    *evidence = made;
    return SB_OK;
}

/* Tallies up to `total` permutations, the trial's first ones included; *stopped by the flag. */
static enum sb_status observe_gather(struct sb_trial *trial, uint64_t total, const struct sb_options *options,
                                     struct sb_observer *observer, struct sb_witness *witness,
                                     struct sb_error *error, bool *stopped)
{
    uint64_t done = 0;
    enum sb_status status = SB_OK;

    *stopped = false;
    while (status == SB_OK && trial->count && !*stopped) {
        const uint64_t left = total - done - trial->count;

        sb_observer_add(observer, trial->items, trial->count);
        sb_witness_add(witness, trial->items, trial->count);
        done += trial->count;
        trial->count = 0;
        if (options->progress)
            options->progress(options->progress_state, trial->name, done, total);
        *stopped = options->stop && *options->stop;
        if (left && !*stopped)
            status = sb_trial_next(trial, left < SIZE_MAX ? (size_t)left : SIZE_MAX, error);
    }
    *stopped = *stopped || status == SB_STOPPED;
    return status == SB_STOPPED ? SB_OK : status;
}

/* The tallies of a trial: by rank where the deals can be counted, else by position. */
static enum sb_status observe_evidence(struct sb_trial *trial, uint64_t total,
                                       const struct sb_options *options, struct sb_error *error,
                                       struct sb_statistics *statistics, struct sb_evidence *evidence)
{
    const size_t n = trial->feed->n, deal = trial->feed->deal;
    const struct sb_statistic_type *const type =
        sb_cells(n, deal) ? &sb_statistic_rank : &sb_statistic_position;
    struct sb_observer *observer = NULL;
    struct sb_tally tally;
    bool stopped;
    enum sb_status status = sb_observer_new(n, deal, &type, 1, 0, error, &observer);

    if (status)
        return status;
    status = observe_gather(trial, total, options, observer, &statistics->witness, error, &stopped);
    if (status == SB_OK) {
        sb_observer_read(observer, &tally);
        if (sb_evidence_tallied(&tally, 1, n, deal, evidence))
            status = sb_error_memory(error, "the tallies");
        else
            evidence->interrupted = stopped;
    }
    sb_observer_free(observer);
    return status;
}

enum sb_status sb_report_outside(const char *name, const char *title, const struct sb_options *options,
                                 const struct sb_statistics *statistics, struct sb_report *report)
{
    struct sb_report *const reports[] = { report };

    report->name = strdup(name);
    report->title = title;
    report->counts = options->counts;
    report->alpha = options->alpha;
    report->correction = sb_report_correction;
    report->p = report->ln_p = NAN;
    if (!report->name)
        return SB_NO_MEMORY;
    const enum sb_status status = sb_report_analyse(statistics, report);

    return status ? status : sb_report_conclude(reports, 1);
}

enum sb_status sb_reports_one(struct sb_reports **reports)
{
    struct sb_reports *const made = calloc(1, sizeof *made);

    if (made)
        made->report = calloc(1, sizeof *made->report);
    if (!made || !made->report) {
        free(made);
        return SB_NO_MEMORY;
    }
    made->count = 1;
    *reports = made;
    return SB_OK;
}

static enum sb_status observe_report(const struct sb_subject *subject, const struct sb_options *options,
                                     struct sb_error *error, struct sb_report *report)
{
    const uint64_t total = options->samples ? options->samples : observe_samples;
    struct sb_statistics statistics;
    struct sb_trial trial;
    enum sb_status status =
        sb_trial_open(subject, options->stop, total < SIZE_MAX ? (size_t)total : SIZE_MAX, error, &trial);

    if (status)
        return status;
    status = sb_statistic_profile_check(options->profile, trial.feed->n, error);
    if (status) {
        sb_trial_close(&trial);
        return status;
    }
    status = sb_statistics_open(options, trial.feed->n, trial.feed->deal, total, error, &statistics);
    if (status == SB_OK)
        status = observe_evidence(&trial, total, options, error, &statistics, &report->evidence);
    if (status == SB_OK &&
        (sb_statistics_read(&report->evidence, options->threads, &statistics) ||
         sb_report_outside(trial.name,
                           subject->chained ? "the steps of a chain, in which each shuffles the one before"
                                            : NULL,
                           options, &statistics, report)))
        status = sb_error_memory(error, "a report");
    sb_trial_close(&trial);
    sb_statistics_close(&statistics);
    return status;
}

enum sb_status sb_reports_observe(const struct sb_subject *subject, const struct sb_options *options,
                                  struct sb_error *error, struct sb_reports **reports)
{
    struct sb_options settled;
    struct sb_reports *made;
    enum sb_status status = sb_options_settle(options, error, &settled);

    if (status)
        return status;
    if (subject->scheme)
        return sb_error_set(error, SB_INVALID, "%s: a scheme is reported on by sb_reports_new()",
                            subject->scheme);
    settled.samples = options->samples; /* and not what a scheme would take for 0 */
    if (sb_reports_one(&made))
        return sb_error_memory(error, "the reports");
    status = observe_report(subject, &settled, error, made->report);
    made->n = made->report->evidence.n;
    made->deal = made->report->evidence.deal;
    made->interrupted = made->report->evidence.interrupted;
    if (status)
        sb_reports_free(made);
    else
        *reports = made;
    return status;
}
