/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report as text or as Markdown. The page and its stream remember failures. */
#ifndef SB_STUDY_REPORT_PAGE_DOCUMENT_H
#define SB_STUDY_REPORT_PAGE_DOCUMENT_H

#include "report/exact_text.h"
#include "report/page.h"
#include "study/report/page/pair.h"

/* Writes the whole report: the run, the summary if all shuffles were reported, and the details. This function
 * is a method of sb_reports_result. */
void sb_document_page(const void *result, struct sb_page *page);

/* These functions write the parts of the report: the run, the table of all schemes, and one scheme. The
 * functions for the parts of one scheme follow in the order of the text. */
void sb_document_head(const struct sb_reports *reports, struct sb_page *page);
void sb_document_summary(const struct sb_reports *reports, struct sb_page *page);
void sb_document_table(const struct sb_reports *reports,
                       struct sb_page *page); /* the summary without its verdict */
void sb_document_detail(const struct sb_pair *pair, struct sb_page *page);
void sb_document_title(const struct sb_pair *pair, struct sb_page *page);
void sb_document_origin(const struct sb_pair *pair, struct sb_page *page);
void sb_document_permutations(const struct sb_pair *pair, struct sb_page *page);
void sb_document_picture(const struct sb_report *report, struct sb_page *page);
void sb_document_places(const struct sb_report *report, struct sb_page *page);
void sb_document_reach(const struct sb_report *report, struct sb_page *page);
void sb_document_effects(const struct sb_pair *pair, struct sb_page *page);
/* `report` may be NULL. */
void sb_document_tests(const struct sb_report *report, struct sb_page *page);
void sb_document_verdicts(const struct sb_pair *pair, struct sb_page *page);

/* On a page of many schemes, the anchors of the schemes with details are SB_DOCUMENT_ANCHOR and the index of the
 * scheme's first report. sb_document_detailed() returns whether the scheme whose first report is `index` has
 * details: biased schemes have, up to SB_DOCUMENT_DETAILS_MOST, and those with a visible bias come first. */
enum { SB_DOCUMENT_DETAILS_MOST = 22 };
#define SB_DOCUMENT_ANCHOR "scheme"
bool sb_document_detailed(const struct sb_reports *reports, size_t index);

/* Returns the colour of a verdict. */
enum sb_ink sb_document_ink(const char *verdict);

/* Returns where the numbers of a matrix come from: "exact", "in part", "over these seeds" or "sampled". */
const char *sb_document_source(const struct sb_evidence *evidence);

/* Returns a deal's notation for people, with a visible text for a deal of no cards. */
const char *sb_document_deal(const struct sb_notation *notation);

#endif
