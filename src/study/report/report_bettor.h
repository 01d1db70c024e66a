/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bettor (tally/bettor.h) of a report on a stream. */
#ifndef SB_STUDY_REPORT_REPORT_BETTOR_H
#define SB_STUDY_REPORT_REPORT_BETTOR_H

#include "study/results.h"
#include "tally/bettor.h"

struct sb_report_bettor {
    struct sb_bettor *bettor; /* owned; NULL: no bettor */
    double ln_e;              /* the largest ln E at a look */
    struct sb_tally most;     /* the bettor's tally at the look with the largest ln E */
};

/* Makes the bettor of a report on deals of `deal` out of n, if the options and the deals allow a bettor. The
 * caller must not copy or move the struct, and closes the struct even after an error. Error: SB_NO_MEMORY. */
enum sb_status sb_report_bettor_open(const struct sb_options *options, size_t n, size_t deal,
                                     struct sb_error *error, struct sb_report_bettor *bettor);
void sb_report_bettor_close(struct sb_report_bettor *bettor);

/* Bets on valid permutations, items[count * n]. */
void sb_report_bettor_add(struct sb_report_bettor *bettor, const sb_item items[], size_t count);

/* Looks at the bettor's E after `total` permutations. Returns the total at which the next look is due. */
uint64_t sb_report_bettor_look(struct sb_report_bettor *bettor, uint64_t total);

/* Returns the bettor's tally at the largest E, for the test. Returns NULL if there is no bettor or no
 * permutation. */
const struct sb_tally *sb_report_bettor_most(const struct sb_report_bettor *bettor);

#endif
