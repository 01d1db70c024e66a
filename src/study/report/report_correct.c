/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The p-value of a report: Bonferroni's correction over its reliable tests. */
#include "study/report/report_parts.h"
#include "tally/statistics.h"

#include <math.h>

size_t sb_report_correct(struct sb_report *report)
{
    size_t tests = 0, looks = 0;
    double ln_p = INFINITY;

    for (size_t i = 0; i < report->findings_count; i++) {
        if (!sb_finding_reliable(&report->findings[i]))
            continue;
        tests++;
        looks += !sb_statistics_repeats(report->findings[i].statistic) && !report->findings[i].context &&
                 !report->findings[i].lag;
        ln_p = fmin(ln_p, report->findings[i].ln_p);
    }
    if (tests == 0)
        return 0;
    report->tests = tests;
    report->ln_p = fmin(0, ln_p + log((double)tests));
    report->p = exp(report->ln_p);
    return looks;
}

const struct sb_finding *sb_report_worst(const struct sb_report *report)
{
    const struct sb_finding *worst = NULL;

    for (size_t i = 0; i < report->findings_count; i++)
        if (sb_finding_reliable(&report->findings[i]) && (!worst || report->findings[i].ln_p < worst->ln_p))
            worst = &report->findings[i];
    return worst;
}

const struct sb_finding *sb_report_dependence(const struct sb_report *report)
{
    const double ln_most = log(report->alpha) - log((double)report->tests);

    for (size_t i = 0; i < report->findings_count; i++)
        if (report->findings[i].dependent && report->findings[i].ln_p < ln_most)
            return &report->findings[i];
    return NULL;
}
