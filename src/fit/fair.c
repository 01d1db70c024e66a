/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The average largest and smallest count of a few fair shuffles, exactly.
 *
 * Let N shuffles have K equally likely deals. K independent Poisson counts with the mean N/K have the distribution of
 * the real counts if their sum happens to be N. So the probability that all counts are in a set S is
 *
 *   [x^N] (sum over j in S of p(j) x^j)^K / P(N),
 *
 * where p is the Poisson law with the mean N/K, and P the one with the mean N. No term is negative. The mean of the
 * largest count is the sum over k of 1 - P(all counts are at most k); that of the smallest count is the sum over k of
 * P(all counts are above k).
 *
 * Cost: up to N powers of a polynomial of degree N, each 2 log2 K products; 10 ms for N = 64 and K = 10!.
 */
#include "fit/fit.h"

#include "core/numbers.h"
#include "fit/numeric.h"

#include <float.h>
#include <math.h>

enum { FAIR_FEW = 64 };

/* A polynomial without its terms above x^N. */
struct few_series {
    double term[FAIR_FEW + 1];
};

static void few_multiply(size_t total, const struct few_series *a, const struct few_series *b,
                         struct few_series *product)
{
    struct few_series made = { { 0 } };

    for (size_t i = 0; i <= total; i++)
        for (size_t j = 0; i + j <= total && a->term[i] > 0; j++)
            made.term[i + j] += a->term[i] * b->term[j];
    *product = made;
}

/* The probability that each of `cells` counts with the sum `total` is between `least` and `most`, at most `total`. */
static double few_all(size_t total, size_t cells, size_t least, size_t most)
{
    const double mean = (double)total / (double)cells;
    struct few_series square = { { 0 } }, power = { { 1 } };

    for (size_t j = least; j <= most; j++)
        square.term[j] = exp(sb_ln_poisson((double)j, mean));
    for (size_t rest = cells; rest; rest /= 2) {
        if (rest % 2)
            few_multiply(total, &power, &square, &power);
        few_multiply(total, &square, &square, &square);
    }
    return power.term[total] / exp(sb_ln_poisson((double)total, (double)total));
}

/* The means of the largest and of the smallest of `cells` >= 2 counts, in `total` shuffles, 1 to FAIR_FEW. Relative
 * errors are below 1e-8. */
static void fair_few(size_t total, size_t cells, double *largest, double *smallest)
{
    double above = 1;

    *largest = *smallest = 0;
    for (size_t k = 0; k < total && above > 1e-15; k++) {
        above = fmax(0, 1 - few_all(total, cells, 0, k));
        *largest += above;
    }
    for (size_t k = 1; k <= total / cells; k++)
        *smallest += few_all(total, cells, k, total);
}

/*
 * The average effect sizes that the counts of a fair shuffle show, although its true effects are 0. There are
 * N shuffles and K equally likely deals, each with a mean count of m = N/K. E[x] is the mean of x.
 *
 *   total variation    by De Moivre's formula, exact (fit/binomial.c)
 *   chi-square         (K-1)/N, exact
 *   divergence         E[X/m ln(X/m)] for a binomial count X, exact; from m = 10,000 on
 *                      (K-1)/(2N) (1 + (K+1)/(6N)) (Williams, doi:10.1093/biomet/63.1.33), within 1e-8
 *   extreme ratios     E[max]/m and E[min]/m: exact up to N = 64 (fit/fair.c), above it for K independent
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

static const double fair_divergence_most = 1e4, fair_poisson_most = 1e5; /* the largest mean count for the exact sums */

/* Counts that are farther than this from the mean are too unlikely to matter, even among 10^9 cells. */
static double fair_reach(double mean)
{
    return 14 * sqrt(mean) + 60;
}

/* ln of the probability of a binomial count. */
static double fair_ln_binomial(double count, double total, double cells)
{
    if (count == 0)
        return total * log1p(-1 / cells);
    if (count == total)
        return -total * log(cells);
    return sb_binomial_ln(count, total, total / cells, total - total / cells, total / cells - count);
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

    fair_few((size_t)total, (size_t)cells, &largest, &smallest);
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
    if (total <= FAIR_FEW) {
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

/*
 * The total variation of the observed counts: 1/2 sum |c/t - q|, for counts c of t deals and the null law q.
 * It is above 0 for a fair shuffle, too: the average is 1/2 sum E|c - q t|/t, where each c is binomial
 * (fit/binomial.c).
 *
 * Cost: a few logarithms for each cell; if all cells are equally likely, for one cell.
 */

struct sb_tv_seen sb_tv_seen(const struct sb_tally *tally, size_t member)
{
    const struct sb_tally one = sb_tally_member(tally, member);
    const double total = (double)tally->total;
    struct sb_tv_seen made = { .seen = 0, .fair = 0 };

    if (tally->total == 0)
        return (struct sb_tv_seen) { .seen = NAN, .fair = NAN };
    for (size_t i = 0; i < tally->cells; i++) {
        const double q = one.ln_p ? exp(one.ln_p[i]) : 1 / (double)tally->cells;

        made.seen += 0.5 * fabs((double)one.count[i] / total - q);
        if (one.ln_p)
            made.fair += 0.5 * sb_binomial_deviation_of(tally->total, q) / total;
    }
    if (!tally->ln_p)
        made.fair = sb_total_variation_fair(tally->total, tally->cells);
    return made;
}
