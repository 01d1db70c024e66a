/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns evidence into findings: the tests, the effects and the tables of a report on any subject. */
#include "fit/effect/effect.h"
#include "fit/effect/interval.h"
#include "fit/effect/places.h"
#include "fit/test/birthday.h"
#include "fit/test/fit.h"
#include "statistic/statistic.h"
#include "study/report/report_parts.h"
#include "tally/evidence_tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char sb_report_correction[] =
    "Bonferroni over the tests of a report: the smallest p times the number of tests is compared with alpha. "
    "The intervals of all deals hold together; that of each effect holds by itself.";

static const char analyse_correction_merged[] =
    "Bonferroni over the tests of a report: the smallest p times the number of tests is compared with alpha. "
    "The intervals of all deals hold together; that of each effect holds by itself. Of statistics other than "
    "rank and position cells are merged until each expects 20 or more; successor is that of the item with "
    "the smallest p, times the number of items.";

static const char analyse_correction_stream[] =
    "Bonferroni over the tests of a report: the smallest p times the number of tests is compared with alpha. "
    "The intervals of all deals hold together; that of each effect holds by itself. Of statistics other than "
    "rank and position cells are merged until each expects 20 or more; successor is that of the item with "
    "the smallest p, times the number of items, and a lag that of the steps with the smallest p, times the "
    "number of lags and statistics.";

/* Returns whether a finding belongs in the report: whether it has a p-value, or would have a p-value with
 * more samples. */
static bool analyse_concerns(const struct sb_finding *finding)
{
    return !isnan(finding->ln_p) || (finding->dof == 0 && finding->expected_least > 0 &&
                                     finding->expected_least < finding->expected_needed);
}

/* Runs the tests of the registry that name this statistic or, if there are none, the tests for any
 * statistic. */
static enum sb_status analyse_tally(const struct sb_tally *tally, struct sb_report *report)
{
    bool named = false;
    enum sb_status status = SB_OK;

    for (size_t i = 0; i < sb_test_types_count; i++)
        named = named ||
                (sb_test_types[i]->statistic && strcmp(sb_test_types[i]->statistic, tally->statistic) == 0);
    for (size_t i = 0; i < sb_test_types_count && status == SB_OK; i++) {
        const struct sb_test_type *const test = sb_test_types[i];
        struct sb_finding *const finding = &report->findings[report->findings_count];

        if (named ? !test->statistic || strcmp(test->statistic, tally->statistic) != 0 : !!test->statistic)
            continue;
        status = test->run(tally, report->alpha, finding);
        finding->increments = tally->lag > 0;
        report->findings_count += status == SB_OK && analyse_concerns(finding);
    }
    return status;
}

/* Returns the counts by rank of the decks or, if `lag` is not 0, of the increments. Returns NULL if there are
 * no such counts. */
static const struct sb_tally *analyse_ranks(const struct sb_statistics *statistics, size_t lag)
{
    for (size_t i = 0; i < statistics->tallies.count; i++)
        if (strcmp(statistics->tallies.tally[i].statistic, "rank") == 0 &&
            statistics->tallies.tally[i].lag == lag)
            return &statistics->tallies.tally[i];
    return NULL;
}

/* Tests the tally of each statistic, and the tally of the bettor. */
static enum sb_status analyse_statistics(const struct sb_statistics *statistics, struct sb_report *report)
{
    enum sb_status status = SB_OK;

    for (size_t i = 0; statistics && i < statistics->tallies.count && status == SB_OK; i++) {
        struct sb_tally tally = statistics->tallies.tally[i];

        if (strcmp(tally.statistic, "position") == 0)
            tally.ranks = analyse_ranks(statistics, tally.lag);
        status = analyse_tally(&tally, report);
    }
    if (status == SB_OK && statistics && statistics->bettor)
        status = analyse_tally(statistics->bettor, report);
    if (status == SB_OK && statistics && statistics->lags)
        report->findings[report->findings_count++] = *statistics->lags;
    return status;
}

/* Runs the tests of the steps between the decks of consecutive seeds. */
static enum sb_status analyse_steps(const struct sb_statistics *statistics, struct sb_report *report)
{
    report->findings = calloc(sb_test_types_count * (statistics->steps + 1), sizeof *report->findings);
    return report->findings ? analyse_statistics(statistics, report) : SB_NO_MEMORY;
}

