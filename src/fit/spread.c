/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The variance of a chi-square statistic if the null hypothesis is wrong, and the confidence interval of the
 * effect.
 *
 * Pearson's X2 over cells of probability q is N |mean of Y|^2, where each sample's vector Y has the entry (1
 * - q)/sqrt(q) for the cell of the sample and -sqrt(q) for every other cell. For two samples, Y.Y' is 1/q - 1
 * if both are in the same cell, else -1. Let p be the true probabilities, and r = p/q. Over samples, let D =
 * sum p r be the mean of r, m2 the variance of r, and m3 the third central moment of r. Then
 *
 *   effect = D - 1,  noise = sum r - D,  trace = sum r^2 - 2 sum p r^2 + D^2,  slope = m2,
 *   curve = D + 1.5 m3/m2,
 *
 * and X2 has the variance 2 trace + 4 N slope. The second term comes from the delta method. It equals 4 N
 * (sum p^3/q^2 - (sum p^2/q)^2) (Agresti, Categorical Data Analysis, 16.1). All the quantities above, except
 * the curve, are estimated without bias from the counts O, by O (O-1) (O-2)/(N (N-1) (N-2)) and similar
 * products. The curve is the coefficient of the regression of the estimated slope on the estimated effect:
 * the covariance of their influence functions, divided by the variance of the effect's influence function.
 *
 * The noncentral chi-square law with noncentrality N effect has the variance 2 dof + 4 N effect. This
 * variance is correct if p is near q in every cell. Otherwise this variance may be a hundred times too small.
 * It may also be too large by any factor, because the slope may be 0 (as for a random rotation). So the code
 * treats X2/c as noncentral chi-square, with noise/c degrees of freedom (Satterthwaite, doi:10.2307/3002019).
 * The code chooses c so that both the mean and the variance are right. Near the null law, c is 1. The
 * inversion of the noncentral law assumes that the variance grows in proportion to the effect. If the
 * variance grows faster, samples with a low estimate of the effect show too little variance. So the code
 * makes the upper end of the interval at least as large as the t that solves the following equation, where z
 * is the normal quantile of the interval's level:
 *
 *   (t - effect)^2 = z^2 (2 trace/N^2 + 4/N (slope + curve (t - effect))).
 *
 * If all counts are in one cell, or if some cells have equal counts and all other cells are empty, the
 * estimated slope is 0, although the true slope may be positive. So the code adds ln(2/alpha) samples of a
 * fair shuffle, as Agresti and Coull do (doi:10.1080/00031305.1998.10480550), if these samples make the slope
 * larger. The code adds ln(2/alpha) samples because a cell whose expected count is ln(2/alpha) is empty with
 * a probability of about alpha/2.
 *
 * Cost: O(cells). For the measured coverage see docs/accuracy.md and tests/bench/effect_coverage.c.
 */
#include "fit/fit.h"

/* If the excess of the statistic over the degrees of freedom is below this share of the statistic, the excess
 * counts as rounding error. */
static const double spread_rounding = 1e-12;

/* The variance is itself an estimate, so the interval is widened by a factor of 1 + spread_small/N. Without
 * this factor, samples of 30 shuffles of three items gave a lower end above the true effect in up to 5.6% of
 * the samples, instead of 2.5%. */
static const double spread_small = 4;

/* From this noncentrality on, a closed form replaces sb_noncentral_interval(). */
static const double spread_far = 2000;

/* Moments of r over the samples of one member: an unbiased estimate of D, the unbiased slope, which may be
 * negative, and the plain sample mean. */
struct spread_moments {
    double d, slope, mean;
};

/* b - 1 of a cell, where b = (O-1)/((N-1) q). The weighted mean of b over the cells, with the weights O/N, estimates
 * D. */
static double spread_off(const struct sb_cell *cell, double total)
{
    const double q = cell->expected / total;

    return (q - 1 - cell->excess) / ((total - 1) * q);
}

