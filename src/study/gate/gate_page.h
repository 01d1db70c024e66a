/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the gate's findings. Like all formats, these functions compute nothing. */
#ifndef SB_STUDY_GATE_GATE_PAGE_H
#define SB_STUDY_GATE_GATE_PAGE_H

#include "report/page.h"
#include "study/results.h"

/* Anchors on the page of a suite, with the index of the subject. */
#define SB_SUITE_FINDINGS "subject"
#define SB_SUITE_FIGURES "figures"
void sb_suite_json(const void *result, struct sb_json *json);

/* Writes the findings on one subject: the verdict, and the details. */
void sb_gate_page(const struct sb_gate *gate, struct sb_page *page);
void sb_gate_sentence(const struct sb_gate *gate, struct sb_page *page);
void sb_gate_detail(const struct sb_gate *gate, struct sb_page *page);

/* Writes the figures of a gate that has evidence. */
void sb_gate_figures(const struct sb_gate *gate, struct sb_html *html);

/* Write the statistics that are left out at a large n, if there are any: as a paragraph, and as the field
 * `left_out`. */
void sb_gate_left_out(const struct sb_gate *gate, struct sb_page *page);
void sb_gate_left_out_json(struct sb_json *json, const struct sb_gate *gate);
/* Writes what was tested: the subject, and the numbers of items. */
void sb_gate_subject_json(struct sb_json *json, const struct sb_gate *gate);
extern const struct sb_member sb_gate_cell_members[];

/* Writes the name of a line: "rank", "position of item 3". A chain's item 3 was at position 3 before the step. */
enum { SB_GATE_WHAT = 128 };
void sb_gate_what(const struct sb_gate *gate, const struct sb_gate_line *line, char text[SB_GATE_WHAT]);

/* Writes bounds of the total variation from fair: "between 0.02 and 0.1" for pages; "above 0" if the law was shown
 * to be biased without a lower bound; and "0.0200-0.1000", with a longer dash, for text. */
struct sb_number sb_gate_bounds(const struct sb_gate *gate, double low, double high);
struct sb_number sb_gate_bounds_range(double low, double high);

/* Returns the line of the bettor whose predictions explain the failure; NULL if there is none, or cells explain it. */
const struct sb_gate_line *sb_gate_predicted(const struct sb_gate *gate);

/* Adds what the predictions of this bettor were based on. */
void sb_sentence_predicted(struct sb_sentence *s, const struct sb_gate *gate, const struct sb_gate_line *bettor);

/* Add the least likely deck or step, and how many are as odd; and write it as a paragraph, and as JSON. All do nothing
 * if there is none. */
void sb_sentence_odd(struct sb_sentence *s, const struct sb_odd *odd);
void sb_sentence_odd_alike(struct sb_sentence *s, const struct sb_odd *odd, uint64_t total);
void sb_odd_page(const struct sb_odd *odd, struct sb_page *page);
void sb_odd_json(struct sb_json *json, const struct sb_odd *odd);

/* Describes the least likely deck or step, of `total`. `names` may be NULL; the caller frees odd->items.
 * SB_NO_MEMORY. */
enum sb_status sb_odd_of(const struct sb_outlier *worst, const struct sb_item_names *names, bool steps,
                         struct sb_odd *odd);

/* Returns whether the gate rejects the number of whole decks that came up again. */
bool sb_gate_repeats_rejected(const struct sb_gate *gate);

/* Returns whether a run of decks that came again is what the gate has most evidence of. */
bool sb_gate_replayed(const struct sb_gate *gate);

/* Adds which decks came again. */
void sb_sentence_replay(struct sb_sentence *s, const struct sb_replay_run *run, const char *deck);

/* Returns the index of the first line after line i that belongs to another statistic. */
size_t sb_gate_family_end(const struct sb_gate *gate, size_t i);

/* Returns "pass", "fail", "inconclusive" or "broken". The string is static. */
const char *sb_verdict_name(enum sb_verdict verdict);

/* Labels the gate's most deviant cells in words. The tallies must be those at which the gate has looked. */
void sb_gate_label_cells(const struct sb_tally tally[], size_t count, struct sb_gate *gate);

/* Names the most deviant cell, and the one that deviates most in the other direction, if chance does not explain it. */
void sb_sentence_cells(struct sb_sentence *s, const struct sb_gate *gate);

/* Sets the sentence and the details of a gate whose other fields are set. SB_NO_MEMORY. */
enum sb_status sb_gate_sentence_set(struct sb_gate *gate);

#endif