/* Runs the tests of all tallies. */
static enum sb_status analyse_tests(const struct sb_statistics *statistics, struct sb_report *report)
{
    const struct sb_evidence *const evidence = &report->evidence;
    const size_t columns = evidence->deal + (evidence->deal < evidence->n);
    const size_t others = statistics ? statistics->tallies.count : 0;
    uint64_t *const made = columns > evidence->deal ? sb_evidence_positions(evidence) : NULL;
    /* `made` may take half a gigabyte of memory; only the column "not dealt" requires it */
    const uint64_t *const positions = made ? made : evidence->matrix.u64;
    double *const ln_p =
        calloc(columns + 1, sizeof *ln_p); /* "not dealt" has another probability than the positions */
    const struct sb_tally rank = {
        .statistic = "rank",
        .members = 1,
        .cells = evidence->cells,
        .total = evidence->total,
        .count = evidence->counts.u64,
    };
    const struct sb_tally position = {
        .statistic = "position",
        .members = evidence->n,
        .cells = columns,
        .total = evidence->total,
        .count = positions,
        .ln_p = ln_p,
        .ranks = rank.cells ? &rank : NULL,
    };
    enum sb_status status = SB_OK;

    report->findings = calloc(sb_test_types_count * (4 + others), sizeof *report->findings);
    if ((columns > evidence->deal && !made) || !ln_p || !report->findings)
        status = SB_NO_MEMORY;
    else
        status = sb_statistic_position.null_law(evidence->n, evidence->deal, 0, ln_p);
    if (status == SB_OK && evidence->total && rank.cells)
        status = analyse_tally(&rank, report);
    if (status == SB_OK && evidence->total && columns && !sb_item_multiset(evidence->names))
        status = analyse_tally(&position, report); /* `card-at` takes its place in decks with equal items */
    if (status == SB_OK && evidence->total)
        status = analyse_statistics(statistics, report);
    free(made);
    free(ln_p);
    return status;
}

/* Sets the number of repeated decks that the report shows. */
static void analyse_repeats(const struct sb_statistics *statistics, struct sb_report *report)
{
    if (statistics && statistics->tallies.noted)
        report->repeats = (struct sb_repeats) {
            .decks = statistics->tallies.birthday.decks,
            .repeats = statistics->tallies.birthday.repeats,
            .expected = sb_birthday_expected(statistics->tallies.birthday.decks,
                                             statistics->tallies.birthday.ln_pair),
        };
}

/* Computes how many shuffles it takes to show the bias of an exact law. */
static void analyse_sight(struct sb_report *report)
{
    struct sb_effect *const effect = &report->effect;

    if (report->evidence.by == SB_BY_EXACT && effect->kl_bits > 0)
        effect->shuffles_to_see = -log(report->alpha) / (effect->kl_bits * 0.69314718055994530942);
}

enum sb_status sb_report_analyse(const struct sb_statistics *statistics, struct sb_report *report)
{
    enum sb_status status =
        sb_evidence_arrange(&report->evidence) ? SB_NO_MEMORY : sb_evidence_matrix(&report->evidence);

    if (status == SB_OK && report->evidence.by == SB_BY_SAMPLE)
        status = analyse_tests(statistics, report);
    if (status == SB_OK && report->evidence.by == SB_BY_SEEDS && statistics->steps &&
        report->evidence.total > 1)
        status = analyse_steps(statistics, report);
    analyse_repeats(statistics, report);
    if (report->correction && statistics && statistics->types + statistics->steps)
        report->correction = analyse_correction_merged;
    if (report->correction && statistics && statistics->lags)
        report->correction = analyse_correction_stream;
    if (status == SB_OK && report->evidence.by == SB_BY_SAMPLE && !report->evidence.cells &&
        !sb_item_multiset(report->evidence.names))
        sb_places_find(&report->evidence, report->alpha, &report->places);
    if (status == SB_OK && report->evidence.cells && !report->has_effect) {
        status = sb_effect_of(&report->evidence, &report->effect);
        report->has_effect = status == SB_OK;
    }
    if (report->has_effect)
        analyse_sight(report);
    return status;
}

enum sb_status sb_report_conclude(struct sb_report *const reports[], size_t count)
{
    const struct sb_evidence *order = &reports[0]->evidence;
    enum sb_status status = SB_OK;

    if (count > 1 &&
        (!reports[0]->evidence.cells || reports[0]->effect.max_ratio == reports[0]->effect.min_ratio))
        order = &reports[1]->evidence;
    for (size_t i = 0; i < count && status == SB_OK; i++) {
        struct sb_report *const report = reports[i];

        if (report->evidence.cells)
            status = sb_rows_of(&report->evidence, order, report->alpha, &report->rows, &report->rows_count);
        if (status == SB_OK)
            status = sb_report_judge(report);
    }
    return status;
}
