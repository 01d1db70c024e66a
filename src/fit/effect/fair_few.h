/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The average largest and smallest count of a few fair shuffles. */
#ifndef SB_FIT_EFFECT_FAIR_FEW_H
#define SB_FIT_EFFECT_FAIR_FEW_H

#include <stddef.h>

enum { SB_FAIR_FEW = 64 };

/* Computes the means of the largest and of the smallest of `cells` >= 2 counts of equally likely deals, in `total`
 * shuffles, 1 to SB_FAIR_FEW. Relative errors are below 1e-8. */
void sb_fair_few(size_t total, size_t cells, double *largest, double *smallest);

#endif
