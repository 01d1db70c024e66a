/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Let e_j be the excess of a member at level j: the sum over all cells of max(count - j, 0). The count of a
 * set of m cells is at most j m + e_j, for every j, because each cell of the set has at most j plus its own
 * excess. If j is the count of the m-th fullest cell, the count of the m fullest cells is exactly j m + e_j.
 * So
 *
 *   (count of the m fullest cells) = min over j of (j m + e_j).
 *
 * A set is settled for a bound if E of its coin reaches 1/delta, and E falls with the count
 * (fit/tv_sets.c). Vertex m of the curve is the set of the m fullest of K cells. So the vertices
 * in a range of m are settled if the points (j m + e_j, m/K) of one line j are settled in this range. A lower
 * bound on E of all points in the range usually shows this at once; otherwise the range is halved. The
 * logarithm of that lower bound has to exceed ln(1/delta) by `levels_margin`, which is far above the rounding
 * error, so that a test of each vertex would give the same answer.
 *
 * A cover is a list of excesses c_j whose lines are settled. All members with e_j <= c_j for every j are
 * settled, too, because their lines are below the lines of the cover. The code seeks a cover that is as large
 * as the bound allows, between the mean and the largest e_j of all members. Usually, the cover includes all
 * members but the few that decide.
 *
 * Cost: for each member and level, cells/64 steps of three instructions with 64-byte vectors, and a
 * comparison; for the members that are not covered, and for each cover, two to four logarithms for each
 * level.
 */
#include "fit/sequential.h"

enum {
    LEVELS_MEMBERS_LEAST = 64, /* the fewest members for which a cover is worth its cost */
    LEVELS_MISSES = 6,         /* members without cover that are worth a new cover */
    LEVELS_STEPS = 6,          /* halvings of the range in which a cover is sought */
};

static const double levels_margin = 1e-6;

enum sb_status sb_tv_levels_open(const struct sb_tally *tally, const struct sb_tv_coin *coin,
                                 struct sb_tv_levels *levels)
{
    *levels = (struct sb_tv_levels) { .coin = coin, .members = tally->members, .cells = tally->cells };
    if (!tally->small || tally->members < LEVELS_MEMBERS_LEAST)
        return SB_OK;
    const uint8_t most = sb_small_counts_largest(tally);
    const size_t count = most + (size_t)1;

    if (count > SB_SMALL_LEVELS_MOST)
        return SB_OK;
    levels->excess = calloc(tally->members * count, sizeof levels->excess[0]);
    if (!levels->excess)
        return SB_NO_MEMORY;
    levels->levels = count;
    for (size_t member = 0; member < tally->members; member++) {
        uint32_t *const excess = levels->excess + member * count;

        sb_small_counts_excess(tally->small + member * tally->cells, tally->cells, count, excess);
        for (size_t j = 0; j < count; j++) {
            levels->mean[j] += (double)excess[j] / (double)tally->members;
            levels->most[j] = excess[j] > levels->most[j] ? excess[j] : levels->most[j];
        }
    }
    return SB_OK;
}

void sb_tv_levels_close(struct sb_tv_levels *levels)
{
    free(levels->excess);
}

/* The point of line j at vertex m. */
static struct sb_tv_set levels_point(const struct sb_tv_levels *levels, const uint32_t excess[], size_t j, size_t m)
{
    return (struct sb_tv_set) {
        .count = levels->coin->share * (double)(j * m + excess[j]),
        .q = (double)m / (double)levels->cells,
    };
}

/* The first of the vertices from..to whose point on line j is not proven to be settled; to + 1 if there is none. */
static size_t levels_line_next(const struct sb_tv_levels *levels, const uint32_t excess[], size_t j, size_t from,
                               size_t to, double bound)
{
    const struct sb_tv_set one = levels_point(levels, excess, j, from);
    const struct sb_tv_set other = levels_point(levels, excess, j, to);

    if (from == to)
        return sb_tv_coin_settles(levels->coin, one, bound) ? to + 1 : from;
    if (sb_tv_coin_settles_soon(levels->coin, one, other, bound, levels_margin))
        return to + 1;
    const size_t middle = from + (to - from) / 2;
    const size_t next = levels_line_next(levels, excess, j, from, middle, bound);

    return next <= middle ? next : levels_line_next(levels, excess, j, middle + 1, to, bound);
}

