/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports on fair shuffles at unusual settings, at alpha = 0.05. Each trial is one report on a sample or on a
 * stream. It counts whether the report calls the shuffle biased. Of the tests that the report relies on, it
 * takes one, in turn from trial to trial, and counts whether its p is at most 0.5, whether it is at most 0.05, and
 * whether the 95% interval of the effect excludes the true effect, which is 0.
 *
 * Where whole deals are counted, a second report on the naive swap counts whether the 95% interval of
 * Pearson's effect excludes the true effect, which is that of the exact law. docs/accuracy.md promises the nominal
 * share less 1%.
 */
#include "promise/promise.h"
#include "study/report/report_result.h"
#include "study/results.h"

#include <math.h>
#include <string.h>

struct report_setting {
    size_t n, deal;
    uint64_t samples;
    const char *scheme; /* NULL: fisher-yates */
    const char *statistics, *profile, *cards;
    bool increments;
    bool stream, chained; /* permutations of a function */
    bool naive;           /* whether there is a second report */
    struct sb_grouping grouping;
};

static struct sb_reports *report(const struct promise_case *one, const char *scheme, uint64_t index, unsigned by)
{
    const struct report_setting *const set = one->about;
    struct sb_reports *reports;
    struct sb_request options;
    struct sb_error error;

    sb_request_init(&options, SB_REPORT);
    options.n = set->n ? set->n : options.n;
    options.deal = set->deal;
    options.samples = set->samples;
    options.seed = index + 1;
    options.by = by;
    options.threads = 1;
    options.alpha = 0.05;
    options.statistics = set->statistics;
    options.profile = set->profile;
    options.cards = set->cards;
    options.increments = set->increments;
    if (set->stream) {
        struct promise_random random = promise_seed(8, index);
        const struct sb_subject subject = {
            .name = "fair",
            .shuffle = promise_fair,
            .state = &random,
            .n = set->n,
            .deal = set->deal,
            .cards = set->cards,
            .chained = set->chained,
            .grouping = set->grouping,
        };

        promise_check(sb_reports_observe(&subject, &options, &error, &reports), one, &error);
    } else {
        promise_check(sb_reports_new(&scheme, 1, &options, &error, &reports), one, &error);
    }
    return reports;
}

/* The tests that the report relies on, and that have a p for single permutations or steps: finding[]. */
static size_t reliable(const struct sb_report *report, const struct sb_finding *finding[])
{
    size_t count = 0;

    for (size_t i = 0; i < report->findings_count; i++)
        if (sb_finding_reliable(&report->findings[i]) && strcmp(report->findings[i].test, "betting") != 0)
            finding[count++] = &report->findings[i];
    return count;
}

/* Whether the interval of Pearson's test of the naive swap excludes the exact effect; NaN without an interval. */
static double naive_missed(const struct promise_case *one, uint64_t index)
{
    struct sb_reports *const exact = report(one, "naive", index, SB_BY_EXACT);
    struct sb_reports *const sample = report(one, "naive", index, SB_BY_SAMPLE);
    const double effect = exact->report[0].effect.chi2_per_sample;
    double missed = NAN;

    for (size_t i = 0; i < sample->report[0].findings_count; i++) {
        const struct sb_finding *const finding = &sample->report[0].findings[i];

        if (strcmp(finding->test, "pearson") == 0 && strcmp(finding->statistic, "rank") == 0 &&
            sb_finding_reliable(finding) && !isnan(finding->effect_low))
            missed = effect < finding->effect_low || effect > finding->effect_high;
    }
    sb_reports_free(exact);
    sb_reports_free(sample);
    return missed;
}

static void report_trial(const struct promise_case *one, uint64_t index, double outcome[])
{
    enum { FINDINGS_MOST = 256 };
    const struct report_setting *const set = one->about;
    struct sb_reports *const reports = report(one, set->scheme ? set->scheme : "fisher-yates", index, SB_BY_SAMPLE);
    const struct sb_finding *finding[FINDINGS_MOST];
    const size_t count = reliable(&reports->report[0], finding);

    outcome[0] = strcmp(reports->report[0].verdict, "biased") == 0;
    if (count > 0) {
        const struct sb_finding *const chosen = finding[index % count];

        outcome[1] = chosen->p <= 0.5;
        outcome[2] = chosen->p <= 0.05;
        if (!isnan(chosen->effect_low))
            outcome[3] = chosen->effect_low > 0;
    }
    sb_reports_free(reports);
    if (set->naive)
        outcome[4] = naive_missed(one, index);
}

#define REPORT(...)                                                           \
    .line = { { .promise = "called biased", .allowed = 0.05 },                \
              { .promise = "p ≤ 0.5", .allowed = 0.5 },                       \
              { .promise = "p ≤ 0.05", .allowed = 0.05 },                     \
              { .promise = "interval above 0", .allowed = 0.05 },             \
              { .promise = "interval of `naive` misses", .allowed = 0.06 } }, \
    .trial = report_trial, .about = &(const struct report_setting)            \
    {                                                                         \
        __VA_ARGS__                                                           \
    }

#define SIX_REDS "R R R R R R "
#define SIX_BLACKS "B B B B B B "

