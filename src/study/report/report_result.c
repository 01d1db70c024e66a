/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives a report's memory back. */
#include "study/report/report_result.h"

#include "study/explain/explanation.h"

#include <stdlib.h>

void sb_report_close(struct sb_report *report)
{
    if (report->has_effect)
        sb_effect_close(&report->effect);
    sb_evidence_close(&report->evidence);
    sb_explain_free(report->tree);
    free(report->name);
    free(report->shuffle);
    free(report->draw);
    free(report->rng);
    free(report->findings);
    free(report->rows);
    free(report->sentence);
    free(report->warning);
    *report = (struct sb_report) { 0 };
}

bool sb_report_lists_counts(const struct sb_report *report)
{
    const struct sb_evidence *const evidence = &report->evidence;

    return sb_evidence_counted(evidence) && (evidence->n <= 8 || report->counts);
}
