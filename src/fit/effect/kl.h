/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The divergence of two coins is kl(a||s) = a ln(a/s) + (1-a) ln((1-a)/(1-s)). These functions solve kl(a||s)
 * = r for s. The solution bounds the true probability of an event whose observed share is a.
 */
#ifndef SB_FIT_EFFECT_KL_H
#define SB_FIT_EFFECT_KL_H

/*
 * Returns the largest d with kl(a || a+d) <= r, accurate to 1e-13. 0 <= a <= 1, and r > 0. So sup{s :
 * kl(a||s) <= r} is a + d, and inf{s : kl(a||s) <= r} is a - sb_kl_rise(1-a, r).
 */
double sb_kl_rise(double a, double r);

/* A lower bound on sb_kl_rise(). Its only costly operation is a square root. */
double sb_kl_rise_least(double a, double r);

#endif
