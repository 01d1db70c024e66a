/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a chi-square statistic strays where the null hypothesis is wrong, and the interval of its effect.
 */
#ifndef SB_FIT_EFFECT_SPREAD_H
#define SB_FIT_EFFECT_SPREAD_H

#include "core/finding.h"
#include "core/tally.h"

/*
 * Of a statistic N |mean of Y|^2 over N samples, with M the mean and S the covariance of Y: its mean is N
 * |M|^2
 * + tr S, its variance is 2 tr S^2 + 4 N M'SM and terms that fade with N.
 */
struct sb_spread {
    double effect; /* |M|^2 without bias, so that noise may take it below 0 */
    double noise;  /* tr S; dof under the null law */
    double trace;  /* tr S^2; dof under the null law */
    double slope;  /* M'SM; near the null law equal to the effect */
    double curve;  /* how much the slope grows for each 1 of the effect; 1 near the null law */
};

/* Of Pearson's statistic over the cells of one member of a tally, which is not empty. */
struct sb_spread sb_spread_cells(const struct sb_tally *tally, size_t member);

/* Its slope and its curve alone, at half the cost. */
void sb_spread_slope(const struct sb_tally *tally, size_t member, double *slope, double *curve);

/* Sets effect, effect_low and effect_high of a finding whose value and dof are known; 0 < alpha < 1, dof > 0,
 * total > 0. */
void sb_spread_interval(const struct sb_spread *spread, double total, double alpha,
                        struct sb_finding *finding);

#endif
