/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turns reports into test cases. There is a case for each report; the case fails unless the report's verdict
 * is "uniform" or "no bias seen". If the user named a scheme twice, its two equal reports have only one case.
 */
#include "report/ci/cases.h"

#include "study/report/report_format.h"
#include "study/report/report_result.h"

#include <string.h>

static bool cases_told(const struct sb_cases *cases, const char *group, const char *name)
{
    for (size_t i = 0; i < cases->count; i++)
        if (strcmp(cases->list[i].group, group) == 0 && strcmp(cases->list[i].name, name) == 0)
            return true;
    return false;
}

void sb_cases_reports(const void *result, struct sb_cases *cases)
{
    const struct sb_reports *const reports = result;

    cases->title = reports->title;
    for (size_t i = 0; i < reports->count; i++) {
        const struct sb_report *const report = &reports->report[i];
        const bool biased = strcmp(report->verdict, "biased") == 0;
        const bool open = strcmp(report->verdict, "inconclusive") == 0;
        const char *const by = sb_by_name(report->evidence.by);

        if (!cases_told(cases, report->name, by))
            sb_cases_add(cases, (struct sb_case) {
                                    .group = report->name,
                                    .name = by,
                                    .of = "",
                                    .end = biased || open ? SB_CASE_FAILED : SB_CASE_PASSED,
                                    .kind = biased ? "fail" : "inconclusive",
                                    .text = strdup(report->sentence),
                                });
    }
}
