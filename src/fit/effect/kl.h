/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The divergence of two coins, kl(a||s) = a ln(a/s) + (1-a) ln((1-a)/(1-s)), solved for s: how much more
 * likely something can be that was seen with a share of a.
 */
#ifndef SB_FIT_EFFECT_KL_H
#define SB_FIT_EFFECT_KL_H

/*
 * The largest d with kl(a || a+d) <= r, 0 <= a <= 1, 0 < r; right to 1e-13. So sup{s : kl(a||s) <= r} is
 * a + d, and inf{s : kl(a||s) <= r} is a less the d of 1-a.
 */
double sb_kl_rise(double a, double r);

/* No more than that, by a square root alone. */
double sb_kl_rise_least(double a, double r);

#endif
