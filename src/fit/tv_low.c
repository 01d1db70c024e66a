/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts the cells of a member in descending order of count/probability, and computes the sums of the
 * prefixes. */
#include "fit/sequential.h"

#include "core/numbers.h"
#include "fit/numeric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
 * (1+E)/2 is at most e^ln_best. So the bound is off by at most R/ln(1/delta), and by 1e-13 (fit/numeric.h),
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
