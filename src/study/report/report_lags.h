/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps at several lags (tally/lags.h) of a report on a stream. */
#ifndef SB_STUDY_REPORT_REPORT_LAGS_H
#define SB_STUDY_REPORT_REPORT_LAGS_H

#include "core/finding.h"
#include "study/results.h"
#include "tally/lags.h"

struct sb_report_lags {
    struct sb_lags *lags; /* owned; NULL: not tallied */
    uint64_t decks;       /* number of permutations that took part so far */
    bool found;
    struct sb_finding finding; /* if `found` */
};

/* Makes the tallies of a report on deals of `deal` out of n; none unless the deals are whole permutations. The caller
 * closes the struct, even after an error. Errors: SB_TOO_LARGE, SB_NO_MEMORY. */
enum sb_status sb_report_lags_open(size_t n, size_t deal, struct sb_error *error,
                                   struct sb_report_lags *lags);
void sb_report_lags_close(struct sb_report_lags *lags);

/* Counts the steps to valid permutations, items[count * n]. */
void sb_report_lags_add(struct sb_report_lags *lags, const sb_item items[], size_t count);

/* Tests the steps, if there are enough. Errors: SB_NO_MEMORY, SB_BROKEN. */
enum sb_status sb_report_lags_test(struct sb_report_lags *lags, double alpha);

/* Returns the finding, or NULL if there are too few steps. */
const struct sb_finding *sb_report_lags_found(const struct sb_report_lags *lags);

#endif