static const struct promise_case cases[] = {
    { "report-1", "1 item, 100 shuffles", 1000, 10, REPORT(.n = 1, .samples = 100) },
    { "report-2-few", "2 items, 20 shuffles", 10000, 10, REPORT(.n = 2, .samples = 20) },
    { "report-2", "2 items, 1,000 shuffles", 10000, 10, REPORT(.n = 2, .samples = 1000) },
    { "report-3-one", "3 items, 1 shuffle", 1000, 10, REPORT(.n = 3, .samples = 1) },
    { "report-3-seven", "3 items, 7 shuffles", 10000, 10, REPORT(.n = 3, .samples = 7) },
    { "report-3", "3 items, 30 shuffles, 5 for each order", 10000, 20, REPORT(.n = 3, .samples = 30, .naive = true) },
    { "report-6", "6 items, 3,600 shuffles, 5 for each order", 4000, 10, REPORT(.n = 6, .samples = 3600) },
    { "report-7", "7 items, 1,000 shuffles, fewer than orders", 4000, 10, REPORT(.n = 7, .samples = 1000) },
    { "report-mixed", "`fisher-yates-forward/lemire:32/mt19937`, 5 items, 2,000 shuffles", 4000, 10,
      REPORT(.n = 5, .samples = 2000, .scheme = "fisher-yates-forward/lemire:32/mt19937") },
    { "report-repeat", "11 items, `--statistics repeat`, 20,000 shuffles", 1000, 4,
      REPORT(.n = 11, .samples = 20000, .statistics = "repeat") },
    { "report-52-few", "52 items, 100 shuffles", 2000, 10, REPORT(.n = 52, .samples = 100) },
    { "report-cards", "52 items, `--profile cards`, 1,000 shuffles", 2000, 4,
      REPORT(.n = 52, .samples = 1000, .profile = "cards") },
    { "report-cycles", "52 items, `--statistics cycles`, 1,000 shuffles", 4000, 10,
      REPORT(.n = 52, .samples = 1000, .statistics = "cycles") },
    { "report-places", "52 items, `--statistics ''`, 300 shuffles", 4000, 10,
      REPORT(.n = 52, .samples = 300, .statistics = "") },
    { "report-179", "179 items, 1,000 shuffles", 500, 2, REPORT(.n = 179, .samples = 1000) },
    { "report-deal-1", "1 card of 4, 100 deals", 10000, 20, REPORT(.n = 4, .deal = 1, .samples = 100, .naive = true) },
    { "report-deal-2", "2 cards of 5, 400 deals", 4000, 10, REPORT(.n = 5, .deal = 2, .samples = 400, .naive = true) },
    { "report-deal-7", "7 cards of 8, 500 deals", 4000, 10, REPORT(.n = 8, .deal = 7, .samples = 500) },
    { "report-deal-52", "1 card of 52, 260 deals", 4000, 10, REPORT(.n = 52, .deal = 1, .samples = 260) },
    { "report-lottery", "sets of 6 of 49, 500", 2000, 4,
      REPORT(.n = 49, .deal = 6, .samples = 500, .stream = true, .grouping = { .sets = true }) },
    { "report-hole", "sets of 2 of 52, 2,000", 2000, 4,
      REPORT(.n = 52, .deal = 2, .samples = 2000, .stream = true, .grouping = { .sets = true }) },
    { "report-bridge", "four hands of 13, 500 deals", 2000, 4,
      REPORT(.n = 52, .samples = 500, .stream = true, .grouping = { .hands = "13,13,13,13" }) },
    { "report-deal-many", "2 cards of 52, 14,000 deals, 5 for each pair", 1000, 4,
      REPORT(.n = 52, .deal = 2, .samples = 14000) },
    { "report-deal-300", "3 cards of 300, 2,000 deals", 1000, 4, REPORT(.n = 300, .deal = 3, .samples = 2000) },
    { "report-aab", "cards A A B, 60 shuffles", 10000, 20, REPORT(.cards = "A A B", .samples = 60, .naive = true) },
    { "report-aabb", "cards A A B B, 600 shuffles", 4000, 10,
      REPORT(.cards = "A A B B", .samples = 600, .naive = true) },
    { "report-red", "26 red and 26 black cards, 500 shuffles", 1000, 4,
      REPORT(.cards = SIX_REDS SIX_REDS SIX_REDS SIX_REDS "R R " SIX_BLACKS SIX_BLACKS SIX_BLACKS SIX_BLACKS "B B",
             .samples = 500) },
    { "report-increments", "4 items, `--increments`, 1,000 shuffles", 4000, 10,
      REPORT(.n = 4, .samples = 1000, .increments = true) },
    { "report-increments-12", "12 items, `--increments`, 500 shuffles", 2000, 10,
      REPORT(.n = 12, .samples = 500, .increments = true) },
    { "report-stream", "a stream of 8 items, 300 permutations", 4000, 10,
      REPORT(.n = 8, .samples = 300, .stream = true) },
    { "report-chained", "a stream of 5 items, `--chained`, 700 permutations", 4000, 10,
      REPORT(.n = 5, .samples = 700, .stream = true, .chained = true) },
    { "report-large", "a stream of one permutation of 10,000 items", 4000, 10,
      REPORT(.n = 10000, .samples = 1, .stream = true) },
};

_Static_assert(sizeof cases / sizeof cases[0] == 32, "the settings of docs/testing.md");

const struct promise_part promise_reports = {
    .title = "Reports", .count = sizeof cases / sizeof cases[0], .cases = cases, .wide = true
};
