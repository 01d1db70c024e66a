/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that write reports, copy the main numbers of a report, and free reports. */
#include "study/report/report_result.h"
#include "core/text.h"
#include "study/figure/figure.h"
#include "study/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool cases_told(const struct sb_cases *cases, const char *group, const char *name)
{
    for (size_t i = 0; i < cases->count; i++)
        if (strcmp(cases->list[i].group, group) == 0 && strcmp(cases->list[i].name, name) == 0)
            return true;
    return false;
}

static void cases_reports(const void *result, struct sb_cases *cases)
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

struct sb_number sb_finding_title(const struct sb_finding *finding)
{
    struct sb_number title = { "" };

    if (finding->lag)
        snprintf(title.text, sizeof title.text, "lag %zu: ", finding->lag);
    snprintf(title.text + strlen(title.text), 200, "%s%.100s", finding->increments ? "increments: " : "",
             finding->statistic);
    return title;
}

const struct sb_finding *sb_report_worst(const struct sb_report *report)
{
    const double ln_most = log(report->alpha) - log((double)report->tests);
    const struct sb_finding *worst = NULL, *odd = NULL;

    for (size_t i = 0; i < report->findings_count; i++) {
        const struct sb_finding *const finding = &report->findings[i];
        const struct sb_finding **const most = finding->outliers ? &odd : &worst;

        if (sb_finding_reliable(finding) && (!*most || finding->ln_p < (*most)->ln_p))
            *most = finding;
    }
    return !odd || (worst && (worst->ln_p < ln_most || worst->ln_p <= odd->ln_p)) ? worst : odd;
}

const struct sb_finding *sb_report_dependence(const struct sb_report *report)
{
    const double ln_most = log(report->alpha) - log((double)report->tests);
    const struct sb_finding *const worst = report->same ? sb_report_worst(report) : NULL;

    for (size_t i = 0; i < report->findings_count; i++)
        if (report->findings[i].dependent && report->findings[i].ln_p < ln_most)
            return &report->findings[i];
    return worst && worst->ln_p < ln_most ? worst : NULL;
}

size_t sb_pair_next(const struct sb_reports *reports, size_t index, struct sb_pair *pair)
{
    const struct sb_report *const first = &reports->report[index];
    const struct sb_report *const second = index + 1 < reports->count ? first + 1 : NULL;

    if (first->evidence.by == SB_BY_SAMPLE) {
        *pair = (struct sb_pair) { .sampled = first };
        return index + 1;
    }
    *pair = (struct sb_pair) { .exact = first };
    if (first->evidence.reach || !second || second->evidence.by != SB_BY_SAMPLE ||
        strcmp(first->name, second->name) != 0 || first->evidence.n != second->evidence.n ||
        first->evidence.deal != second->evidence.deal)
        return index + 1;
    pair->sampled = second;
    return index + 2;
}

const struct sb_report *sb_pair_best(const struct sb_pair *pair)
{
    return pair->exact ? pair->exact : pair->sampled;
}

struct sb_pair sb_pair_counted(const struct sb_pair *pair)
{
    struct sb_pair counted = *pair;

    if (pair->exact && pair->sampled && !pair->exact->evidence.cells)
        counted.exact = NULL;
    return counted;
}

bool sb_report_biased(const struct sb_report *report)
{
    return report && strcmp(report->verdict, "biased") == 0;
}

bool sb_pair_biased(const struct sb_pair *pair)
{
    return sb_report_biased(pair->exact) || sb_report_biased(pair->sampled);
}

bool sb_pair_detailed(const struct sb_pair *pair, size_t *biased)
{
    const bool is = sb_pair_biased(pair);

    *biased += is;
    return is && *biased <= SB_DOCUMENT_DETAILS_MOST;
}

double sb_evidence_excess(const struct sb_evidence *e, size_t *cell)
{
    *cell = sb_evidence_farthest(e);
    const double share = sb_evidence_matrix_share(e, *cell / e->deal, *cell % e->deal);

    return sb_evidence_ratio(e, *cell / e->deal, share) - 1;
}

