/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact and the sampled report of one scheme, shown side by side. */
#ifndef SB_STUDY_REPORT_PAGE_PAIR_H
#define SB_STUDY_REPORT_PAGE_PAIR_H

#include "study/report/report_result.h"

/* At least one is set. A report by seeds takes the place of the exact one. Borrowed. */
struct sb_pair {
    const struct sb_report *exact, *sampled;
};

/* Takes the report at `index`, and also the next one if it is the sampled one of the same scheme. Returns the
 * next index. */
size_t sb_pair_next(const struct sb_reports *reports, size_t index, struct sb_pair *pair);

/* The exact report if there is one, else the sampled one. */
const struct sb_report *sb_pair_best(const struct sb_pair *pair);

/* The pair. If its exact report has only a matrix and there is a sampled report, without the exact report. */
struct sb_pair sb_pair_counted(const struct sb_pair *pair);

bool sb_report_biased(const struct sb_report *report);

/* Whether the bias needs no alarm: the exact law is biased, but no sample of a feasible size would show it,
 * and neither does this sample. */
bool sb_pair_invisible(const struct sb_pair *pair);

/* The verdict of `best` in a few words, or that of the sample if only the sample shows a bias. */
const char *sb_pair_verdict(const struct sb_pair *pair, const struct sb_report *best);

/* The line of the table of that rank, or NULL. */
const struct sb_row *sb_report_row(const struct sb_report *report, size_t rank);

/* The number of schemes with reports, and of biased schemes. */
void sb_pairs_count(const struct sb_reports *reports, size_t *schemes, size_t *biased);

#endif
