/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An upper bound on total variation at any time, from coins.
 *
 * A coin shows heads with probability s; a of t tosses were heads. Against "s is theta or more", for any v
 * < theta,
 *   L_v = (v/theta)^a ((1-v)/(1-theta))^(t-a)
 * has conditional mean 1 - (s-theta)(theta-v)/(theta(1-theta)) <= 1 per toss, so that an average E of
 * several L_v, v = theta - x u with fixed steps u, is a supermartingale: by Ville's inequality it ever
 * reaches 1/delta with probability at most delta. For every v, L_v falls as a rises and rises with theta.
 *
 * Let the true law s be at a distance d = TV(s, q) from the null law q. Then s(S) = q(S) + d for the set S
 * = {s > q}, which does not depend on the data. The bound is
 *   high = inf{x' : E at theta = q(S) + x' reaches 1/delta for every set S of cells}.
 * If it is below d at any time, then E at theta = q(S) + d has reached 1/delta for that one S, which
 * happens with probability at most delta. There is no union over sets: the sets are many, but the coin
 * whose bound must fail is one, and fixed.
 *
 * E falls with a and rises with q(S), so that among sets with the same count the one with the smallest q(S)
 * decides. Where all cells are equally likely those are the m fullest cells, m = 1..K-1. Otherwise all sets
 * lie on and above the curve of fit/sequential/tv_curve.h, and the bound takes every point of that curve
 * for a set: its vertices, and of a segment between two of them every part whose corner, the largest a with
 * the smallest q, does not settle it.
 *
 * The steps u are 1, 1/sqrt 2, ..., 1/8, weighted by u, where x is what a pass is to exclude: a fair
 * shuffle's fullest half seems to be a little too full, by a share of x that depends on K. One tenth of the
 * weight is on 2, 4, ..., and on 1/16 and 1/32, for bounds of another size.
 *
 * Steps between permutations (see fit/sequential/tv_low.c): E is an average of products over tosses, so
 * that the inequality of Cauchy and Schwarz holds here, too: half of the counts at delta/2.
 *
 * Cost: a sort, and two logarithms for each vertex; few roots. Of many members the largest bound costs
 * little more.
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
    HIGH_MAIN = 7,      /* steps u = 2^(-j/2) */
    HIGH_STEPS = 64,    /* of all kinds, at most */
    HIGH_HALVINGS = 30, /* of a segment, at most */
};

static const double high_other_weight = 0.1, high_tolerance = 1e-3;

/* The average over coins that are less likely to show heads. */
struct high_coin {
    size_t steps;
    double below[HIGH_STEPS], ln_weight[HIGH_STEPS]; /* x u, and ln of the weight */
    double ln_level;                                 /* ln(1/delta) */
    double share;                                    /* of each count that is taken: 1, or 1/2 */
    double total;                                    /* of deals that are taken */
};

/* A set of cells, or a point between two sets. */
struct high_set {
    double count, q;
};

static void high_add(struct high_coin *coin, double scale, double u, double weight)
{
    coin->below[coin->steps] = scale * u;
    coin->ln_weight[coin->steps++] = log(weight);
}

static void high_open(const struct sb_tally *tally, double scale, double ln_level, struct high_coin *coin)
{
    double sum = 0, others = 2;

    *coin = (struct high_coin) {
        .ln_level = tally->lag ? ln_level + log(2) : ln_level,
        .share = tally->lag ? 0.5 : 1,
    };
    coin->total = coin->share * (double)tally->total;
    for (int j = 0; j < HIGH_MAIN; j++)
        sum += exp2(-0.5 * j);
    for (double u = 2; u * scale < 2 && others < HIGH_STEPS - HIGH_MAIN; u *= 2)
        others++;
    for (int j = 0; j < HIGH_MAIN; j++)
        high_add(coin, scale, exp2(-0.5 * j), (1 - high_other_weight) * exp2(-0.5 * j) / sum);
    for (int j = 0; j < (int)others; j++)
        high_add(coin, scale, j < 2 ? exp2(-4 - j) : exp2(j - 1), high_other_weight / others);
}

/* ln of a term of E. */
static double high_ln_term(const struct high_coin *coin, size_t step, double count, double theta)
{
    const double below = fmin(coin->below[step], theta), tails = coin->total - count;
    const double heads = count > 0 ? count * log1p(-below / theta) : 0;

    return coin->ln_weight[step] + heads + tails * log1p(below / (1 - theta));
}

