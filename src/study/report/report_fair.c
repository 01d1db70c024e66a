/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A report on permutations from outside the program against an intended law. Each statistic whose law is known is
 * tested by Pearson's chi-square or, of few permutations, by the exact test. If members have laws of their own, the
 * finding is that of the member with the smallest p, times the number of members. A value that the law forbids makes
 * p 0. Ratios, matrices and effects are about a uniform law, and are left out.
 */
#include "fit/fit.h"
#include "gate/gate.h"
#include "statistic/statistic.h"
#include "study/gate/gate_page.h"
#include "study/report/report_result.h"
#include "study/run/run.h"
#include "subject/subject.h"
#include "tally/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char fair_correction[] = "Bonferroni over the tests of a report: the smallest p times the number of tests "
                                      "is compared with alpha. The p of a "
                                      "statistic with several members is the smallest one, times their number.";

struct fair_run {
    struct sb_run loop;
    struct sb_fair *fair;         /* owned */
    struct sb_observer *observer; /* owned */
    struct sb_weigher *weigher;   /* owned; NULL: no weights, or few items */
    struct sb_tally *tally;       /* [count] owned */
    size_t count;
};

static enum sb_status fair_tally(void *state, const sb_item items[], size_t count)
{
    struct fair_run *const run = state;

    sb_observer_add(run->observer, items, count);
    if (run->weigher)
        sb_weigher_add(run->weigher, items, count);
    return SB_OK;
}

static enum sb_status fair_open(const struct sb_multiset *multiset, struct sb_error *error, struct fair_run *run)
{
    const struct sb_statistic_type **const type = calloc(sb_statistic_types_count + 1, sizeof *type);
    enum sb_status status = SB_OK;

    run->tally = calloc(sb_statistic_types_count + 1, sizeof *run->tally);
    if (!type || !run->tally)
        status = sb_error_memory(error, "a report");
    for (size_t i = 0; type && status == SB_OK && i < sb_statistic_types_count; i++)
        if (sb_statistic_joins_equal(sb_statistic_types[i], multiset, run->fair->n, run->fair->deal) &&
            sb_fair_knows(run->fair, sb_statistic_types[i]))
            type[run->count++] = sb_statistic_types[i];
    if (status == SB_OK)
        status = sb_observer_new_fair(run->fair, multiset, type, run->count, 0, false, error, &run->observer);
    if (status == SB_OK && sb_fair_bets(run->fair) && sb_weigher_new(run->fair, &run->weigher))
        status = sb_error_memory(error, "a report");
    free(type);
    return status;
}

/* Runs a test on each member that has a law of its own. */
static enum sb_status fair_test(const struct sb_test_type *test, const struct sb_tally *tally, double alpha,
                                struct sb_finding *finding)
{
    const double members = (double)tally->members;
    enum sb_status status = SB_OK;

    if (!tally->separate)
        return test->run(tally, alpha, finding);
    for (size_t member = 0; member < tally->members && status == SB_OK; member++) {
        const struct sb_tally one = sb_tally_member(tally, member);
        struct sb_finding found;

        status = test->run(&one, alpha / members, &found);
        if (status == SB_OK && (member == 0 || isnan(finding->ln_p) || found.ln_p < finding->ln_p))
            *finding = found;
    }
    finding->ln_p = fmin(0, finding->ln_p + log(members)); /* NaN stays NaN */
    finding->p = exp(finding->ln_p);
    for (size_t i = 0; i < SB_LEAST_PARTS; i++)
        finding->least[i].ln_factor += log(members);
    return status;
}

/* Whether a value came up that the law forbids; Pearson's test may merge its cell with others. */
static bool fair_forbidden(const struct sb_tally *tally)
{
    for (size_t i = 0; i < tally->members * tally->cells; i++)
        if (tally->count[i] && sb_cell_get(tally, i / tally->cells, i % tally->cells).expected <= 0)
            return true;
    return false;
}

/* Tests a statistic, and adds the finding if it can have a p-value. */
static enum sb_status fair_find(const struct sb_tally *tally, struct sb_report *report)
{
    const struct sb_test_type *const usual = strcmp(tally->statistic, "rank") == 0 ? &sb_test_pearson : &sb_test_merged;
    struct sb_finding finding = sb_finding_none(tally, "exact");
    enum sb_status status = SB_OK;

    finding.p = 0;
    finding.ln_p = -INFINITY;
    if (!fair_forbidden(tally))
        status = fair_test(usual, tally, report->alpha, &finding);
    if (status == SB_OK && !sb_finding_reliable(&finding))
        status = fair_test(&sb_test_exact, tally, report->alpha, &finding);
    if (status == SB_OK && (!isnan(finding.ln_p) || finding.least[0].ln_share != 0))
        report->findings[report->findings_count++] = finding;
    return status;
}

