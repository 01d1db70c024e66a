/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The variance of a chi-square statistic if the null hypothesis is wrong, and the confidence interval of the
 * effect. */
#ifndef SB_FIT_EFFECT_SPREAD_H
#define SB_FIT_EFFECT_SPREAD_H

#include "core/finding.h"
#include "core/tally.h"

/*
 * The mean and the variance of a statistic N |mean of Y|^2 over N samples, where the vector Y of each sample
 * has mean M and covariance S:
 *   mean       N |M|^2 + tr S
 *   variance   2 tr S^2 + 4 N M'SM, up to terms that vanish as N grows.
 */
struct sb_spread {
    double effect; /* an unbiased estimate of |M|^2, which noise may make negative */
    double noise;  /* tr S; equal to dof under the null law */
    double trace;  /* tr S^2; equal to dof under the null law */
    double slope;  /* M'SM; equal to the effect near the null law */
    double curve;  /* how much the slope grows per unit of effect; 1 near the null law */
};

/* Returns the spread of Pearson's statistic over the cells of one member. The tally must not be empty. */
struct sb_spread sb_spread_cells(const struct sb_tally *tally, size_t member);

/* Computes only the slope and the curve of sb_spread_cells(), at half the cost. */
void sb_spread_slope(const struct sb_tally *tally, size_t member, double *slope, double *curve);

/* Sets effect, effect_low and effect_high of a finding whose value and dof are known; 0 < alpha < 1, dof > 0,
 * total > 0. */
void sb_spread_interval(const struct sb_spread *spread, double total, double alpha,
                        struct sb_finding *finding);

#endif
