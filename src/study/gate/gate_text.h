/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ways to write the gate's findings; as with formats, nothing is computed here. */
#ifndef SB_STUDY_GATE_GATE_TEXT_H
#define SB_STUDY_GATE_GATE_TEXT_H

#include "gate/findings.h"
#include "report/page.h"
#include "report/result.h"

struct sb_cases;
struct sb_html;
struct sb_json;

extern const struct sb_result_type sb_suite_result;

/* One subject's findings on a page. */
void sb_gate_page(const struct sb_gate *gate, struct sb_page *page);

/* Their two parts: the verdict, and what it rests on. */
void sb_gate_sentence(const struct sb_gate *gate, struct sb_page *page);
void sb_gate_detail(const struct sb_gate *gate, struct sb_page *page);

/* Methods of sb_suite_result. For people: a table of the subjects, and the findings on those that did not pass. */
void sb_suite_page(const void *result, struct sb_page *page);
void sb_suite_html(const void *result, struct sb_html *html);
void sb_suite_json(const void *result, struct sb_json *json);
/* For each subject its verdict, then each statistic. */
void sb_cases_suite(const void *result, struct sb_cases *cases);
/* The commands of GitHub's workflows. */
enum sb_status sb_suite_github(const void *result, FILE *stream);

/* What a line is about, into text: "rank", "position of item 3"; of a chain it is what lay at that place that
 * moves. */
enum { SB_GATE_WHAT = 128 };
void sb_gate_what(const struct sb_gate *gate, const struct sb_gate_line *line, char text[SB_GATE_WHAT]);

/* Where the lines of the next statistic begin, after those of line i's. */
size_t sb_gate_family_end(const struct sb_gate *gate, size_t i);

/* "pass", "fail", "inconclusive" or "broken". Static. */
const char *sb_verdict_name(enum sb_verdict verdict);

#endif