/* The first vertex from `from` on, below `cells`, that is not proven to be settled for a curve with these excesses;
 * `cells` if there is none. Line j is used for the cells with count j, which follow the e_j - e_{j+1} cells with a
 * larger count. */
static size_t levels_next(const struct sb_tv_levels *levels, const uint32_t excess[], size_t from, double bound)
{
    for (size_t j = levels->levels; j-- > 0 && from < levels->cells;) {
        size_t to = j > 0 && excess[j - 1] > excess[j] ? excess[j - 1] - excess[j] : 0;

        if (j == 0 || to >= levels->cells)
            to = levels->cells - 1;
        if (to < from)
            continue;
        from = levels_line_next(levels, excess, j, from, to, bound);
        if (from <= to)
            return from;
    }
    return levels->cells;
}

static bool levels_settles(const struct sb_tv_levels *levels, const uint32_t excess[], double bound)
{
    return levels_next(levels, excess, 1, bound) == levels->cells;
}

/* Seeks the largest cover between the mean excesses (part = 0) and the largest excesses (part = 1). */
static void levels_seek_cover(struct sb_tv_levels *levels, double bound)
{
    double least = 0, most = 1, part = 1;

    levels->bound = bound;
    levels->misses = 0;
    for (int step = 0; step < LEVELS_STEPS && least < 1; step++) {
        uint32_t cover[SB_SMALL_LEVELS_MOST] = { 0 };

        for (size_t j = 0; j < levels->levels; j++)
            cover[j] = (uint32_t)(levels->mean[j] + part * (levels->most[j] - levels->mean[j]));
        if (levels_settles(levels, cover, bound)) {
            memcpy(levels->cover, cover, sizeof cover);
            levels->covers = true;
            least = part;
        } else {
            most = part;
        }
        part = 0.5 * (least + most);
    }
}

static bool levels_covers(const struct sb_tv_levels *levels, const uint32_t excess[])
{
    bool below = levels->covers;

    for (size_t j = 0; j < levels->levels; j++)
        below &= excess[j] <= levels->cover[j];
    return below;
}

/* The first vertex of the member's curve from `from` on that is not proven to be settled for this bound; `cells` if
 * there is none. Without levels, no vertex is proven. */
static size_t levels_next_of(const struct sb_tv_levels *levels, size_t member, size_t from, double bound)
{
    return levels->levels ? levels_next(levels, levels->excess + member * levels->levels, from, bound) : from;
}

/* Sets count[m], 0 < m <= cells, to the count of the m fullest cells of the member. count[0] must be 0. */
static void levels_draw(const struct sb_tv_levels *levels, size_t member, uint64_t count[])
{
    const uint32_t *const excess = levels->excess + member * levels->levels;
    size_t m = 0;

    /* e_{j-1} - e_j cells have a count of j or more */
    for (size_t j = levels->levels; j-- > 0;)
        for (const size_t end = j ? excess[j - 1] - excess[j] : levels->cells; m < end; m++)
            count[m + 1] = count[m] + j;
}

bool sb_tv_levels_settled(struct sb_tv_levels *levels, size_t member, double bound)
{
    if (levels->levels == 0)
        return false;
    const uint32_t *const excess = levels->excess + member * levels->levels;

    if (levels_covers(levels, excess))
        return true;
    if (!levels_settles(levels, excess, bound))
        return false;
    levels->misses++;
    if (bound > levels->bound && (!levels->covers || levels->misses >= LEVELS_MISSES))
        levels_seek_cover(levels, bound);
    return true;
}