/* ln(E delta) of a set for the bound x'; rises with x'. A coin cannot show heads more than always. */
static double high_ln_e(const struct high_coin *coin, struct high_set set, double bound)
{
    const double theta = set.q + bound;
    double term[HIGH_STEPS], most = -HUGE_VAL, sum = 0;

    if (theta >= 1)
        return HUGE_VAL;
    for (size_t j = 0; j < coin->steps; j++) {
        term[j] = high_ln_term(coin, j, set.count, theta);
        most = fmax(most, term[j]);
    }
    for (size_t j = 0; j < coin->steps; j++)
        sum += exp(term[j] - most);
    return most + log(sum) - coin->ln_level;
}

/* Whether the set leaves room for no more than the bound; most often a single term says so. */
static bool high_settles(const struct high_coin *coin, struct high_set set, double bound)
{
    const double theta = set.q + bound, gap = theta - set.count / coin->total;

    if (theta < 1 && gap <= 0)
        return false; /* E is below 1 */
    for (size_t j = 0; theta < 1 && j < HIGH_MAIN; j++)
        if (coin->below[j] <= gap || j + 1 == HIGH_MAIN) {
            if (high_ln_term(coin, j, set.count, theta) >= coin->ln_level)
                return true;
            break;
        }
    return high_ln_e(coin, set, bound) >= 0;
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

/* The bound that a set needs, which the bound until now does not give it. */
static double high_raise(const struct high_coin *coin, struct high_set set, double bound)
{
    const struct high_root root = { .coin = coin, .set = set };

    return sb_root_find(high_rising, &root, bound, 1 - set.q, 1e-14);
}

/* Every point of the segment between two vertices is settled, halving by halving. */
static double high_segment(const struct high_coin *coin, struct high_set one, struct high_set other,
                           double bound, int halvings)
{
    const struct high_set corner = { .count = other.count, .q = one.q };
    const struct high_set middle = { .count = 0.5 * (one.count + other.count), .q = 0.5 * (one.q + other.q) };

    if (high_settles(coin, corner, bound + high_tolerance * bound))
        return bound;
    if (halvings == 0)
        return high_raise(coin, corner, bound);
    if (!high_settles(coin, middle, bound))
        bound = high_raise(coin, middle, bound);
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

/* The vertex whose bound is about the largest, by the normal approximation of a coin. */
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

/* The bound that one member needs, at least `bound`. */
static double high_of_curve(const struct high_coin *coin, const struct sb_tv_curve *curve, double bound)
{
    const size_t start = high_start(coin, curve);

    for (size_t i = 0; i < curve->cells; i++) {
        const size_t m = i == 0 ? start : i;
        const struct high_set set = high_prefix(coin, curve, m);

        if (!high_settles(coin, set, bound))
            bound = high_raise(coin, set, bound);
    }
    for (size_t m = 0; curve->q && m < curve->cells; m++)
        bound = high_segment(coin, high_prefix(coin, curve, m), high_prefix(coin, curve, m + 1), bound,
                             HIGH_HALVINGS);
    return bound;
}

/* The bound of a member, or `least` if that is larger. */
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

enum sb_status sb_tv_high(const struct sb_tally *tally, double scale, double ln_level, double high[])
{
    struct high_coin coin;
    struct sb_tv_curve curve;

    if (sb_tv_curve_open(tally, &curve))
        return SB_NO_MEMORY;
    high_open(tally, scale, ln_level, &coin);
    for (size_t member = 0; member < tally->members; member++)
        high[member] = high_of_member(&coin, tally, member, 0, &curve);
    sb_tv_curve_close(&curve);
    return SB_OK;
}

enum sb_status sb_tv_high_largest(const struct sb_tally *tally, double scale, double ln_level,
                                  double *largest)
{
    struct high_coin coin;
    struct sb_tv_curve curve;

    if (sb_tv_curve_open(tally, &curve))
        return SB_NO_MEMORY;
    high_open(tally, scale, ln_level, &coin);
    for (size_t member = 0; member < tally->members; member++)
        *largest = high_of_member(&coin, tally, member, *largest, &curve);
    sb_tv_curve_close(&curve);
    return SB_OK;
}

/*
 * Of K equally likely cells the half with the larger counts has a share of 1/2 + TV, TV being the total
 * variation that t deals show by chance. E is about the term of the step that suits it best, whose weight
 * is near e^-2, and of that half's coin.
 */
double sb_tv_high_fair(double total, double cells, double ln_level)
{
    const double r = (ln_level + 2) / total;

    if (cells < 2)
        return 0;
    return sb_total_variation_fair((uint64_t)total, (size_t)cells) + sb_kl_rise(0.5, r);
}
