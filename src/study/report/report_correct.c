/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The p-value of a report: Bonferroni's correction over its reliable tests. Also, which outcomes could have reached
 * alpha: the null laws and the number of samples decide how small each p can be, and the smallest such p, times the
 * number of tests, must be below alpha.
 */
#include "study/report/report_parts.h"

#include <math.h>

/* Returns whether an outcome of a number of samples could make the report say "biased", if `tests` tests share alpha.
 * How small the p of a bettor or of lags can be is unknown. */
static bool correct_able(const struct sb_report *report, double samples, double tests)
{
    for (size_t i = 0; i < report->findings_count; i++) {
        const struct sb_finding *const finding = &report->findings[i];

        if (!finding->context && !finding->lag && sb_finding_expects(finding) &&
            sb_finding_least(finding, samples, report->alpha) + log(tests) < log(report->alpha))
            return true;
    }
    return false;
}

/* Returns how many tests share alpha if there are more samples. */
static double correct_tests(const struct sb_report *report, double samples)
{
    double tests = 0;

    for (size_t i = 0; i < report->findings_count; i++)
        tests += sb_finding_least(&report->findings[i], samples, report->alpha) < log(report->alpha);
    return tests;
}

bool sb_report_correct(struct sb_report *report)
{
    double tests = 0, ln_p = INFINITY;

    for (size_t i = 0; i < report->findings_count; i++) {
        if (!sb_finding_reliable(&report->findings[i]))
            continue;
        tests++;
        ln_p = fmin(ln_p, report->findings[i].ln_p);
    }
    if (tests == 0)
        return false;
    report->tests = (size_t)tests;
    report->ln_p = fmin(0, ln_p + log(tests));
    report->p = exp(report->ln_p);
    return correct_able(report, (double)report->evidence.total, tests);
}

double sb_report_enough(const struct sb_report *report)
{
    enum { ENOUGH_MOST = 100000 };
    double samples = (double)report->evidence.total + 1;

    for (int i = 0; i < ENOUGH_MOST; i++, samples++)
        if (correct_able(report, samples, fmax(1, correct_tests(report, samples))))
            return samples;
    return NAN;
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