/*
 * An upper bound on total variation that is valid at all times simultaneously, from tests of coins.
 *
 * E of fit/tv_sets.c tests whether a coin shows heads with probability theta or more. E rises with
 * theta and falls with the number of heads.
 *
 * Let the true law s be at a distance d = TV(s, q) from the null law q. Then s(R) = q(R) + d for the set R =
 * {s > q}, which does not depend on the data. The bound is
 *   high = inf{x : E at theta = q(S) + x reaches 1/delta for every set S of cells}.
 * If the bound is below d at any time, then E at theta = q(R) + d has reached 1/delta for this one set R.
 * This happens with probability at most delta. No union bound over sets is needed: there are many sets, but
 * the bound is wrong only if the test of one fixed coin is wrong.
 *
 * E falls with the count of a set S, and rises with q(S). So among sets with the same count, the set with the
 * smallest q(S) decides. If all K cells are equally likely, those sets are the m fullest cells, m = 1..K-1.
 * Otherwise all sets lie on or above the curve of fit/sequential.h, and the bound treats every point
 * of that curve as a set: its vertices, and the parts of a segment between two vertices. A part is settled if
 * a lower bound on E of all its points reaches 1/delta; otherwise it is halved. So that the halving ends near
 * the points that decide, the bound is a thousandth larger than these points require.
 *
 * For steps between permutations (see fit/tv_low.c), E is also an average of products over tosses,
 * so the Cauchy-Schwarz inequality applies here, too. The bound for steps is the bound for half of each count
 * at delta/2.
 *
 * Cost: a sort, two logarithms for each vertex, and the solution of a few equations. For the largest bound of
 * many members, few equations are solved in total.
 *
 * Ville, Étude critique de la notion de collectif, 1939. P. Grünwald, R. de Heide, W. Koolen, Safe testing,
 * doi:10.1093/jrsssb/qkae011.
 */

enum { HIGH_HALVINGS = 30 }; /* the most halvings of a segment */

static const double high_margin = 1e-3;

/* Raises the bound until every point of a segment between two vertices is settled. */
static double high_segment(const struct sb_tv_coin *coin, struct sb_tv_set one, struct sb_tv_set other, double bound,
                           int halvings)
{
    const struct sb_tv_set middle = { .count = 0.5 * (one.count + other.count), .q = 0.5 * (one.q + other.q) };

    if (sb_tv_coin_settles_part(coin, one, other, bound))
        return bound;
    if (halvings == 0)
        return sb_tv_coin_raise(coin, (struct sb_tv_set) { .count = other.count, .q = one.q }, bound);
    if (!sb_tv_coin_settles(coin, middle, bound))
        bound = (1 + high_margin) * sb_tv_coin_raise(coin, middle, bound);
    bound = high_segment(coin, one, middle, bound, halvings - 1);
    return high_segment(coin, middle, other, bound, halvings - 1);
}

static struct sb_tv_set high_prefix(const struct sb_tv_coin *coin, const struct sb_tv_curve *curve, size_t m)
{
    return (struct sb_tv_set) {
        .count = coin->share * (double)curve->count[m],
        .q = sb_tv_curve_q(curve, m),
    };
}

/* The bound that a vertex needs according to the normal approximation of a coin. */
static double high_guess(const struct sb_tv_coin *coin, const struct sb_tv_curve *curve, size_t m)
{
    const double p = sb_tv_curve_p(curve, m), q = sb_tv_curve_q(curve, m);

    return p - q + sqrt(2 * p * (1 - p) * coin->ln_level / coin->total);
}

/* The vertex with the largest guess, the first of several. */
static size_t high_start(const struct sb_tv_coin *coin, const struct sb_tv_curve *curve)
{
    double most = -HUGE_VAL;
    size_t best = 1;

    for (size_t m = 1; m < curve->cells; m++) {
        const double guess = high_guess(coin, curve, m);

        if (guess > most) {
            most = guess;
            best = m;
        }
    }
    return best;
}

