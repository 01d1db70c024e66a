/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lower bounds on total variation, what a few fair shuffles show on average, and the curve of all bounds: the cells of
 * a member in descending order of count/probability, and the sums of the prefixes. */
#include "fit/sequential.h"

#include <float.h>

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
 *   total variation    by De Moivre's formula, exact (fit/special.c)
 *   chi-square         (K-1)/N, exact
 *   divergence         E[X/m ln(X/m)] for a binomial count X, exact; from m = 10,000 on
 *                      (K-1)/(2N) (1 + (K+1)/(6N)) (Williams, doi:10.1093/biomet/63.1.33), within 1e-8
 *   extreme ratios     E[max]/m and E[min]/m: exact up to N = 64 (above), above it for K independent
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
 * (fit/special.c).
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

void sb_tv_curve_close(struct sb_tv_curve *curve)
{
    free(curve->count);
    free(curve->q);
    free(curve->order);
    free(curve->spare);
}

enum sb_status sb_tv_curve_open(const struct sb_tally *tally, struct sb_tv_curve *curve)
{
    const size_t room = tally->cells + 1;

    *curve = (struct sb_tv_curve) {
        .cells = tally->cells,
        .total = (double)tally->total,
        .count = calloc(room, sizeof *curve->count),
        .q = tally->ln_p ? calloc(room, sizeof *curve->q) : NULL,
        .order = calloc(room, sizeof *curve->order),
        .spare = calloc(room, sizeof *curve->spare),
    };
    if (curve->count && (curve->q || !tally->ln_p) && curve->order && curve->spare)
        return SB_OK;
    sb_tv_curve_close(curve);
    return SB_NO_MEMORY;
}

/* A key that rises with count/probability. Doubles that are not negative have the same order as the integers
 * with the same bits. */
static uint64_t tv_curve_key(const struct sb_tally *tally, uint64_t count, size_t cell)
{
    uint64_t key = count;

    if (tally->ln_p && count) {
        const double ratio = (double)count * exp(-tally->ln_p[cell]);

        memcpy(&key, &ratio, sizeof key);
    }
    return key;
}

void sb_tv_curve_draw(const struct sb_tally *tally, size_t member, struct sb_tv_curve *curve)
{
    const uint64_t *const count = tally->count + member * tally->cells;
    struct sb_sum q = { 0 };

    for (size_t i = 0; i < curve->cells; i++)
        curve->order[i] = (struct sb_keyed) { .key = tv_curve_key(tally, count[i], i), .cell = i };
    sb_order_falling(curve->cells, curve->order, curve->spare);
    for (size_t m = 0; m < curve->cells; m++) {
        const size_t cell = curve->order[m].cell;

        curve->count[m + 1] = curve->count[m] + count[cell];
        if (curve->q) {
            sb_sum_add(&q, exp(tally->ln_p[cell]));
            curve->q[m + 1] = sb_sum_value(&q);
        }
    }
}

/*
 * A lower bound on total variation that is valid at all times simultaneously. Let c be the counts of t deals,
 * p = c/t, q the null law, and
 *   Q = prod q_i^c_i / 2 + mixture / 2,   mixture = E prod q_i^c_i,
 * where E is the e-value of fit/sequential.h. Q is a law on series of cells. Under the true law s,
 * the ratio Q / prod s_i^c_i is a martingale of mean 1, so with probability at least 1 - delta the ratio
 * never reaches 1/delta. Then at all times KL(p||s) <= r, where
 *   r = (ln(1/delta) + sum c_i ln p_i - ln Q)/t = (ln(1/delta) + ln_best - ln((1 + E)/2))/t,
 *   ln_best = sum c_i ln(p_i/q_i).
 * The first half of Q, which is the null law itself, keeps r small if the shuffle is fair.
 *
 * Merging cells lowers KL. So kl(p(S)||s(S)) <= r for every set S of cells, where kl is KL for two cells, and
 *   TV = max over S of s(S) - q(S) >= max over S of l(p(S)) - q(S),   l(y) = inf{x : kl(y||x) <= r}.
 * l is convex, so the vertices of the curve in fit/sequential.h are enough.
 *
 * Let s be the law of the steps X[u]^-1 X[u+lag] between independent permutations with the same law. The
 * steps form two series: the steps with an even floor(u/lag), and the steps with an odd floor(u/lag). Within
 * a series, no two steps share a permutation, so the steps are independent. Let a and b be the counts of the
 * two series. With probability 1 - delta, at all times Q(a) < 2/delta prod s_i^a_i and Q(b) < 2/delta prod
 * s_i^b_i. Only the sum c = a + b is known. But Q(a) is the mean of prod T_i^a_i for some random law T, and
 * by the Cauchy-Schwarz inequality
 *   Q(c/2) = mean of prod T_i^(a_i/2) prod T_i^(b_i/2) <= sqrt(Q(a) Q(b)) < 2/delta prod s_i^(c_i/2).
 * This is the bound for t/2 independent steps with the counts c/2, at delta/2.
 *
 * Rounding: let r t be off by R, the errors of ln_best and ln((1+E)/2). kl(a||a+d) is a convex function of d
 * that starts at 0, so d moves by at most d R/(r t). r t is at least ln(1/delta), because E is above 1 and
 * (1+E)/2 is at most e^ln_best. So the bound is off by at most R/ln(1/delta), and by 1e-13 (fit/fit.h),
 * and by the error of q(S), which is at most 1e-11 (fit/e_process.c).
 *
 * Cost: O(1) if KL(p||q) <= r, because the bound is then 0; otherwise a sort, a square root for each cell,
 * and the solution of a few equations.
 *
 * L. Wasserman, A. Ramdas, S. Balakrishnan, Universal inference, doi:10.1073/pnas.1922664117. M. Lindon and
 * A. Malek, arXiv:2011.03567.
 */

