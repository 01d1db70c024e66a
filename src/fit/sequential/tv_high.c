/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An upper bound on total variation that is valid at all times simultaneously, from tests of coins.
 *
 * A coin shows heads with probability s, and a of t tosses were heads. To test whether s is theta or more,
 * take any v < theta and
 *   L_v = (v/theta)^a ((1-v)/(1-theta))^(t-a).
 * A toss multiplies L_v by 1 - (s-theta)(theta-v)/(theta(1-theta)) on average, which is at most 1 if s is theta
 * or more. So an average E of several L_v, with fixed steps theta - v, is a supermartingale that starts at 1.
 * By Ville's inequality, E ever reaches 1/delta with probability at most delta. For every step, L_v falls
 * with a and rises with theta.
 *
 * Let the true law s be at a distance d = TV(s, q) from the null law q. Then s(S) = q(S) + d for the set
 * S = {s > q}, which does not depend on the data. The bound is
 *   high = inf{x : E at theta = q(S) + x reaches 1/delta for every set S of cells}.
 * If the bound is below d at any time, then E at theta = q(S) + d has reached 1/delta for this one set S,
 * which happens with probability at most delta. No union bound over sets is needed: there are many sets, but
 * the bound is wrong only if the test of one fixed coin is wrong.
 *
 * E falls with a and rises with q(S). So among sets with the same count, the set with the smallest q(S)
 * decides. If all cells are equally likely, those sets are the m fullest cells, m = 1..K-1. Otherwise all sets
 * lie on or above the curve of fit/sequential/tv_curve.h, and the bound treats every point of that curve as a
 * set: its vertices, and the parts of a segment between two vertices. A part is settled if a lower bound on E of
 * all its points reaches 1/delta; otherwise it is halved. For this to end near a point that decides, the bound is
 * a thousandth above what that point needs.
 *
 * That lower bound: as a point moves along a part, a and theta change linearly. ln(v/theta) is a concave
 * function of theta, so above its chord, and ln((1-v)/(1-theta)) is convex, so above its tangent in the middle.
 * Hence ln L_v is above a quadratic function, whose minimum is known. Where v = 0 or theta reaches 1, the corner with
 * the largest a and the smallest q of the part takes its place.
 *
 * The steps theta - v are 1, 1/sqrt 2, 1/2, ..., 2^-8, 2^-9, 2^-10, ..., with equal weights. These steps do
 * not depend on the bias that a pass must exclude. So the bound is valid for biases of every size, even if
 * the size is chosen after looking at the permutations. Steps that are chosen for one size would save about
 * 6% of the deals for six cells, and 2% for 720.
 *
 * For steps between permutations (see fit/sequential/tv_low.c), E is also an average of products over tosses,
 * so the Cauchy-Schwarz inequality applies here, too. The bound is that of half the counts at delta/2.
 *
 * Cost: a sort, two logarithms for each vertex, and the solution of a few equations. For the largest bound of
 * many members, few equations are solved in total.
 *
 * Ville, Étude critique de la notion de collectif, 1939. P. Grünwald, R. de Heide, W. Koolen, Safe testing,
 * doi:10.1093/jrsssb/qkae011.
 */
#include "fit/sequential/tv_high.h"

#include "fit/effect/kl.h"
#include "fit/numeric/binomial.h"
#include "fit/numeric/root.h"
#include "fit/sequential/tv_curve.h"

#include <math.h>

enum {
    HIGH_FINE = 17,     /* steps 1, 1/sqrt 2, ..., 2^-8; */
    HIGH_STEPS = 29,    /* then 2^-9, ..., 2^-20, so no bound falls below about 1e-6 */
    HIGH_HALVINGS = 30, /* the most halvings of a segment */
};

static const double high_margin = 1e-3;

