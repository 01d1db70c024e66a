/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that write reports, copy the main numbers of a report, and free reports. */
#include "study/report/report_result.h"

#include "core/error.h"
#include "core/text/sanitize_text.h"
#include "study/figure/figure.h"
#include "study/report/page/document.h"
#include "study/report/report_format.h"
#include "study/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void sb_report_close(struct sb_report *report)
{
    if (report->has_effect)
        sb_effect_close(&report->effect);
    sb_evidence_close(&report->evidence);
    sb_explain_free(report->tree);
    sb_item_names_free(report->names);
    free(report->name);
    free(report->shuffle);
    free(report->draw);
    free(report->rng);
    free(report->findings);
    free(report->rows);
    free(report->sentence);
    free(report->warning);
    sb_looks_like_close(&report->looks_like);
    *report = (struct sb_report) { 0 };
}

enum sb_status sb_report_name_items(const char *list, struct sb_error *error, struct sb_report *report)
{
    const enum sb_status status = list ? sb_item_names_new(list, error, &report->names) : SB_OK;

    report->evidence.names = report->names;
    return status;
}

enum sb_status sb_reports_call(const struct sb_options *options, const char *title, struct sb_error *error,
                               struct sb_reports *reports)
{
    if (title && !(reports->title = sb_sanitize_text(title, SB_TITLE_MOST)))
        return sb_error_memory(error, "the title");
    if ((options->statistics && !(reports->statistics = strdup(options->statistics))) ||
        (options->profile && !(reports->profile = strdup(options->profile))))
        return sb_error_memory(error, "the options");
    return SB_OK;
}

bool sb_report_lists_counts(const struct sb_report *report)
{
    const struct sb_evidence *const evidence = &report->evidence;

    return sb_numbers_whole(&evidence->counts) && (evidence->n <= 8 || report->counts);
}

const struct sb_result_type sb_reports_result = {
    .what = "the report",
    .of = "a report",
    .schema = "shufflebias.report/2",
    .page = sb_document_page,
    .html = sb_reports_html,
    .json = sb_reports_json,
    .csv = sb_reports_csv,
    .cases = sb_cases_reports,
    .svg = sb_reports_svg,
    .figure = sb_reports_figure,
};

enum sb_status sb_reports_write(const struct sb_reports *reports, const char *format,
                                const struct sb_look *look, struct sb_error *error, FILE *stream)
{
    return sb_result_write(&sb_reports_result, reports, format, look, error, stream);
}

enum sb_status sb_reports_text(const struct sb_reports *reports, const char *format,
                               const struct sb_look *look, struct sb_error *error, char **text,
                               size_t *length)
{
    return sb_result_text(&sb_reports_result, reports, format, look, error, text, length);
}

bool sb_format_known(const char *format)
{
    return sb_result_has(&sb_reports_result, format);
}

bool sb_reports_interrupted(const struct sb_reports *reports)
{
    return reports->interrupted;
}

size_t sb_reports_count(const struct sb_reports *reports)
{
    return reports->count;
}

bool sb_reports_summary(const struct sb_reports *reports, size_t index, struct sb_summary *summary)
{
    if (index >= reports->count)
        return false;
    const struct sb_report *const report = &reports->report[index];
    *summary = (struct sb_summary) {
        .subject = report->name,
        .by = sb_by_name(report->evidence.by),
        .verdict = report->verdict,
        .sentence = report->sentence,
        .total_variation = report->has_effect ? report->effect.total_variation : NAN,
        .p = report->p,
    };
    return true;
}

void sb_reports_free(struct sb_reports *reports)
{
    if (!reports)
        return;
    for (size_t i = 0; i < reports->count; i++)
        sb_report_close(&reports->report[i]);
    free(reports->report);
    free(reports->title);
    free(reports->statistics);
    free(reports->profile);
    free(reports);
}
