/* SPDX-License-Identifier: GPL-3.0-or-later */
/* E-processes: evidence against a null law that is valid after any number of looks. */
#ifndef SB_FIT_SEQUENTIAL_E_PROCESS_H
#define SB_FIT_SEQUENTIAL_E_PROCESS_H

#include "core/tally.h"

struct sb_e_value {
    double ln_e;    /* of the mixture: under the null law, E ever reaches 1/alpha with probability at most
                       alpha; 0 if nothing was tallied */
    double ln_best; /* sum c ln(p/q), the value for the law that fits the counts best; at least ln_e */
};

/*
 * The e-values of all members of a statistic, e[tally->members]; accurate to 1e-9 for up to 2^31 deals.
 * Both are infinite once an impossible cell has a count.
 */
void sb_e_process(const struct sb_tally *tally, struct sb_e_value e[]);

/* The same functions of half of each count, for sb_tv_low(); they are not evidence by themselves. */
void sb_e_process_half(const struct sb_tally *tally, struct sb_e_value e[]);

#endif