/* What the tests of all coins have in common. */
struct high_coin {
    double step[HIGH_STEPS]; /* the values of theta - v, in descending order */
    double ln_level;         /* ln(HIGH_STEPS/delta), which the sum of the L_v must reach */
    double share;            /* the factor of each count: 1 or, for steps between permutations, 1/2 */
    double total;            /* number of deals, times `share` */
};

/* A set of cells, or a point between two sets: its count and its probability under the null law. */
struct high_set {
    double count, q;
};

static void high_open(const struct sb_tally *tally, double ln_level, struct high_coin *coin)
{
    const double share = tally->lag ? 0.5 : 1;

    *coin = (struct high_coin) {
        .ln_level = ln_level + (tally->lag ? log(2) : 0) + log(HIGH_STEPS),
        .share = share,
        .total = share * (double)tally->total,
    };
    for (int j = 0; j < HIGH_STEPS; j++)
        coin->step[j] = exp2(-0.5 * (j + fmax(0, j + 1 - HIGH_FINE)));
}

/* ln L_v for one step. If the step is larger than theta, v is 0. */
static double high_ln_term(const struct high_coin *coin, size_t j, double count, double theta)
{
    const double step = fmin(coin->step[j], theta), tails = coin->total - count;
    const double heads = count > 0 ? count * log1p(-step / theta) : 0;

    return heads + tails * log1p(step / (1 - theta));
}

/* ln of the sum of these exponentials. */
static double high_ln_sum(const double term[HIGH_STEPS])
{
    double most = -HUGE_VAL, sum = 0;

    for (size_t j = 0; j < HIGH_STEPS; j++)
        most = fmax(most, term[j]);
    for (size_t j = 0; j < HIGH_STEPS; j++)
        sum += exp(term[j] - most);
    return most + log(sum);
}

/* ln(E delta) of a set for a bound; rises with the bound. No law has theta > 1, so such a set is settled. */
static double high_ln_e(const struct high_coin *coin, struct high_set set, double bound)
{
    const double theta = set.q + bound;
    double term[HIGH_STEPS];

    if (theta >= 1)
        return HUGE_VAL;
    for (size_t j = 0; j < HIGH_STEPS; j++)
        term[j] = high_ln_term(coin, j, set.count, theta);
    return high_ln_sum(term) - coin->ln_level;
}

/* The step that is best for this set: the first that is not above theta - a/t. */
static size_t high_best_step(const struct high_coin *coin, struct high_set set, double bound)
{
    const double gap = set.q + bound - set.count / coin->total;
    size_t best = 0;

    while (best + 1 < HIGH_STEPS && coin->step[best] > gap)
        best++;
    return best;
}

/* Whether E of the set reaches 1/delta for this bound. Mostly one term alone does. */
static bool high_settles(const struct high_coin *coin, struct high_set set, double bound)
{
    const double theta = set.q + bound;

    if (theta >= 1)
        return true;
    if (theta <= set.count / coin->total) /* then E is below 1 */
        return false;
    return high_ln_term(coin, high_best_step(coin, set, bound), set.count, theta) >= coin->ln_level ||
           high_ln_e(coin, set, bound) >= 0;
}

/* The least value of c0 + c1 x + c2 x^2 for 0 <= x <= 1. */
static double high_least_quadratic(double c0, double c1, double c2)
{
    if (c2 > 0 && c1 < 0 && -c1 < 2 * c2)
        return c0 - c1 * c1 / (4 * c2);
    return fmin(c0, c0 + c1 + c2);
}

/* At most ln L_v of every point between two sets, for one step. */
static double high_least_term(const struct high_coin *coin, size_t j, struct high_set one,
                              struct high_set other, double bound)
{
    const double from = one.q + bound, to = other.q + bound, step = coin->step[j];

    if (to >= 1 || step >= from)
        return high_ln_term(coin, j, other.count, from);
    const double rest = 1 - 0.5 * (from + to), heads = log1p(-step / from);
    const double heads_rise = log1p(-step / to) - heads;
    const double tails_rise = step / (rest * (rest + step)) * (to - from);
    const double tails = log1p(step / rest) - 0.5 * tails_rise;
    const double a = one.count, b = coin->total - a, rise = other.count - one.count;