bool sb_pair_invisible(const struct sb_pair *pair)
{
    const struct sb_report *const exact = pair->exact;
    size_t cell;

    if (!sb_report_biased(exact) || sb_report_biased(pair->sampled))
        return false;
    return exact->has_effect
               ? sb_effect_invisible(&exact->effect)
               : exact->evidence.cells == 0 && fabs(sb_evidence_excess(&exact->evidence, &cell)) < SB_RATIO_FAINT;
}

const char *sb_pair_verdict(const struct sb_pair *pair, const struct sb_report *best)
{
    if (sb_pair_invisible(pair))
        return "biased, too little to see";
    return !sb_report_biased(best) && sb_report_biased(pair->sampled) ? "biased in the sample" : best->verdict;
}

struct sb_row sb_report_row(const struct sb_report *report, size_t rank)
{
    const struct sb_evidence *const e = &report->evidence;

    for (size_t i = 0; i < report->rows_count; i++)
        if (report->rows[i].rank == rank)
            return report->rows[i];
    const double share = e->by == SB_BY_EXACT || e->total ? sb_evidence_share(e, rank) : NAN;

    return (struct sb_row) { rank, share, share * (double)e->cells, NAN, NAN };
}

void sb_pairs_count(const struct sb_reports *reports, size_t *schemes, size_t *biased)
{
    *schemes = 0;
    *biased = 0;
    for (size_t i = 0; i < reports->count; ++*schemes) {
        struct sb_pair pair;

        i = sb_pair_next(reports, i, &pair);
        *biased += sb_pair_biased(&pair);
    }
}

enum sb_ink sb_document_ink(const char *verdict)
{
    if (strcmp(verdict, "biased, too little to see") == 0)
        return SB_INK_PLAIN;
    if (strncmp(verdict, "biased", 6) == 0)
        return SB_INK_BAD;
    return strcmp(verdict, "inconclusive") == 0 ? SB_INK_DOUBT : SB_INK_GOOD;
}

const char *sb_document_source(const struct sb_evidence *evidence)
{
    return evidence->by == SB_BY_EXACT ? sb_exact_word(evidence) : evidence->reach ? "over these seeds" : "sampled";
}

const char *sb_document_deal(const struct sb_notation *notation)
{
    return notation->text[0] ? notation->text : "()";
}

void sb_report_close(struct sb_report *report)
{
    if (report->has_effect)
        sb_effect_close(&report->effect);
    sb_evidence_close(&report->evidence);
    sb_explain_free(report->tree);
    sb_item_names_free(report->names);
    free(report->name);
    free(report->fair);
    free(report->left_out);
    free(report->shuffle);
    free(report->draw);
    free(report->rng);
    free(report->findings);
    for (size_t i = 0; i < SB_REPORT_OUTLIERS; i++)
        free(report->odd[i].items);
    free(report->rows);
    sb_counted_free(report->counted);
    free(report->correction);
    free(report->sentence);
    free(report->warning);
    sb_looks_like_close(&report->looks_like);
    *report = (struct sb_report) { 0 };
}

enum sb_status sb_reports_call(const struct sb_request *options, const char *title, const struct sb_subject *subject,
                               const char *const words[], size_t count, struct sb_error *error,
                               struct sb_reports *reports)
{
    if (title && !(reports->title = sb_sanitize_text(title, SB_TITLE_MOST)))
        return sb_error_memory(error, "the title");
    reports->command = sb_reproduce(options, NULL, subject, words, count);
    return reports->command ? SB_OK : sb_error_memory(error, "the command line");
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
    .page = sb_reports_page,
    .html = sb_reports_html,
    .json = sb_reports_json,
    .csv = sb_reports_csv,
    .cases = cases_reports,
    .svg = sb_reports_svg,
    .figure = sb_reports_figure,
};

void sb_reports_free(struct sb_reports *reports)
{
    if (!reports)
        return;
    for (size_t i = 0; i < reports->count; i++)
        sb_report_close(&reports->report[i]);
    free(reports->report);
    free(reports->title);
    free(reports->command);
    free(reports);
}
