/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tests of a report on a stream for single unlikely decks, and for single unlikely steps at its lags. Of many values
 * that are looked at, the smallest p is multiplied by their number. So p holds, whatever the values have to do with each
 * other. */
#include "fit/fit.h"
#include "study/gate/gate_page.h"
#include "study/report/report_result.h"

#include <math.h>

enum { OUTLIERS_LEAST = 128 }; /* the fewest permutations: the exact tests see single ones of fewer */

enum sb_status sb_report_outliers_open(const struct sb_request *options, const struct sb_tallies *tallies,
                                       struct sb_lags *lags, struct sb_report_outliers *outliers)
{
    if (options->statistics || !tallies->observer || tallies->ranked) /* ranks see single ones */
        return SB_OK;
    if (sb_outliers_new(tallies->deal, !tallies->multiset, &outliers->of[0]) || sb_observer_seek(tallies->observer))
        return SB_NO_MEMORY;
    sb_observer_join_outliers(tallies->observer, 0, outliers->of[0]);
    if (!lags)
        return SB_OK;
    if (sb_outliers_new(tallies->deal, false, &outliers->of[1]))
        return SB_NO_MEMORY;
    sb_lags_join(lags, outliers->of[1]);
    return SB_OK;
}

void sb_report_outliers_close(struct sb_report_outliers *outliers)
{
    sb_outliers_free(outliers->of[0]);
    sb_outliers_free(outliers->of[1]);
}

void sb_report_outliers_test(struct sb_report_outliers *outliers, uint64_t total, struct sb_statistics *statistics)
{
    static const char *const name[] = { sb_outliers_decks, sb_outliers_steps };

    for (size_t f = 0; f < SB_REPORT_OUTLIERS && total >= OUTLIERS_LEAST; f++) {
        const struct sb_outliers *const of = outliers->of[f];
        const struct sb_outlier *const worst = sb_outliers_worst(of);

        if (!of || !of->count)
            continue;
        const struct sb_tally tally = sb_outliers_tally(of, name[f], total);
        struct sb_finding *const finding = &outliers->finding[statistics->outliers_count++];

        *finding = sb_finding_none(&tally, "smallest");
        finding->outliers = true;
        finding->ln_p = sb_outliers_ln_p(of);
        finding->p = exp(finding->ln_p);
        finding->value = worst ? (double)(worst->law->low + worst->cell) : NAN;
    }
    statistics->outliers = outliers->finding;
}

enum sb_status sb_report_outliers_describe(const struct sb_report_outliers *outliers, uint64_t total, bool steps,
                                           struct sb_report *report)
{
    enum sb_status status = SB_OK;

    for (size_t f = 0; f < SB_REPORT_OUTLIERS && status == SB_OK && total >= OUTLIERS_LEAST; f++) {
        const struct sb_outlier *const worst = sb_outliers_worst(outliers->of[f]);

        if (worst)
            status = sb_odd_of(worst, report->names, steps, &report->odd[f]);
    }
    return status;
}
