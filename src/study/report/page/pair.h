/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact and the sampled report of one scheme, which people see side by side. */
#ifndef SB_STUDY_REPORT_PAGE_PAIR_H
#define SB_STUDY_REPORT_PAGE_PAIR_H

#include "study/report/report_result.h"

/* At least one of them is there; in the exact one's place may be one by seeds. Borrowed. */
struct sb_pair {
    const struct sb_report *exact, *sampled;
};

/* Takes the report at `index`, and the next one too where it is the sampled one of the same scheme. The new
 * index. */
size_t sb_pair_next(const struct sb_reports *reports, size_t index, struct sb_pair *pair);

/* The better one: the exact one where there is one. */
const struct sb_report *sb_pair_best(const struct sb_pair *pair);

/* The pair without an exact report of which only the matrix is known, unless that is all there is. */
struct sb_pair sb_pair_counted(const struct sb_pair *pair);

bool sb_report_biased(const struct sb_report *report);

/* Whether nobody needs an alarm: the exact law is biased, but no sample of a feasible size would show it, nor
 * does the one that is there. */
bool sb_pair_invisible(const struct sb_pair *pair);

/* The verdict of `best` in a few words, or that of the sample beside it where that alone shows a bias. */
const char *sb_pair_verdict(const struct sb_pair *pair, const struct sb_report *best);

/* The line of the table of that rank, or NULL. */
const struct sb_row *sb_report_row(const struct sb_report *report, size_t rank);

/* The number of schemes that there are reports on, and of these the biased ones. */
void sb_pairs_count(const struct sb_reports *reports, size_t *schemes, size_t *biased);

#endif
