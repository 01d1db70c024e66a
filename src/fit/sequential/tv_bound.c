/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bounds on total variation at any time. Let c be the counts of t deals, p = c/t, q the null law, and
 *   Q = prod q_i^c_i / 2 + mixture / 2,   mixture = E prod q_i^c_i,
 * a law on series of cells. Under the true law s, the ratio Q / prod s_i^c_i is a martingale of mean 1, so
 * with probability 1 - delta it never reaches 1/delta. Then at all times KL(p||s) <= r, where
 *   r = (ln(1/delta) + sum c_i ln p_i - ln Q)/t = (ln(1/delta) + ln_best - ln((1 + E)/2))/t.
 * Half of Q is on q itself, which keeps r small if the shuffle is fair.
 *
 * Merging cells lowers KL, so that for every set S of cells kl(p(S)||s(S)) <= r, and some s attains it:
 *   TV = max over S of s(S) - q(S) <= max over S of f(p(S)) - q(S),   f(a) = sup{s : kl(a||s) <= r},
 *                                  >= max over S of l(p(S)) - q(S),   l(a) = inf{s : kl(a||s) <= r}.
 * Sort the cells by descending p/q. The points (p(S), q(S)) lie on or above the convex curve b through the
 * points of the prefixes. f is concave, so f - b has one maximum, found by bisection on the slopes. For
 * uniform q, all sets of one size have the same q(S), so the vertices are enough; otherwise the maximum
 * inside a segment is an upper bound. l is convex, so the vertices are enough for it.
 *
 * Steps X[t]^-1 X[t+lag] between independent permutations of one law have a law s. They form two series,
 * those with even and those with odd floor(t/lag). Within a series, steps share no permutation and are
 * independent. So with probability 1 - delta, at all times Q(a) < 2/delta prod s_i^a_i and Q(b) < 2/delta
 * prod s_i^b_i for the counts a and b of the two series. Only their sum c = a + b is known. But Q(a) = E
 * prod T_i^a_i for some random law T, and by the Cauchy-Schwarz inequality
 *   Q(c/2) = E prod T_i^(a_i/2) prod T_i^(b_i/2) <= sqrt(Q(a) Q(b)) < 2/delta prod s_i^(c_i/2),
 * which is the bound for t/2 independent steps with the counts c/2, at delta/2.
 *
 * Cost of `high`: a sort and about 2 ln K roots. Cost of `low`: nothing if q itself is among the possible
 * laws, else K square roots and a few roots.
 *
 * L. Wasserman, A. Ramdas, S. Balakrishnan, Universal inference, doi:10.1073/pnas.1922664117. M. Lindon and
 * A. Malek, arXiv:2011.03567.
 */
#include "fit/sequential/tv_bound.h"

#include "core/sum.h"
#include "fit/effect/kl.h"
#include "fit/numeric/order.h"
#include "fit/numeric/root.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The curve b: prefix m, 0 <= m <= cells, holds the m cells with the largest p/q. */
struct tv_curve {
    size_t cells;
    double total;
    uint64_t *count;                /* [cells + 1] of the prefix */
    double *q;                      /* [cells + 1] of the prefix; NULL if all cells are equally likely */
    struct sb_keyed *order, *spare; /* [cells + 1], scratch */
};

static double tv_p(const struct tv_curve *curve, size_t m)
{
    return (double)curve->count[m] / curve->total;
}

static double tv_q(const struct tv_curve *curve, size_t m)
{
    return curve->q ? curve->q[m] : (double)m / (double)curve->cells;
}

static void tv_curve_close(struct tv_curve *curve)
{
    free(curve->count);
    free(curve->q);
    free(curve->order);
    free(curve->spare);
}

static enum sb_status tv_curve_open(const struct sb_tally *tally, struct tv_curve *curve)
{
    const size_t room = tally->cells + 1;

    *curve = (struct tv_curve) {
        .cells = tally->cells,
        .total = (double)tally->total,
        .count = calloc(room, sizeof *curve->count),
        .q = tally->ln_p ? calloc(room, sizeof *curve->q) : NULL,
        .order = calloc(room, sizeof *curve->order),
        .spare = calloc(room, sizeof *curve->spare),
    };
    if (curve->count && (curve->q || !tally->ln_p) && curve->order && curve->spare)
        return SB_OK;
    tv_curve_close(curve);
    return SB_NO_MEMORY;
}

/* A key that rises with count/q. The order of nonnegative doubles is the order of their bits. */
static uint64_t tv_key(const struct sb_tally *tally, uint64_t count, size_t cell)
{
    uint64_t key = count;

    if (tally->ln_p && count) {
        const double ratio = (double)count * exp(-tally->ln_p[cell]);

        memcpy(&key, &ratio, sizeof key);
    }
    return key;
}

