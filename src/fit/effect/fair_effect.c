/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The average effect sizes that the counts of a fair shuffle show, although its true effects are 0. There are
 * N shuffles and K equally likely deals, each with a mean count of m = N/K. E[x] is the mean of x.
 *
 *   total variation    by De Moivre's formula, exact (fit/numeric/binomial.c)
 *   chi-square         (K-1)/N, exact
 *   divergence         E[X/m ln(X/m)] for a binomial count X, exact; from m = 10,000 on
 *                      (K-1)/(2N) (1 + (K+1)/(6N)) (Williams, doi:10.1093/biomet/63.1.33), within 1e-8
 *   extreme ratios     E[max]/m and E[min]/m: exact up to N = 64 (fit/effect/fair_few.c), above it for K independent
 *                      Poisson counts; from m = 100,000 on by Cornish and Fisher's expansion m + sqrt(m) z +
 *                      (z^2-1)/6, where z is the largest of K normal variables
 *
 * If independent Poisson counts happen to have the sum N, they have the distribution of the real counts. But
 * the sum of Poisson counts varies, with a standard deviation of sqrt(N). The distance of the largest count
 * from the mean count is proportional to sqrt(sum/K). So the average distance of the largest Poisson count is
 * too small by the relative amount 1/(8N). The code corrects this error (Jacquet and Szpankowski,
 * doi:10.1016/S0304-3975(97)00167-9).
 *
 * Cost: about 40 sqrt(m) steps up to the limits above, and at most 17,000 steps beyond them. The results are
 * tested against all outcomes of a few shuffles.
 */
#include "fit/effect/fair_effect.h"

#include "core/sum.h"
#include "fit/effect/fair_few.h"
#include "fit/numeric/binomial.h"
#include "fit/numeric/special.h"

#include <float.h>
#include <math.h>

static const double fair_divergence_most = 1e4,
                    fair_poisson_most = 1e5; /* the largest mean count for the exact sums */

/* Counts that are farther than this from the mean are too unlikely to matter, even among 10^9 cells. */
static double fair_reach(double mean)
{
    return 14 * sqrt(mean) + 60;
}

/* ln of the probability of a binomial count, from deviances and Stirling's remainder as in
 * fit/numeric/binomial.c. */
static double fair_ln_binomial(double count, double total, double cells)
{
    const double rest = total - count, mean = total / cells, excess = mean - count;

    if (count == 0)
        return total * log1p(-1 / cells);
    if (rest == 0)
        return -total * log(cells);
    return 0.5 * log(total / (6.283185307179586477 * count * rest)) + sb_stirling_rest(total) -
           sb_stirling_rest(count) - sb_stirling_rest(rest) - sb_divergence(count, mean, excess) -
           sb_divergence(rest, total - mean, -excess);
}

/* E[X/mean ln(X/mean)] of a binomial count X, in nats. The code computes the mean of x ln x - x + 1 with x =
 * X/mean, because this expression is never negative. */
static double fair_divergence(double total, double cells)
{
    const double mean = total / cells, last = fmin(total, ceil(mean + fair_reach(mean)));
    struct sb_sum sum = { 0 };

    if (mean > fair_divergence_most)
        return (cells - 1) / (2 * total) * (1 + (cells + 1) / (6 * total));
    for (double k = fmax(0, floor(mean - fair_reach(mean))); k <= last; k++) {
        const double ln = fair_ln_binomial(k, total, cells);

        sb_sum_add(&sum, exp(ln) * sb_divergence(k, mean, mean - k) / mean);
    }
    return sb_sum_value(&sum);
}

/* The mean of the largest of `cells` Poisson counts: the sum over k of P(largest > k). */
static double fair_largest(double mean, double cells)
{
    double k = ceil(mean + fair_reach(mean)), above = 0, term = exp(sb_ln_poisson(k, mean)), largest = 0;

    while (term < DBL_MIN) /* beyond the range of doubles, if the mean is tiny */
        term = exp(sb_ln_poisson(--k, mean));
    for (; k > 0; k--) { /* `above` becomes P(X > k - 1), and `term` is P(X = k) */
        above = fmin(1, above + term);
        const double reached = above < 1 ? -expm1(cells * log1p(-above)) : 1;

        largest += reached;
        term *= k / mean;
        if (reached >= 1)
            return largest + k - 1;
    }
    return largest;
}

/* The mean of the smallest of `cells` Poisson counts: the sum over k of P(all counts > k). */
static double fair_smallest(double mean, double cells)
{
    const double first = fmax(0, floor(mean - fair_reach(mean)));
    double below = 0, term = exp(sb_ln_poisson(first, mean)), smallest = first;

    for (double k = first; below < 1; k++) {
        below += term;
        const double all = below < 1 ? exp(cells * log1p(-below)) : 0;

        smallest += all;
        term *= mean / (k + 1);
        if (all < 1e-18)
            break;
    }
    return smallest;
}

/* Computes the means of z and of z^2, where z is the largest of `cells` standard normal variables. */
static void fair_normal(double cells, double *first, double *second)
{
    const double step = 1e-3, root_half = 0.70710678118654752440;

    *first = *second = 0;
    for (double z = -8.5; z < 8.5; z += step) {
        const double above = 0.5 * erfc(z * root_half);
        const double density = cells * exp((cells - 1) * log1p(-above) - z * z / 2) * 0.3989422804014327;

        *first += step * z * density;
        *second += step * z * z * density;
    }
}

/* The means of the largest and of the smallest count of a few shuffles, divided by the mean count. */
static void fair_extremes_few(double total, double cells, struct sb_effect *effect)
{
    double largest, smallest;

    sb_fair_few((size_t)total, (size_t)cells, &largest, &smallest);
    effect->max_ratio_fair = largest * cells / total;
    effect->min_ratio_fair = smallest * cells / total;
}

static void fair_extremes(double total, double cells, struct sb_effect *effect)
{
    const double mean = total / cells;
    double z, square;

    if (cells < 2) {
        effect->max_ratio_fair = effect->min_ratio_fair = 1;
        return;
    }
    if (total <= SB_FAIR_FEW) {
        fair_extremes_few(total, cells, effect);
        return;
    }
    if (mean > fair_poisson_most) {
        fair_normal(cells, &z, &square);
        effect->max_ratio_fair = 1 + (sqrt(mean) * z + (square - 1) / 6) / mean;
        effect->min_ratio_fair = 1 + (-sqrt(mean) * z + (square - 1) / 6) / mean;
        return;
    }
    const double back = 1 + 1 / (8 * total);

    effect->max_ratio_fair = fmin(cells, 1 + back * (fair_largest(mean, cells) / mean - 1));
    effect->min_ratio_fair = fmax(0, 1 + back * (fair_smallest(mean, cells) / mean - 1));
}

void sb_effect_fair(uint64_t total, size_t cells, struct sb_effect *effect)
{
    const double shuffles = (double)total, deals = (double)cells;

    effect->total_variation_fair = sb_total_variation_fair(total, cells);
    effect->kl_bits_fair = effect->chi2_per_sample_fair = NAN;
    effect->max_ratio_fair = effect->min_ratio_fair = NAN;
    if (total == 0)
        return;
    effect->chi2_per_sample_fair = (deals - 1) / shuffles;
    effect->kl_bits_fair = cells > 1 ? fair_divergence(shuffles, deals) / 0.69314718055994530942 : 0;
    fair_extremes(shuffles, deals, effect);
}
