/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the gate's findings; like all formats, it computes nothing. */
#ifndef SB_STUDY_GATE_GATE_TEXT_H
#define SB_STUDY_GATE_GATE_TEXT_H

#include "gate/findings.h"
#include "report/page.h"
#include "report/result.h"

struct sb_cases;
struct sb_html;
struct sb_json;
struct sb_sentence;

extern const struct sb_result_type sb_suite_result;

/* One subject's findings on a page. */
void sb_gate_page(const struct sb_gate *gate, struct sb_page *page);

/* The two parts of the page: the verdict, and the details. */
void sb_gate_sentence(const struct sb_gate *gate, struct sb_page *page);
void sb_gate_detail(const struct sb_gate *gate, struct sb_page *page);

/* The statistics that are left out at a large n, as a paragraph and as the field `left_out`; nothing if there are
 * none. */
void sb_gate_left_out(const struct sb_gate *gate, struct sb_page *page);
void sb_gate_left_out_json(struct sb_json *json, const struct sb_gate *gate);

/* Methods of sb_suite_result. For people: a table of the subjects, and the findings on those that did not pass. */
void sb_suite_page(const void *result, struct sb_page *page);
void sb_suite_html(const void *result, struct sb_html *html);
void sb_suite_json(const void *result, struct sb_json *json);
/* For each subject, its verdict and then each statistic. */
void sb_cases_suite(const void *result, struct sb_cases *cases);
/* The commands of GitHub's workflows. */
enum sb_status sb_suite_github(const void *result, FILE *stream);

/* The name of a line: "rank", "position of item 3"; for a chained subject, the item that was at that position
 * before the step. */
enum { SB_GATE_WHAT = 128 };
void sb_gate_what(const struct sb_gate *gate, const struct sb_gate_line *line, char text[SB_GATE_WHAT]);

/* The rejected bettor, if its predictions are what a failure is about; NULL if cells show more. Then says what the
 * predictions went by. */
const struct sb_gate_line *sb_gate_predicted(const struct sb_gate *gate);
void sb_sentence_predicted(struct sb_sentence *s, const struct sb_gate *gate,
                           const struct sb_gate_line *bettor);

/* The first line of the next statistic after line i's. */
size_t sb_gate_family_end(const struct sb_gate *gate, size_t i);

/* "pass", "fail", "inconclusive" or "broken". Static. */
const char *sb_verdict_name(enum sb_verdict verdict);

#endif