static void tv_curve_draw(const struct sb_tally *tally, size_t member, struct tv_curve *curve)
{
    const uint64_t *const count = tally->count + member * tally->cells;
    struct sb_sum q = { 0 };

    for (size_t i = 0; i < curve->cells; i++)
        curve->order[i] = (struct sb_keyed) { .key = tv_key(tally, count[i], i), .cell = i };
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

/* Finds the maximum of f - b within a segment, by its slope. */
struct tv_segment {
    double r, slope; /* of b */
};

static double tv_descent(const void *state, double a)
{
    const struct tv_segment *const segment = state;

    if (a <= 0)
        return -HUGE_VAL;
    return a >= 1 ? segment->slope : segment->slope - sb_kl_slope(a, sb_kl_rise(a, segment->r));
}

/* Whether f - b no longer rises after vertex m, 1 <= m <= cells. */
static bool tv_is_past(const struct tv_curve *curve, double r, size_t m)
{
    if (m == curve->cells || curve->count[m + 1] == curve->count[m])
        return true;
    const double a = tv_p(curve, m), slope = sb_kl_slope(a, sb_kl_rise(a, r));

    return slope * (tv_p(curve, m + 1) - a) <= tv_q(curve, m + 1) - tv_q(curve, m);
}

/* f - b at a vertex. */
static double tv_excess(const struct tv_curve *curve, double r, size_t m)
{
    const double a = tv_p(curve, m);

    return a - tv_q(curve, m) + sb_kl_rise(a, r);
}

static double tv_high(const struct tv_curve *curve, double r)
{
    size_t before = 0,
           past = curve->cells; /* the maximum lies after vertex `before`, and at or before `past` */

    while (past - before > 1) {
        const size_t middle = before + (past - before) / 2;

        if (tv_is_past(curve, r, middle))
            past = middle;
        else
            before = middle;
    }
    double high = tv_excess(curve, r, past);

    if (before > 0 || curve->q) /* with equally likely cells, the empty set cannot have mass */
        high = fmax(high, tv_excess(curve, r, before));
    if (curve->q && curve->count[past] > curve->count[before]) {
        const double start = tv_p(curve, before), end = tv_p(curve, past), q = tv_q(curve, before);
        const double slope = (tv_q(curve, past) - q) / (end - start);
        const struct tv_segment segment = { .r = r, .slope = slope };
        const double a = sb_root_find(tv_descent, &segment, start, end, 1e-10);

        high = fmax(high, a + sb_kl_rise(a, r) - q - slope * (a - start));
    }
    return fmin(high, 1);
}

/* l - b at a vertex, and (next function) an upper bound of it that is faster to compute. */
static double tv_surplus(const struct tv_curve *curve, double r, size_t m)
{
    const double a = tv_p(curve, m);

    return a - tv_q(curve, m) - sb_kl_rise(1 - a, r);
}

static double tv_surplus_most(const struct tv_curve *curve, double r, size_t m)
{
    const double a = tv_p(curve, m);

    return a - tv_q(curve, m) - sb_kl_rise_least(1 - a, r);
}

static double tv_low(const struct tv_curve *curve, double r)
{
    size_t best = 0;
    double low = 0;

    for (size_t m = 1; m < curve->cells; m++) {
        const double most = tv_surplus_most(curve, r, m);

        if (most > low) {
            low = most;
            best = m;
        }
    }
    low = fmax(0, tv_surplus(curve, r, best));
    for (size_t m = 1; m < curve->cells; m++)
        if (tv_surplus_most(curve, r, m) > low)
            low = fmax(low, tv_surplus(curve, r, m));
    return low;
}

/* ln((1 + E)/2) */
static double tv_ln_half(double ln_e)
{
    return fmax(ln_e, 0) + log1p(exp(-fabs(ln_e))) - log(2);
}

/* The bounds from the e-values of all counts, or of half of each count. */
static enum sb_status tv_bounds(const struct sb_tally *tally, double total, const struct sb_e_value e[],
                                double ln_low, double ln_high, struct sb_tv_bound bound[])
{
    const double most = tally->ln_p ? 1 : 1 - 1 / (double)tally->cells;
    struct tv_curve curve;

    if (tv_curve_open(tally, &curve))
        return SB_NO_MEMORY;
    for (size_t member = 0; member < tally->members; member++) {
        const double spread = e[member].ln_best - tv_ln_half(e[member].ln_e);

        bound[member] = (struct sb_tv_bound) { .low = 0, .high = most };
        if (tally->total == 0 || tally->cells < 2 || isinf(e[member].ln_e))
            continue;
        tv_curve_draw(tally, member, &curve);
        bound[member].high = tv_high(&curve, (ln_high + spread) / total);
        if (tv_ln_half(e[member].ln_e) > ln_low) /* else the null law is among the possible laws */
            bound[member].low = tv_low(&curve, (ln_low + spread) / total);
    }
    tv_curve_close(&curve);
    return SB_OK;
}

enum sb_status sb_tv_bounds(const struct sb_tally *tally, const struct sb_e_value e[], double ln_low,
                            double ln_high, struct sb_tv_bound bound[])
{
    return tv_bounds(tally, (double)tally->total, e, ln_low, ln_high, bound);
}

enum sb_status sb_tv_bounds_steps(const struct sb_tally *tally, double ln_low, double ln_high,
                                  struct sb_tv_bound bound[])
{
    struct sb_e_value *const half = calloc(tally->members + 1, sizeof *half);
    enum sb_status status = SB_NO_MEMORY;

    if (half) {
        sb_e_process_half(tally, half);
        status = tv_bounds(tally, 0.5 * (double)tally->total, half, ln_low + log(2), ln_high + log(2), bound);
    }
    free(half);
    return status;
}