    return high_least_quadratic(a * heads + b * tails,
                                a * heads_rise + b * tails_rise + rise * (heads - tails),
                                rise * (heads_rise - tails_rise));
}

/* Whether E of every point between two sets reaches 1/delta for this bound. */
static bool high_settles_part(const struct high_coin *coin, struct high_set one, struct high_set other,
                              double bound)
{
    double term[HIGH_STEPS];

    if (one.q + bound >= 1 ||
        high_least_term(coin, high_best_step(coin, other, bound), one, other, bound) >= coin->ln_level)
        return true;
    for (size_t j = 0; j < HIGH_STEPS; j++)
        term[j] = high_least_term(coin, j, one, other, bound);
    return high_ln_sum(term) >= coin->ln_level;
}

struct high_root {
    const struct high_coin *coin;
    struct high_set set;
};

static double high_rising(const void *state, double bound)
{
    const struct high_root *const root = state;

    return high_ln_e(root->coin, root->set, bound);
}

/* Returns the bound at which E of the set reaches 1/delta. At the given bound, E must be below 1/delta. */
static double high_raise(const struct high_coin *coin, struct high_set set, double bound)
{
    const struct high_root root = { .coin = coin, .set = set };

    return sb_root_find(high_rising, &root, bound, 1 - set.q, 1e-14);
}

/* Raises the bound until every point of a segment between two vertices is settled. */
static double high_segment(const struct high_coin *coin, struct high_set one, struct high_set other,
                           double bound, int halvings)
{
    const struct high_set middle = { .count = 0.5 * (one.count + other.count), .q = 0.5 * (one.q + other.q) };

    if (high_settles_part(coin, one, other, bound))
        return bound;
    if (halvings == 0)
        return high_raise(coin, (struct high_set) { .count = other.count, .q = one.q }, bound);
    if (!high_settles(coin, middle, bound))
        bound = (1 + high_margin) * high_raise(coin, middle, bound);
    bound = high_segment(coin, one, middle, bound, halvings - 1);
    return high_segment(coin, middle, other, bound, halvings - 1);
}

static struct high_set high_prefix(const struct high_coin *coin, const struct sb_tv_curve *curve, size_t m)
{
    return (struct high_set) {
        .count = coin->share * (double)curve->count[m],
        .q = sb_tv_curve_q(curve, m),
    };
}

/* The vertex that probably needs the largest bound, according to the normal approximation of a coin. */
static size_t high_start(const struct high_coin *coin, const struct sb_tv_curve *curve)
{
    double most = -HUGE_VAL;
    size_t best = 1;

    for (size_t m = 1; m < curve->cells; m++) {
        const double p = sb_tv_curve_p(curve, m), q = sb_tv_curve_q(curve, m);
        const double excess = p - q + sqrt(2 * p * (1 - p) * coin->ln_level / coin->total);

        if (excess > most) {
            most = excess;
            best = m;
        }
    }
    return best;
}

/* Returns the bound that one member needs, or `bound` if that is larger. */
static double high_of_curve(const struct high_coin *coin, const struct sb_tv_curve *curve, double bound)
{
    const size_t start = high_start(coin, curve);
    const double given = bound;

    for (size_t i = 0; i < curve->cells; i++) {
        const size_t m = i == 0 ? start : i;
        const struct high_set set = high_prefix(coin, curve, m);

        if (!high_settles(coin, set, bound))
            bound = high_raise(coin, set, bound);
    }
    if (!curve->q)
        return bound;
    if (bound > given)
        bound *= 1 + high_margin;
    for (size_t m = 0; m < curve->cells; m++)
        bound = high_segment(coin, high_prefix(coin, curve, m), high_prefix(coin, curve, m + 1), bound,
                             HIGH_HALVINGS);
    return bound;
}