/* The state of a search for the bounds of a family's members. */
struct high_search {
    const struct sb_tv_coin *coin; /* borrowed */
    bool largest;                  /* the search is only for the largest bound, so the bound never falls */
    struct sb_tv_curve curve;      /* of the current member */
    struct sb_tv_levels levels;
    /* [cells] for each vertex m, the largest count that is known to be settled; NULL: not used */
    uint64_t *most;
};

static void high_search_close(struct high_search *search)
{
    sb_tv_curve_close(&search->curve);
    sb_tv_levels_close(&search->levels);
    free(search->most);
}

static enum sb_status high_search_open(const struct sb_tally *tally, const struct sb_tv_coin *coin, bool largest,
                                       struct high_search *search)
{
    *search = (struct high_search) { .coin = coin, .largest = largest };
    if (sb_tv_curve_open(tally, &search->curve))
        return SB_NO_MEMORY;
    if (tally->ln_p || tally->members < 2)
        return SB_OK;
    if (sb_tv_levels_open(tally, coin, &search->levels)) {
        sb_tv_curve_close(&search->curve);
        return SB_NO_MEMORY;
    }
    if (!largest || search->levels.levels)
        return SB_OK;
    search->most = calloc(tally->cells + 1, sizeof search->most[0]);
    if (search->most)
        return SB_OK;
    high_search_close(search);
    return SB_NO_MEMORY;
}

/*
 * Whether vertex m is known to be settled: vertex m of an earlier member was settled with the same count or a
 * larger count. E falls with the count, and rises with the bound, which never falls during a search. Rounding
 * cannot make a difference: the counts are equal, or differ by at least 1. If they differ, the term ln L_v of
 * each step differs by at least the step, while the rounding error of the term after t deals is about t 2^-53
 * times the step.
 */
static bool high_search_knows(const struct high_search *search, size_t m)
{
    return search->most && search->curve.count[m] <= search->most[m];
}

/* Returns the bound that one member needs, or `bound` if `bound` is larger. */
static double high_of_curve(struct high_search *search, size_t member, double bound)
{
    const struct sb_tv_coin *const coin = search->coin;
    const struct sb_tv_curve *const curve = &search->curve;
    const size_t start = high_start(coin, curve);
    const double given = bound;

    /* the start, and then all vertices that are not known to be settled */
    for (size_t i = 0; i < curve->cells; i = curve->q ? i + 1 : levels_next_of(&search->levels, member, i + 1, bound)) {
        const size_t m = i == 0 ? start : i;
        const struct sb_tv_set set = high_prefix(coin, curve, m);

        if (high_search_knows(search, m))
            continue;
        if (!sb_tv_coin_settles(coin, set, bound))
            bound = sb_tv_coin_raise(coin, set, bound);
        else if (search->most)
            search->most[m] = curve->count[m];
    }
    if (!curve->q)
        return bound;
    if (bound > given)
        bound *= 1 + high_margin;
    for (size_t m = 0; m < curve->cells; m++)
        bound = high_segment(coin, high_prefix(coin, curve, m), high_prefix(coin, curve, m + 1), bound, HIGH_HALVINGS);
    return bound;
}

/* Whether all vertices are settled for this bound, so that the curve cannot raise the bound. */
static bool high_search_settles(double bound, struct high_search *search)
{
    const struct sb_tv_curve *const curve = &search->curve;

    for (size_t m = 1; m < curve->cells; m++) {
        if (high_search_knows(search, m))
            continue;
        if (!sb_tv_coin_settles(search->coin, high_prefix(search->coin, curve, m), bound))
            return false;
        search->most[m] = curve->count[m];
    }
    return true;
}

/* Whether a search for the largest bound can skip this member. If the result is false, search->curve is the
 * curve of this member. */
static bool high_search_skips(const struct sb_tally *tally, size_t member, double bound, struct high_search *search)
{
    if (search->largest && sb_tv_levels_settled(&search->levels, member, bound))
        return true;
    if (search->levels.levels)
        levels_draw(&search->levels, member, search->curve.count);
    else
        sb_tv_curve_draw(tally, member, &search->curve);
    return search->most && high_search_settles(bound, search);
}

