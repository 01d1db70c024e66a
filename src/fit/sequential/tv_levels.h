/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which members cannot raise a bound on total variation, for a family of many members with small counts and equally
 * likely cells. The answer is the same as that of a test of each vertex of each member's curve
 * (fit/sequential/tv_curve.h), and comes much sooner.
 */
#ifndef SB_FIT_SEQUENTIAL_TV_LEVELS_H
#define SB_FIT_SEQUENTIAL_TV_LEVELS_H

#include "core/tally.h"
#include "fit/sequential/small_counts.h"
#include "fit/sequential/tv_coin.h"
#include "shufflebias.h"

struct sb_tv_levels {
    const struct sb_tv_coin *coin; /* borrowed */
    size_t members, cells;
    size_t levels; /* the largest count of all members, plus 1; 0: the levels are not used */
    /* [members][levels] excess j of a member is the sum over its cells of how far the count is above j; owned */
    uint32_t *excess;
    /* [levels] over all members: the mean and the largest excess */
    double mean[SB_SMALL_LEVELS_MOST], most[SB_SMALL_LEVELS_MOST];
    /* [levels] A member whose excesses are all at most these is settled for `bound`, if `covers`. */
    uint32_t cover[SB_SMALL_LEVELS_MOST];
    bool covers;
    double bound; /* the bound for which the cover was sought */
};

/* Computes the levels, if this tally is suited to them: many members, with bytes as counts. The caller closes the
 * levels after SB_OK. SB_NO_MEMORY. */
enum sb_status sb_tv_levels_open(const struct sb_tally *tally, const struct sb_tv_coin *coin,
                                 struct sb_tv_levels *levels);
void sb_tv_levels_close(struct sb_tv_levels *levels);

/* Whether all vertices of the member's curve are proven to be settled for this bound. False if levels->levels is 0. */
bool sb_tv_levels_settle(const struct sb_tv_levels *levels, size_t member, double bound);

/* The same, with the help of a cover. `bound` never falls from call to call. */
bool sb_tv_levels_settled(struct sb_tv_levels *levels, size_t member, double bound);

#endif