static enum sb_status fair_find_bets(struct sb_weigher *weigher, struct sb_report *report)
{
    struct sb_tally tally = sb_weigher_read(weigher);

    tally.context = "another law"; /* its own context ends with the weigher */
    return sb_test_betting.run(&tally, report->alpha, &report->findings[report->findings_count++]);
}

/* Names the cells of the statistic with the smallest p that deviate most. */
static enum sb_status fair_say_cells(const struct fair_run *run, struct sb_report *report, struct sb_sentence *s)
{
    const struct sb_finding *const worst = sb_report_worst(report);
    const struct sb_gate_terms terms = { .alpha = report->alpha, .delta = report->alpha, .exclude = 0.5 };
    struct sb_gate gate;

    if (sb_gate_open(&terms, run->tally, run->count, &gate))
        return SB_NO_MEMORY;
    gate.n = run->fair->n;
    gate.deal = run->fair->deal;
    gate.names = report->names;
    gate.fair = run->fair->words;
    for (size_t i = 0; i < gate.lines_count; i++)
        gate.line[i].rejected = worst && strcmp(gate.line[i].statistic, worst->statistic) == 0;
    sb_gate_list_cells(run->tally, run->count, &gate);
    sb_gate_label_cells(run->tally, run->count, &gate);
    if (gate.cells_count)
        sb_sentence_add(s, ": ");
    sb_sentence_cells(s, &gate);
    gate.names = NULL; /* the report owns them, and the law its words */
    gate.fair = NULL;
    sb_gate_close(&gate);
    return SB_OK;
}

/* Replaces the sentence, which speaks of a fair shuffle. That of too few permutations stays. */
static enum sb_status fair_say(const struct fair_run *run, struct sb_report *report)
{
    struct sb_sentence s = { 0 };
    enum sb_status status = SB_OK;

    if (strcmp(report->verdict, "inconclusive") == 0)
        return SB_OK;
    if (strcmp(report->verdict, "biased") == 0) {
        sb_sentence_add(&s, "this is not %s", run->fair->words);
        status = fair_say_cells(run, report, &s);
    } else {
        sb_sentence_add(&s, "no deviation from %s was seen in %s permutation%s", run->fair->words,
                        sb_number_grouped(report->evidence.total).text, report->evidence.total == 1 ? "" : "s");
    }
    sb_sentence_add(&s, ".");
    free(report->sentence);
    report->sentence = sb_sentence_take(&s);
    return report->sentence ? status : SB_NO_MEMORY;
}

static enum sb_status fair_conclude(struct fair_run *run, const struct sb_request *options, struct sb_report *report)
{
    struct sb_report *const reports[] = { report };
    enum sb_status status = SB_OK;

    if (sb_evidence_tallied(NULL, 0, run->fair->n, run->fair->deal, &report->evidence))
        return SB_NO_MEMORY;
    sb_observer_read(run->observer, run->tally);
    report->evidence.total = run->loop.total;
    report->evidence.interrupted = run->loop.interrupted;
    report->evidence.names = report->names;
    report->name = strdup(run->loop.feed->name);
    report->fair = strdup(run->fair->words);
    report->findings = calloc(run->count + 1, sizeof *report->findings);
    report->alpha = options->alpha;
    report->correction = strdup(fair_correction);
    report->p = report->ln_p = NAN;
    if (!report->name || !report->fair || !report->findings || !report->correction)
        return SB_NO_MEMORY;
    for (size_t i = 0; i < run->count && run->loop.total && status == SB_OK; i++)
        status = fair_find(&run->tally[i], report);
    if (status == SB_OK && run->weigher)
        status = fair_find_bets(run->weigher, report);
    if (status == SB_OK)
        status = sb_report_conclude(reports, 1);
    return status ? status : fair_say(run, report);
}

enum sb_status sb_report_fair(struct sb_feed *feed, uint64_t total, const struct sb_request *options,
                              struct sb_error *error, struct sb_report *report)
{
    static const struct sb_run_hooks hooks = { .tally = fair_tally };
    struct fair_run run = { .fair = NULL };
    enum sb_status status;

    status = sb_fair_new(options->fair, options, feed->n, feed->deal, report->names, error, &run.fair);
    run.loop = (struct sb_run) {
        .feed = feed,
        .stop = options->stop,
        .hooks = &hooks,
        .state = &run,
        .error = error,
        .look = UINT64_MAX,
        .most = total,
        .progress = options->progress,
        .progress_state = options->progress_state,
    };
    if (status == SB_OK)
        status = fair_open(sb_item_multiset(report->names), error, &run);
    if (status == SB_OK)
        status = sb_run_loop(&run.loop);
    if (status == SB_OK && fair_conclude(&run, options, report))
        status = sb_error_memory(error, "a report");
    sb_observer_free(run.observer);
    sb_weigher_free(run.weigher);
    free(run.tally);
    sb_fair_free(run.fair);
    return status;
}