/* Returns the bound of a member, or `least` if `least` is larger. */
static double high_of_member(const struct sb_tally *tally, size_t member, double least, struct high_search *search)
{
    const double most = tally->ln_p ? 1 : 1 - 1 / (double)tally->cells;

    if (tally->cells < 2 || least >= most)
        return least;
    if (tally->total == 0)
        return most;
    if (high_search_skips(tally, member, least, search))
        return least;
    return fmin(most, high_of_curve(search, member, least));
}

/* Of members with two cells, the bound of a cell rises with its count: only the largest and the smallest count can have
 * the largest bound. Returns whether the member has another count. */
static bool high_between(const struct sb_tally *tally, size_t member, uint64_t least, uint64_t most)
{
    const uint64_t count = tally->count[2 * member];

    return tally->cells == 2 && tally->members > 2 && count > least && count < most;
}

/* Returns the first member with the same counts, if all have two cells; else the member. */
static size_t high_like(const struct sb_tally *tally, size_t member)
{
    size_t like = 0;

    if (tally->cells != 2)
        return member;
    while (tally->count[2 * like] != tally->count[2 * member])
        like++;
    return like;
}

/* Sets *least and *most to the smallest and the largest count of the first cell. */
static void high_ends(const struct sb_tally *tally, uint64_t *least, uint64_t *most)
{
    *least = UINT64_MAX;
    *most = 0;
    for (size_t member = 0; tally->cells == 2 && member < tally->members; member++) {
        *least = tally->count[2 * member] < *least ? tally->count[2 * member] : *least;
        *most = tally->count[2 * member] > *most ? tally->count[2 * member] : *most;
    }
}

/* Sets high[] to the bounds of all members or, if it is NULL, raises *largest to the largest of them. */
static enum sb_status high_of_tally(const struct sb_tally *tally, double ln_level, double size, double high[],
                                    double *largest)
{
    struct sb_tv_coin coin;
    struct high_search search;
    uint64_t least, most;
    enum sb_status status = SB_OK;

    for (size_t member = 0; tally->separate && member < tally->members && status == SB_OK; member++) {
        const struct sb_tally one = sb_tally_member(tally, member);

        status = high_of_tally(&one, ln_level, size, high ? &high[member] : NULL, largest);
    }
    if (tally->separate)
        return status;
    sb_tv_coin_open(tally, ln_level, &coin);
    if (size > 0)
        sb_tv_coin_tune(tally, size, &coin);
    if (high_search_open(tally, &coin, !high, &search))
        return SB_NO_MEMORY;
    high_ends(tally, &least, &most);
    for (size_t member = 0; member < tally->members; member++) {
        if (!high && high_between(tally, member, least, most))
            continue;
        const size_t like = high ? high_like(tally, member) : member;
        const double bound =
            high && like < member ? high[like] : high_of_member(tally, member, largest ? *largest : 0, &search);

        if (largest)
            *largest = bound;
        if (high)
            high[member] = bound;
    }
    high_search_close(&search);
    return SB_OK;
}

enum sb_status sb_tv_high(const struct sb_tally *tally, double ln_level, double high[])
{
    return high_of_tally(tally, ln_level, 0, high, NULL);
}

enum sb_status sb_tv_high_largest(const struct sb_tally *tally, double ln_level, double size, double *largest)
{
    return high_of_tally(tally, ln_level, size, NULL, largest);
}

/*
 * Of K equally likely cells, the half with the larger counts has a share of about 1/2 + TV of all deals,
 * where TV is the total variation that t deals show by chance. For the coin of this half, the sum in E is
 * about 4/3 of its largest term.
 */
double sb_tv_high_fair(double total, double cells, double ln_level)
{
    const double r = (ln_level + log(0.75 * SB_TV_COIN_STEPS)) / total;

    if (cells < 2)
        return 0;
    return sb_total_variation_fair((uint64_t)total, (size_t)cells) + sb_kl_rise(0.5, r);
}
