/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When to look, and how many deals a pass needs.
 *
 * E-processes and bounds hold at all times, so a look costs only computing time, and no part of the error
 * budget. With steps of 2% there are 650 looks up to 2,000,000 deals, and a verdict comes at most 2% late.
 * Looks depend only on the number of deals, never on the clock.
 *
 * A pass needs an upper bound on total variation below `exclude`. A fair subject's bound falls as deals are
 * added.
 */
#include "fit/numeric/root.h"
#include "fit/sequential/tv_high.h"
#include "gate/gate_internal.h"

#include <math.h>

enum { SCHEDULE_SHARE = 50 }; /* a step is at most 1/50 of the total */

static const double schedule_ln_most = 41; /* e^41 deals fit in 64 bits */

/* An average run of a fair subject should pass within this share of the limit, because some runs take
 * longer. */
static const double schedule_room = 0.85;

struct schedule_goal {
    double cells, ln_level, exclude;
};

static double schedule_beyond(const void *state, double ln_total)
{
    const struct schedule_goal *const goal = state;

    return log(goal->exclude / sb_tv_high_fair(exp(ln_total), goal->cells, goal->ln_level));
}

bool sb_gate_reaches(const struct sb_gate_terms *terms, size_t cells)
{
    const struct schedule_goal goal = {
        .cells = (double)cells,
        .ln_level = -log(terms->delta),
        .exclude = terms->exclude,
    };

    return cells &&
           sb_tv_high_fair(schedule_room * (double)terms->limit, goal.cells, goal.ln_level) < terms->exclude;
}

double sb_gate_deals_needed(const struct sb_gate_terms *terms, const struct sb_gate_line *line)
{
    const double ln_level = -log(terms->delta);
    const struct schedule_goal goal = {
        .cells = (double)line->cells,
        /* the bound from the steps at a lag is about the bound from half as many deals */
        .ln_level = line->lag ? 2 * (ln_level + log(2) + 1) : ln_level,
        .exclude = terms->exclude,
    };

    if (terms->exclude <= SB_TV_HIGH_LEAST)
        return INFINITY;
    if (schedule_beyond(&goal, 0) >= 0)
        return 1;
    return exp(sb_root_find(schedule_beyond, &goal, 0, schedule_ln_most, 1e-6));
}

uint64_t sb_gate_next_look(uint64_t total)
{
    const uint64_t step = total / SCHEDULE_SHARE;

    return total + (step ? step : 1);
}
