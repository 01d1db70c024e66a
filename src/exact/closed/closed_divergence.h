/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The integrand of the Kullback-Leibler divergence. */
#ifndef SB_EXACT_CLOSED_CLOSED_DIVERGENCE_H
#define SB_EXACT_CLOSED_CLOSED_DIVERGENCE_H

/* Returns (1 + x) ln(1 + x) - x, for x >= -1. The result is accurate to all digits, even if x is tiny. */
double sb_closed_divergence(double x);

#endif
