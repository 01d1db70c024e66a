/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the gate's findings. Like all formats, these functions compute nothing. */
#ifndef SB_STUDY_GATE_GATE_TEXT_H
#define SB_STUDY_GATE_GATE_TEXT_H

#include "gate/gate.h"
#include "report/number.h"
#include "report/page.h"
#include "report/result.h"

struct sb_cases;
struct sb_html;
struct sb_json;
struct sb_sentence;

extern const struct sb_result_type sb_suite_result;

/* Writes the findings on one subject. */
void sb_gate_page(const struct sb_gate *gate, struct sb_page *page);

/* Writes the first part of the page: the verdict. */
void sb_gate_sentence(const struct sb_gate *gate, struct sb_page *page);
/* Writes the second part of the page: the details. */
void sb_gate_detail(const struct sb_gate *gate, struct sb_page *page);

/* Writes a paragraph on the statistics that are left out at a large n; writes nothing if there are none. */
void sb_gate_left_out(const struct sb_gate *gate, struct sb_page *page);
/* Writes the statistics that are left out at a large n as the JSON field `left_out`; writes nothing if there
 * are none. */
void sb_gate_left_out_json(struct sb_json *json, const struct sb_gate *gate);

/* Methods of sb_suite_result. The page is a table of the subjects, followed by the findings on the subjects
 * that did not pass. */
#define SB_SUITE_FINDINGS "subject" /* anchors on the page, with the index of the subject */
#define SB_SUITE_FIGURES "figures"
void sb_suite_page(const void *result, struct sb_page *page);
void sb_suite_html(const void *result, struct sb_html *html);
void sb_suite_json(const void *result, struct sb_json *json);
/* Adds the test cases of each subject: first a case for the verdict, and then a case for each statistic. */
void sb_cases_suite(const void *result, struct sb_cases *cases);
/* Writes annotations for GitHub's workflows. */
enum sb_status sb_suite_github(const void *result, FILE *stream);

/* Writes the name of a line: "rank", "position of item 3". For a chained subject, item 3 is the item that was
 * at position 3 before the step. */
enum { SB_GATE_WHAT = 128 };
void sb_gate_what(const struct sb_gate *gate, const struct sb_gate_line *line, char text[SB_GATE_WHAT]);

/* Writes bounds of the total variation from fair in words, for pages: "between 0.02 and 0.1". If there is no lower
 * bound although the gate has shown that the law is biased, says that the total variation is above 0. */
struct sb_number sb_gate_bounds(const struct sb_gate *gate, double low, double high);
/* Writes bounds of the total variation from fair in numbers, for text: "0.0200-0.1000" with a longer dash. */
struct sb_number sb_gate_bounds_range(double low, double high);

/* Returns the line of the bettor if the bettor's predictions explain the failure. Returns NULL if there is no
 * such line, or if cells explain the failure better. */
const struct sb_gate_line *sb_gate_predicted(const struct sb_gate *gate);
/* Says that permutations depend on each other, and how. */
void sb_sentence_dependent(struct sb_sentence *s, const struct sb_gate *gate);

/* Adds what the predictions of this bettor were based on. */
void sb_sentence_predicted(struct sb_sentence *s, const struct sb_gate *gate,
                           const struct sb_gate_line *bettor);

/* Returns whether the gate rejects the number of whole decks that came up again. */
bool sb_gate_repeats_rejected(const struct sb_gate *gate);

/* Returns the index of the first line after line i that belongs to another statistic. */
size_t sb_gate_family_end(const struct sb_gate *gate, size_t i);

/* Returns "pass", "fail", "inconclusive" or "broken". The string is static. */
const char *sb_verdict_name(enum sb_verdict verdict);

#endif
