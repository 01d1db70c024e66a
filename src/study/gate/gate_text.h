/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ways to write the gate's findings; as with formats, nothing is computed here. */
#ifndef SB_STUDY_GATE_GATE_TEXT_H
#define SB_STUDY_GATE_GATE_TEXT_H

#include "gate/findings.h"
#include "report/page.h"

/* For people: text or Markdown, as the page is. A single subject's findings; a suite's, with a table of its
 * subjects and the findings on those that did not pass; the table alone. SB_IO, SB_NO_MEMORY. */
enum sb_status sb_gate_page(const struct sb_gate *gate, struct sb_page *page);
enum sb_status sb_suite_page(const struct sb_suite *suite, struct sb_page *page);
enum sb_status sb_suite_summary_page(const struct sb_suite *suite, struct sb_page *page);

/* Its two parts: the verdict, and what it rests on. */
void sb_gate_sentence(const struct sb_gate *gate, struct sb_page *page);
void sb_gate_detail(const struct sb_gate *gate, struct sb_page *page);

/* The same as a page for browsers, with figures: html/gate.c. SB_IO, SB_NO_MEMORY. */
enum sb_status sb_suite_html(const struct sb_suite *suite, FILE *stream);

/* For programs: data/schema/gate-2.json. SB_IO. */
enum sb_status sb_suite_json(const struct sb_suite *suite, FILE *stream);

/* Its fields `terms` and `looks`: the latter with a place in each of four arrays for each look. */
struct sb_json;
void sb_gate_json_terms(struct sb_json *json, const struct sb_gate_terms *terms);
void sb_gate_json_looks(struct sb_json *json, const struct sb_gate_point point[], size_t count);

/* For what reads the results of tests: JUnit's XML, data/schema/junit.xsd; the Test Anything Protocol; and
 * the commands of GitHub's workflows. SB_IO, SB_NO_MEMORY. */
enum sb_status sb_suite_junit(const struct sb_suite *suite, FILE *stream);
enum sb_status sb_suite_tap(const struct sb_suite *suite, FILE *stream);
enum sb_status sb_suite_github(const struct sb_suite *suite, FILE *stream);

/* What a line is about, into text: "rank", "position of item 3"; of a chain it is what lay at that place that
 * moves. */
enum { SB_GATE_WHAT = 128 };
void sb_gate_what(const struct sb_gate *gate, const struct sb_gate_line *line, char text[SB_GATE_WHAT]);

/* For each subject its verdict, then each statistic, as cases. The caller closes them. */
struct sb_cases;
void sb_cases_suite(const struct sb_suite *suite, struct sb_cases *cases);

/* Where the lines of the next statistic begin, after those of line i's. */
size_t sb_gate_family_end(const struct sb_gate *gate, size_t i);

/* "pass", "fail", "inconclusive" or "broken". Static. */
const char *sb_verdict_name(enum sb_verdict verdict);

#endif
