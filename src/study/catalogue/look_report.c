/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the shuffle for a report on permutations from outside the program. The tests of repeated decks, of
 * steps from one deal to the next, and of bets on the next card say nothing about the shuffle of a single deck. So
 * this file uses only the tests of single deals.
 */
#include "study/catalogue/catalogue_look.h"
#include "study/report/report_result.h"
#include "tally/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double report_ln_p = -13.815510557964274; /* ln 1e-6 */

/* Returns whether the smallest p of the tests of single deals, after Bonferroni's correction, is below
 * 1e-6. */
static bool report_is_sure(const struct sb_report *report)
{
    double least = INFINITY, tests = 0;

    for (size_t i = 0; i < report->findings_count; i++) {
        const struct sb_finding *const finding = &report->findings[i];

        if (!sb_finding_reliable(finding))
            continue;
        tests++;
        if (!finding->increments && !finding->lag && !finding->context &&
            !sb_statistics_repeats(finding->statistic))
            least = fmin(least, finding->ln_p);
    }
    return tests > 0 && least + log(tests) < report_ln_p;
}

/* Adds to the report's sentence what all results were, or which shuffle they look like. */
static enum sb_status report_say(struct sb_report *report)
{
    struct sb_sentence sentence = { 0 };

    if (report->looks_like.always) {
        sb_sentence_always(&sentence, &report->looks_like, false, true);
        sb_sentence_add(&sentence, "%s", report->sentence);
    } else {
        sb_sentence_add(&sentence, "%s ", report->sentence);
        sb_sentence_looks_like(&sentence, &report->looks_like);
        if (sentence.used)
            sentence.text[--sentence.used] = '\0'; /* removes the space at the end */
    }
    char *const text = sb_sentence_take(&sentence);

    if (!text)
        return SB_NO_MEMORY;
    free(report->sentence);
    report->sentence = text;
    return SB_OK;
}

enum sb_status sb_report_look_like(const struct sb_statistics *statistics, struct sb_report *report)
{
    const struct sb_look_seen seen = {
        .evidence = &report->evidence,
        .observer = statistics ? statistics->tallies.observer : NULL,
        .tally = statistics && statistics->tallies.observer ? statistics->tallies.tally : NULL,
        .tallies = statistics && statistics->tallies.observer ? statistics->tallies.statistics : 0,
    };
    struct sb_error error;
    enum sb_status status = SB_OK;

    if (report->evidence.by == SB_BY_SAMPLE && strcmp(report->verdict, "biased") == 0)
        status = sb_always_counted(&report->evidence, &report->looks_like);
    if (status == SB_OK && !report->looks_like.always) {
        if (report->evidence.by != SB_BY_SAMPLE || sb_item_multiset(report->names) ||
            sb_report_dependence(report) || !report_is_sure(report))
            return SB_OK;
        status = sb_catalogue_look(&seen, NULL, 0, true, &error, &report->looks_like);
        if (!report->looks_like.asked)
            return status;
    }
    return status ? status : report_say(report);
}
