/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the members that cannot raise a bound on total variation, in a family of many members with small
 * counts and equally likely cells. The answer is the same as that of a test of each vertex of each member's
 * curve (fit/sequential/tv_curve.h), but takes much less time.
 */
#ifndef SB_FIT_SEQUENTIAL_TV_LEVELS_H
#define SB_FIT_SEQUENTIAL_TV_LEVELS_H

#include "core/calls.h"
#include "core/tally.h"
#include "fit/sequential/small_counts.h"
#include "fit/sequential/tv_coin.h"

struct sb_tv_levels {
    const struct sb_tv_coin *coin; /* borrowed */
    size_t members, cells;
    size_t levels; /* 1 more than the largest count of any member; 0 if levels are not used */
    /* [members][levels] the excesses; excess j of a member is the sum of max(count - j, 0) over its cells;
     * owned */
    uint32_t *excess;
    /* [levels] over all members: the mean and the largest excess */
    double mean[SB_SMALL_LEVELS_MOST], most[SB_SMALL_LEVELS_MOST];
    /* [levels] If `covers` is set, a member is settled for `bound` if each excess j of the member is at most
     * cover[j]. */
    uint32_t cover[SB_SMALL_LEVELS_MOST];
    bool covers;
    double bound;  /* the bound for which the cover was sought; the cover is valid for larger bounds, too */
    size_t misses; /* number of settled members since then that the cover did not cover */
};

/* Computes the levels if this tally has many members and its counts are bytes. Otherwise sets levels->levels
 * to 0. The cells must be equally likely. The caller closes the levels after SB_OK. SB_NO_MEMORY. */
enum sb_status sb_tv_levels_open(const struct sb_tally *tally, const struct sb_tv_coin *coin,
                                 struct sb_tv_levels *levels);
void sb_tv_levels_close(struct sb_tv_levels *levels);

/* The first vertex of the member's curve from `from` on, below `cells`, that is not proven to be settled for
 * this bound; `cells` if there is none. If levels->levels is 0, no vertex is proven, and the result is
 * `from`. */
size_t sb_tv_levels_next(const struct sb_tv_levels *levels, size_t member, size_t from, double bound);

/* Sets count[m], 0 < m <= cells, to the count of the m fullest cells of the member. count[0] must be 0. Requires
 * levels->levels > 0. */
void sb_tv_levels_draw(const struct sb_tv_levels *levels, size_t member, uint64_t count[]);

/* Whether all vertices of the member's curve are proven to be settled for this bound. First compares the member with a
 * cover. `bound` must not fall from one call to the next. False if levels->levels is 0. */
bool sb_tv_levels_settled(struct sb_tv_levels *levels, size_t member, double bound);

#endif
