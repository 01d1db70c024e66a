/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The methods of sb_reports_result, one for each format. */
#ifndef SB_STUDY_REPORT_REPORT_FORMAT_H
#define SB_STUDY_REPORT_REPORT_FORMAT_H

#include "report/html/html.h"
#include "report/json_writer.h"
#include "study/report/report_result.h"

struct sb_cases;

void sb_reports_html(const void *result, struct sb_html *html);
void sb_reports_json(const void *result, struct sb_json *json);
void sb_reports_csv(const void *result, FILE *stream);
/* Adds one case for each report. */
void sb_cases_reports(const void *result, struct sb_cases *cases);

#endif
