/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ln Gamma(x) for x > 0, for code that any thread may run. The C library's lgamma() also writes the global
 * variable `signgam`, so two threads that call it race, and a caller that reads `signgam` could see the sign of
 * another thread's result.
 */
#ifndef SB_CORE_LN_GAMMA_H
#define SB_CORE_LN_GAMMA_H

/* Returns ln Gamma(x), x > 0: the same double as lgamma(x). */
double sb_ln_gamma(double x);

#endif
