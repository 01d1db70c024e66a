/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far a chi-square statistic strays where the null hypothesis is wrong, and the interval of its effect.
 *
 * Pearson's X2 over cells of probability q is N |mean of Y|^2, Y the vector of (1 - q)/sqrt(q) for the cell
 * that came up and -sqrt(q) for the others. For two samples Y.Y' = 1/q - 1 if they are in the same cell, else
 * -1. Of cells that truly have probability p, with D = sum p^2/q, effect  sum (p - q)^2/q = D - 1, slope sum
 * p^3/q^2 - D^2, the variance of p/q over samples (delta method), trace   sum p^2/q^2 - 2 sum p^3/q^2 + D^2.
 * The powers of p are estimated without bias, by O (O-1) (O-2)/(N (N-1) (N-2)) and the like.
 *
 * The noncentral chi-square law has the variance 2 dof + 4 N effect, which is right where p is near q in
 * every cell; else it may be a hundred times too small, or infinitely too large (a rotation: slope 0). So the
 * interval is the noncentral one, stretched about the effect by the ratio of the standard deviations: upwards
 * additively, downwards on a logarithmic scale, so that it leaves out 0 whenever the p-value is below
 * alpha/2. As N grows it becomes the effect and z standard deviations of the delta method; as the effect goes
 * to 0, the noncentral one.
 *
 * Counts in which one cell took everything, or some cells took equal shares, show no slope, though the law
 * may have one. As Agresti and Coull (doi:10.1080/00031305.1998.10480550) do, ln(2/alpha) samples of a fair
 * shuffle, as many as N samples may miss of a cell, are added where that makes the slope larger.
 *
 * Cost: O(cells). Agresti, Categorical Data Analysis, 16.1 (delta method). Coverage as measured:
 * docs/statistics.md, tests/bench/effect_coverage.c.
 */
#include "fit/effect/spread.h"

#include "core/sum.h"
#include "fit/numeric/noncentral.h"
#include "fit/test/fit.h"

#include <math.h>

/* Relative to the statistic, an excess over its degrees of freedom below which it is rounding alone. */
static const double spread_rounding = 1e-12;

/* The variance is itself an estimate: over N samples the interval is wider by this over N. The figure has no
 * derivation: with it few intervals of three items and small N covered too little. */
static const double spread_small = 4;

struct sb_spread sb_spread_cells(const struct sb_tally *tally, size_t member)
{
    const double total = (double)tally->total, pairs = total * (total - 1), triples = pairs * (total - 2);
    struct sb_sum excess = { 0 }, twice = { 0 }, twice_rare = { 0 }, thrice = { 0 };

    for (size_t i = 0; i < tally->cells; i++) {
        const struct sb_cell cell = sb_cell_get(tally, member, i);
        const double q = cell.expected / total, two = cell.count * (cell.count - 1);

        if (!(cell.expected > 0))
            continue;
        sb_sum_add(&excess, (cell.excess * cell.excess - cell.count) / cell.expected);
        if (cell.count < 2)
            continue;
        sb_sum_add(&twice, two / q);
        sb_sum_add(&twice_rare, two / (q * q));
        sb_sum_add(&thrice, two * (cell.count - 2) / (q * q));
    }
    if (tally->total < 3)
        return (struct sb_spread) { 0 };
    const double d = sb_sum_value(&twice) / pairs, cube = sb_sum_value(&thrice) / triples;

    return (struct sb_spread) {
        .effect = fmax(0, (sb_sum_value(&excess) + 1) / (total - 1)),
        .slope = fmax(0, cube - d * d),
        .trace = fmax(0, sb_sum_value(&twice_rare) / pairs - 2 * cube + d * d),
    };
}

/* The slope, or that of the same counts with ln(2/alpha) samples of a fair shuffle added: whichever is
 * larger. */
static double spread_slope(const struct sb_spread *spread, double total, double alpha)
{
    const double added = -log(alpha / 2), share = total / (total + added), effect = spread->effect;
    const double cube = share * (spread->slope + effect * effect) + (1 - share) * effect;

    return fmax(spread->slope, share * share * (cube - share * share * effect * effect));
}

void sb_spread_interval(const struct sb_spread *spread, double total, double alpha,
                        struct sb_finding *finding)
{
    const double dof = finding->dof, x = finding->value, centre = fmax(x - dof, 0);
    const double variance = 2 * spread->trace + 4 * total * spread_slope(spread, total, alpha);
    const double stretch = sqrt(variance / (2 * dof + 4 * centre)) * (1 + spread_small / total);
    double low, high;

    finding->effect = x - dof < spread_rounding * x ? 0 : spread->effect;
    sb_noncentral_interval(x, dof, alpha, &low, &high);
    finding->effect_high = finding->effect + stretch * (high - centre) / total;
    finding->effect_low = low > 0 ? finding->effect * pow(low / centre, stretch) : 0;
}
