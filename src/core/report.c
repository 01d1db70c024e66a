/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives a report's memory back. */
#include "core/report.h"

#include "core/explain.h"

#include <stdlib.h>

void sb_effect_close(struct sb_effect *effect)
{
    mpq_clear(effect->total_variation_exact);
    free(effect->most_deal);
    free(effect->least_deal);
}

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
