/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact and the sampled report of one scheme, shown side by side. */
#ifndef SB_STUDY_REPORT_PAGE_PAIR_H
#define SB_STUDY_REPORT_PAGE_PAIR_H

#include "study/report/report_result.h"

/* The two reports, of which at least one is not NULL. A report by seeds takes the place of the exact report.
 * Both are borrowed. */
struct sb_pair {
    const struct sb_report *exact, *sampled;
};

/* Makes a pair of the report at `index` and the next report, if the next report is the sampled report of the
 * same scheme. Otherwise the pair has only the report at `index`. Returns the index after the pair. */
size_t sb_pair_next(const struct sb_reports *reports, size_t index, struct sb_pair *pair);

/* Returns the exact report if there is one, else the sampled report. */
const struct sb_report *sb_pair_best(const struct sb_pair *pair);

/* Returns a copy of the pair. The copy omits the exact report if that report has only a matrix and there is a
 * sampled report. */
struct sb_pair sb_pair_counted(const struct sb_pair *pair);

bool sb_report_biased(const struct sb_report *report);

/* Returns whether the bias is too small to be noticed: the exact law is biased, but no sample of a feasible
 * size would show the bias, and the sampled report does not show the bias either. */
bool sb_pair_invisible(const struct sb_pair *pair);

/* Returns the verdict of `best` in a few words or, if only the sample shows a bias, the verdict of the
 * sample. */
const char *sb_pair_verdict(const struct sb_pair *pair, const struct sb_report *best);

/* Returns the table's row of the deal with this rank, or NULL if the table has no such row. */
const struct sb_row *sb_report_row(const struct sb_report *report, size_t rank);

/* Counts the schemes with reports, and the biased schemes among them. */
void sb_pairs_count(const struct sb_reports *reports, size_t *schemes, size_t *biased);

#endif
