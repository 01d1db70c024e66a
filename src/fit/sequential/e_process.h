/* SPDX-License-Identifier: GPL-3.0-or-later */
/* E-processes: evidence against a null law that may be looked at as often as one likes. */
#ifndef SB_FIT_SEQUENTIAL_E_PROCESS_H
#define SB_FIT_SEQUENTIAL_E_PROCESS_H

#include "core/tally.h"

struct sb_e_value {
    double ln_e;    /* of the mixture: under the null law E ever reaches 1/alpha with probability at most
                       alpha; 0 where nothing was tallied */
    double ln_best; /* sum c ln(p/q): what the law that suits the counts best would reach; at least ln_e */
};

/*
 * The e-values of all members of a statistic, e[tally->members]; right to 1e-9 for up to 2^31 deals. Both
 * are infinite once a cell that cannot occur was counted.
 */
void sb_e_process(const struct sb_tally *tally, struct sb_e_value e[]);

/* The same functions of half of each count, which is no evidence by itself: for sb_tv_low(). */
void sb_e_process_half(const struct sb_tally *tally, struct sb_e_value e[]);

#endif