/*
 * With the b above, the unbiased estimate of the second moment of r is the mean of b c, where c = (O-2)/((N-2) q) =
 * b - (N-O)/((N-1) (N-2) q). So the slope is the variance of b, less the mean of b (N-O)/((N-1) (N-2) q). In this form,
 * no digits cancel near a fair shuffle, where all r are close to 1.
 */
static struct spread_moments spread_moments(const struct sb_tally *tally, size_t member)
{
    const double total = (double)tally->total, pairs = (total - 1) * (total - 2);
    struct sb_sum off = { 0 }, square = { 0 }, noise = { 0 }, mean = { 0 };

    for (size_t i = 0; i < tally->cells; i++) {
        if (tally->count[member * tally->cells + i] == 0)
            continue;
        const struct sb_cell cell = sb_cell_get(tally, member, i);
        const double share = cell.count / total;

        sb_sum_add(&off, share * spread_off(&cell, total));
        sb_sum_add(&mean, share * (cell.count / cell.expected));
    }
    for (size_t i = 0; i < tally->cells; i++) {
        if (tally->count[member * tally->cells + i] == 0)
            continue;
        const struct sb_cell cell = sb_cell_get(tally, member, i);
        const double q = cell.expected / total, b = (cell.count - 1) / ((total - 1) * q);
        const double from_mean = spread_off(&cell, total) - sb_sum_value(&off), share = cell.count / total;

        sb_sum_add(&square, share * from_mean * from_mean);
        sb_sum_add(&noise, share * b * (total - cell.count) / (pairs * q));
    }
    return (struct spread_moments) {
        .d = 1 + sb_sum_value(&off),
        .slope = sb_sum_value(&square) - sb_sum_value(&noise),
        .mean = sb_sum_value(&mean),
    };
}

/* The curve, from the plain sample moments of r. */
static double spread_curve(const struct sb_tally *tally, size_t member, double mean)
{
    struct sb_sum second = { 0 }, third = { 0 };

    for (size_t i = 0; i < tally->cells; i++) {
        if (tally->count[member * tally->cells + i] == 0)
            continue;
        const struct sb_cell cell = sb_cell_get(tally, member, i);
        const double share = cell.count / (double)tally->total, off = cell.count / cell.expected - mean;

        sb_sum_add(&second, share * off * off);
        sb_sum_add(&third, share * off * off * off);
    }
    return sb_sum_value(&second) > 0 ? mean + 1.5 * sb_sum_value(&third) / sb_sum_value(&second) : mean;
}

void sb_spread_slope(const struct sb_tally *tally, size_t member, double *slope, double *curve)
{
    const struct spread_moments moments = spread_moments(tally, member);

    *slope = tally->total < 3 ? 0 : fmax(0, moments.slope);
    *curve = tally->total < 3 ? 0 : spread_curve(tally, member, moments.mean);
}

struct sb_spread sb_spread_cells(const struct sb_tally *tally, size_t member)
{
    const double total = (double)tally->total, pairs = total * (total - 1);
    struct sb_sum excess = { 0 }, first = { 0 }, twice_rare = { 0 };

    if (tally->total < 3)
        return (struct sb_spread) { .effect = -INFINITY };
    for (size_t i = 0; i < tally->cells; i++) {
        const struct sb_cell cell = sb_cell_get(tally, member, i);
        const double q = cell.expected / total, two = cell.count * (cell.count - 1);

        if (!(cell.expected > 0))
            continue;
        sb_sum_add(&excess, (cell.excess * cell.excess - cell.count) / cell.expected);
        sb_sum_add(&first, cell.count / cell.expected);
        if (cell.count >= 2)
            sb_sum_add(&twice_rare, two / (q * q));
    }
    const struct spread_moments moments = spread_moments(tally, member);
    const double effect = (sb_sum_value(&excess) + 1) / (total - 1), d2 = moments.d * moments.d;

