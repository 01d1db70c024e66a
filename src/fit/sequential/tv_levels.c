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
 * (fit/sequential/tv_coin.c). Vertex m of the curve is the set of the m fullest of K cells. So the vertices
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
#include "fit/sequential/tv_levels.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEVELS_MEMBERS_LEAST = 64, /* the fewest members for which a cover is worth its cost */
    LEVELS_MISSES = 6,         /* members without cover that are worth a new cover */
    LEVELS_STEPS = 6,          /* halvings of the range in which a cover is sought */
};

static const double levels_margin = 1e-6;

enum sb_status sb_tv_levels_open(const struct sb_tally *tally, const struct sb_tv_coin *coin,
                                 struct sb_tv_levels *levels)
{
    const struct sb_small_counts *const passes = sb_small_counts_get(0);

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

        passes->excess(tally->small + member * tally->cells, tally->cells, count, most, excess);
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
static struct sb_tv_set levels_point(const struct sb_tv_levels *levels, const uint32_t excess[], size_t j,
                                     size_t m)
{
    return (struct sb_tv_set) {
        .count = levels->coin->share * (double)(j * m + excess[j]),
        .q = (double)m / (double)levels->cells,
    };
}

/* The first of the vertices from..to whose point on line j is not proven to be settled; to + 1 if there is none. */
static size_t levels_line_next(const struct sb_tv_levels *levels, const uint32_t excess[], size_t j,
                               size_t from, size_t to, double bound)
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
static size_t levels_next(const struct sb_tv_levels *levels, const uint32_t excess[], size_t from,
                          double bound)
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

size_t sb_tv_levels_next(const struct sb_tv_levels *levels, size_t member, size_t from, double bound)
{
    return levels->levels ? levels_next(levels, levels->excess + member * levels->levels, from, bound) : from;
}

void sb_tv_levels_draw(const struct sb_tv_levels *levels, size_t member, uint64_t count[])
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
