/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The integrand of a divergence. */
#ifndef SB_EXACT_CLOSED_CLOSED_DIVERGENCE_H
#define SB_EXACT_CLOSED_CLOSED_DIVERGENCE_H

/* (1 + x) ln(1 + x) - x, x >= -1: with all its digits where x is tiny. */
double sb_closed_divergence(double x);

#endif