    return (struct sb_spread) {
        .effect = effect,
        .noise = sb_sum_value(&first) - 1 - effect,
        .trace = sb_sum_value(&twice_rare) / pairs - 2 * moments.slope - d2,
        .slope = fmax(0, moments.slope),
        .curve = spread_curve(tally, member, moments.mean),
    };
}

/* Returns the larger of two slopes: the slope of the counts, and the slope after ln(2/alpha) samples of a
 * fair shuffle were added to the counts. */
static double spread_slope(const struct sb_spread *spread, double effect, double total, double alpha)
{
    const double added = -log(alpha / 2), share = total / (total + added);
    const double cube = share * (spread->slope + effect * effect) + (1 - share) * effect;

    return fmax(spread->slope, share * share * (cube - share * share * effect * effect));
}

/*
 * Computes the interval of a noncentrality, as sb_noncentral_interval() does. Far from 0, the square root of
 * the variable is nearly normal. With d = x - dof, the following closed form of both ends is accurate to
 * 0.0006 z times the width of the interval, for z up to 6.5:
 *
 *   d + z^2 + 1 -+ z sqrt(2 dof + 4 d).
 */
static void spread_noncentral(double x, double dof, double alpha, double z, double *low, double *high)
{
    const double d = x - dof;

    if (d < spread_far || d < dof) {
        sb_noncentral_interval(x, dof, alpha, low, high);
        return;
    }
    *low = d + z * z + 1 - z * sqrt(2 * dof + 4 * d);
    *high = d + z * z + 1 + z * sqrt(2 * dof + 4 * d);
}

void sb_spread_interval(const struct sb_spread *spread, double total, double alpha, struct sb_finding *finding)
{
    const double dof = finding->dof, widen = 1 + spread_small / total;
    const bool known = spread->effect > -INFINITY; /* otherwise there are too few samples for an estimate */
    const double effect = known ? fmax(0, spread->effect) : fmax(0, finding->value - dof) / total;
    /* with the S of spread.h, (tr S)^2 <= dof tr S^2 */
    const double noise = known ? fmax(spread->noise, spread_rounding * dof) : dof;
    const double trace = known ? fmax(spread->trace, noise * noise / dof) : dof;
    const double slope = known ? spread_slope(spread, effect, total, alpha) : effect;
    const double variance = 2 * trace + 4 * total * slope, scale = variance / (2 * noise + 4 * total * effect);
    const double x = known ? fmax(0, total * spread->effect + noise) : finding->value;
    const double z = sb_normal_upper(alpha / 2), bend = 2 * z * z * fmax(0, spread->curve) / total;
    double low, high;

    spread_noncentral(x / scale, noise / scale, alpha, z, &low, &high);
    high = fmax(scale * high / total - effect, bend + sqrt(z * z * variance / (total * total) + bend * bend));
    finding->effect = finding->value - dof < spread_rounding * finding->value ? 0 : effect;
    finding->effect_high = effect + widen * high;
    /* if alpha is near 1, both ends are near the median of an estimate, which may be above the estimate itself */
    finding->effect_low =
        low > 0 && finding->effect > 0 ? effect * pow(fmin(1, scale * low / (total * effect)), widen) : 0;
}

/*
 * The variance of the statistics of tests under an exact law p of K deals, in the terms of fit/fit.h. With r =
 * p K, D = sum p r and sums over deals:
 *
 *   Pearson            noise = K - D, trace = sum r^2 - 2 sum p r^2 + D^2, slope = sum p r^2 - D^2,
 *   likelihood ratio   noise = trace = K - 1, slope = the variance of ln r over shuffles,
 *   matrix             noise = trace = dof, slope = the variance of (n-1)/n sum over items of d/q, where q is the fair
 *                      probability of the item's column and d = its probability - q.
 *
 * Cost: O(K), for the matrix O(K n).
 */

struct sb_spread sb_law_spread_pearson(const struct sb_evidence *evidence, double effect)
{
    const double cells = (double)evidence->cells;
    struct sb_sum square = { 0 }, cube = { 0 };