static const double tv_low_rounding = 2e-11; /* what does not depend on the e-value */

/* l(p(S)) - q(S) for the set S of a vertex of the curve. The second function returns an upper bound on this
 * difference, at a lower cost. */
static double tv_low_surplus(const struct sb_tv_curve *curve, double r, size_t m)
{
    const double a = sb_tv_curve_p(curve, m);

    return a - sb_tv_curve_q(curve, m) - sb_kl_rise(1 - a, r);
}

static double tv_low_surplus_most(const struct sb_tv_curve *curve, double r, size_t m)
{
    const double a = sb_tv_curve_p(curve, m);

    return a - sb_tv_curve_q(curve, m) - sb_kl_rise_least(1 - a, r);
}

static double tv_low_of_curve(const struct sb_tv_curve *curve, double r)
{
    size_t best = 0;
    double low = 0;

    for (size_t m = 1; m < curve->cells; m++) {
        const double most = tv_low_surplus_most(curve, r, m);

        if (most > low) {
            low = most;
            best = m;
        }
    }
    low = fmax(0, tv_low_surplus(curve, r, best));
    for (size_t m = 1; m < curve->cells; m++)
        if (tv_low_surplus_most(curve, r, m) > low)
            low = fmax(low, tv_low_surplus(curve, r, m));
    return low;
}

/* ln((1 + E)/2) */
static double tv_low_ln_half(double ln_e)
{
    return fmax(ln_e, 0) + log1p(exp(-fabs(ln_e))) - log(2);
}

/* Sets the bounds from the e-values. `total` is the number of deals or, for steps, half of this number. */
static enum sb_status tv_low_fill(const struct sb_tally *tally, double total, const struct sb_e_value e[],
                                  double ln_level, double low[])
{
    struct sb_tv_curve curve;

    if (sb_tv_curve_open(tally, &curve))
        return SB_NO_MEMORY;
    for (size_t member = 0; member < tally->members; member++) {
        const double ln_half = tv_low_ln_half(e[member].ln_e);

        low[member] = 0;
        if (tally->total == 0 || tally->cells < 2 || isinf(e[member].ln_e) || ln_half <= ln_level)
            continue; /* if ln_half <= ln_level, KL(p||q) <= r, so the bound is 0 */
        sb_tv_curve_draw(tally, member, &curve);
        low[member] = tv_low_of_curve(&curve, (ln_level + e[member].ln_best - ln_half) / total);
    }
    sb_tv_curve_close(&curve);
    return SB_OK;
}

static enum sb_status tv_low_fill_steps(const struct sb_tally *tally, double ln_level, double low[])
{
    struct sb_e_value *const half = calloc(tally->members + 1, sizeof *half);
    enum sb_status status = SB_NO_MEMORY;

    if (half) {
        sb_e_process_half(tally, half);
        status = tv_low_fill(tally, 0.5 * (double)tally->total, half, ln_level + log(2), low);
    }
    free(half);
    return status;
}

enum sb_status sb_tv_low(const struct sb_tally *tally, const struct sb_e_value e[], double ln_level, double low[])
{
    enum sb_status status = SB_OK;

    for (size_t member = 0; tally->separate && member < tally->members && status == SB_OK; member++) {
        const struct sb_tally one = sb_tally_member(tally, member);

        status = sb_tv_low(&one, &e[member], ln_level, &low[member]);
    }
    if (tally->separate)
        return status;
    return tally->lag ? tv_low_fill_steps(tally, ln_level, low)
                      : tv_low_fill(tally, (double)tally->total, e, ln_level, low);
}

double sb_tv_low_error(double e_error, double ln_level)
{
    return tv_low_rounding + 2 * e_error / ln_level;
}

double sb_tv_curve_p(const struct sb_tv_curve *curve, size_t m)
{
    return (double)curve->count[m] / curve->total;
}

double sb_tv_curve_q(const struct sb_tv_curve *curve, size_t m)
{
    return curve->q ? curve->q[m] : (double)m / (double)curve->cells;
}