/* Returns the bound of a member, or `least` if that is larger. */
static double high_of_member(const struct high_coin *coin, const struct sb_tally *tally, size_t member,
                             double least, struct sb_tv_curve *curve)
{
    const double most = tally->ln_p ? 1 : 1 - 1 / (double)tally->cells;

    if (tally->cells < 2 || least >= most)
        return least;
    if (tally->total == 0)
        return most;
    sb_tv_curve_draw(tally, member, curve);
    return fmin(most, high_of_curve(coin, curve, least));
}

enum sb_status sb_tv_high(const struct sb_tally *tally, double ln_level, double high[])
{
    struct high_coin coin;
    struct sb_tv_curve curve;

    if (sb_tv_curve_open(tally, &curve))
        return SB_NO_MEMORY;
    high_open(tally, ln_level, &coin);
    for (size_t member = 0; member < tally->members; member++)
        high[member] = high_of_member(&coin, tally, member, 0, &curve);
    sb_tv_curve_close(&curve);
    return SB_OK;
}

enum sb_status sb_tv_high_largest(const struct sb_tally *tally, double ln_level, double *largest)
{
    struct high_coin coin;
    struct sb_tv_curve curve;

    if (sb_tv_curve_open(tally, &curve))
        return SB_NO_MEMORY;
    high_open(tally, ln_level, &coin);
    for (size_t member = 0; member < tally->members; member++)
        *largest = high_of_member(&coin, tally, member, *largest, &curve);
    sb_tv_curve_close(&curve);
    return SB_OK;
}

/* Whether every point between two sets is settled for this bound. */
static bool high_settles_segment(const struct high_coin *coin, struct high_set one, struct high_set other,
                                 double bound, int halvings)
{
    const struct high_set middle = { .count = 0.5 * (one.count + other.count), .q = 0.5 * (one.q + other.q) };

    if (high_settles_part(coin, one, other, bound))
        return true;
    return halvings > 0 && high_settles(coin, middle, bound) &&
           high_settles_segment(coin, one, middle, bound, halvings - 1) &&
           high_settles_segment(coin, middle, other, bound, halvings - 1);
}

static bool high_settles_curve(const struct high_coin *coin, const struct sb_tv_curve *curve, double bound)
{
    bool settled = true;

    for (size_t m = 1; settled && m < curve->cells; m++)
        settled = high_settles(coin, high_prefix(coin, curve, m), bound);
    for (size_t m = 0; settled && curve->q && m < curve->cells; m++)
        settled = high_settles_segment(coin, high_prefix(coin, curve, m), high_prefix(coin, curve, m + 1),
                                       bound, HIGH_HALVINGS);
    return settled;
}

enum sb_status sb_tv_high_below(const struct sb_tally *tally, double ln_level, double bound, bool *below)
{
    struct high_coin coin;
    struct sb_tv_curve curve;

    if (sb_tv_curve_open(tally, &curve))
        return SB_NO_MEMORY;
    high_open(tally, ln_level, &coin);
    *below = tally->total > 0;
    for (size_t member = 0; *below && member < tally->members; member++) {
        sb_tv_curve_draw(tally, member, &curve);
        *below = high_settles_curve(&coin, &curve, bound);
    }
    sb_tv_curve_close(&curve);
    return SB_OK;
}

/*
 * Of K equally likely cells, the half with the larger counts has a share of about 1/2 + TV of the counts,
 * where TV is the total variation that t deals show by chance. For the coin of this half, the sum in E is
 * about 4/3 of its largest term.
 */
double sb_tv_high_fair(double total, double cells, double ln_level)
{
    const double r = (ln_level + log(0.75 * HIGH_STEPS)) / total;

    if (cells < 2)
        return 0;
    return sb_total_variation_fair((uint64_t)total, (size_t)cells) + sb_kl_rise(0.5, r);
}
