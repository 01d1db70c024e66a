/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The laws of the catalogue's candidates (tally/order.h), enclosed. */
#ifndef CERTIFIED_EXACT_LAW_H
#define CERTIFIED_EXACT_LAW_H

#include "certified/certify.h"

#include "tally/order.h"

/* Sets ratio[cell] to p/q for each of the candidate's cells: p is the probability under the candidate, q that of a
 * fair shuffle. Cells that never occur have an exact 0. */
void exact_law(const struct sb_candidate *candidate, size_t n, slong bits, arb_ptr ratio);

/* The mean of the likelihood ratio of one deck of a fair shuffle: the sum of q r over the cells, where ln r[cell] is
 * ln_ratio[cell], or minus infinity. If the cells are draws, the product of these means over the draws. */
void exact_mean(size_t n, size_t of, arb_srcptr ln_ratio, slong bits, arb_t mean);

#endif