    for (size_t rank = 0; rank < evidence->cells; rank++) {
        const double ratio = sb_evidence_share(evidence, rank) * cells;

        sb_sum_add(&square, ratio * ratio);
        sb_sum_add(&cube, ratio * ratio * ratio / cells);
    }
    const double d = 1 + effect, third = sb_sum_value(&cube);

    return (struct sb_spread) {
        .effect = effect,
        .noise = cells - d,
        .trace = sb_sum_value(&square) - 2 * third + d * d,
        .slope = fmax(0, third - d * d),
    };
}

struct sb_spread sb_law_spread_likelihood_ratio(const struct sb_evidence *evidence, double effect)
{
    const double cells = (double)evidence->cells;
    struct sb_sum first = { 0 }, square = { 0 };

    for (size_t rank = 0; rank < evidence->cells; rank++) {
        const double share = sb_evidence_share(evidence, rank), ln = share > 0 ? log(share * cells) : 0;

        sb_sum_add(&first, share * ln);
        sb_sum_add(&square, share * ln * ln);
    }
    const double mean = sb_sum_value(&first);

    return (struct sb_spread) {
        .effect = effect,
        .noise = cells - 1,
        .trace = cells - 1,
        .slope = fmax(0, sb_sum_value(&square) - mean * mean),
    };
}

/* Sets value[item * (k+1) + column] to (n-1)/n d/q; column k is "not dealt". */
static void law_spread_values(const struct sb_evidence *evidence, double value[])
{
    const size_t k = evidence->deal, columns = k + 1;
    const double n = (double)evidence->n, fair = 1 / n, rest = 1 - (double)k / n;

    for (size_t item = 0; item < evidence->n; item++) {
        double off = 0;

        for (size_t j = 0; j < k; j++) {
            const double d = sb_evidence_matrix_share(evidence, item, j) - fair;

            value[item * columns + j] = (n - 1) / n * d / fair;
            off -= d;
        }
        value[item * columns + k] = k < evidence->n ? (n - 1) / n * off / rest : 0;
    }
}

/* Returns the sum of the values of a deal. */
static double law_spread_of(const struct sb_evidence *evidence, const double value[], const sb_item deal[])
{
    const size_t k = evidence->deal, columns = k + 1;
    double sum = 0;

    for (size_t item = 0; item < evidence->n; item++)
        sum += value[item * columns + k];
    for (size_t j = 0; j < k; j++)
        sum += value[deal[j] * columns + j] - value[deal[j] * columns + k];
    return sum;
}

enum sb_status sb_law_spread_matrix(const struct sb_evidence *evidence, double effect, struct sb_spread *spread)
{
    const double n = (double)evidence->n, k = (double)evidence->deal;
    double *const value = calloc(evidence->n * (evidence->deal + 1), sizeof *value);
    sb_item *const deal = calloc(evidence->n, sizeof *deal);
    struct sb_sum first = { 0 }, square = { 0 };

    if (!value || !deal) {
        free(value);
        free(deal);
        return SB_NO_MEMORY;
    }
    law_spread_values(evidence, value);
    for (size_t rank = 0; rank < evidence->cells; rank++) {
        const double share = sb_evidence_share(evidence, rank);

        if (share == 0)
            continue;
        sb_evidence_unrank(evidence, rank, deal);
        const double sum = law_spread_of(evidence, value, deal);

        sb_sum_add(&first, share * sum);
        sb_sum_add(&square, share * sum * sum);
    }
    free(value);
    free(deal);
    const double mean = sb_sum_value(&first), dof = (n - 1) * (k < n ? k : n - 1);

    *spread = (struct sb_spread) {
        .effect = effect,
        .noise = dof,
        .trace = dof,
        .slope = fmax(0, sb_sum_value(&square) - mean * mean),
    };
    return SB_OK;
}
