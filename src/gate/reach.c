/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many deals a fair subject needs for a pass: until the upper bound on a law's total variation, which falls with the
 * deals, is below what a pass excludes.
 */
#include "fit/numeric/root.h"
#include "fit/sequential/tv_high.h"
#include "gate/room.h"

#include <math.h>

static const double reach_ln_most = 41; /* e^41 deals fit 64 bits */

struct reach_goal {
    double cells, ln_level, exclude;
};

static double reach_beyond(const void *state, double ln_total)
{
    const struct reach_goal *const goal = state;

    return log(goal->exclude / sb_tv_high_fair(exp(ln_total), goal->cells, goal->ln_level));
}

bool sb_gate_reaches(const struct sb_gate_terms *terms, size_t cells)
{
    const struct reach_goal goal = {
        .cells = (double)cells,
        .ln_level = -log(terms->delta),
        .exclude = terms->exclude,
    };

    return cells && sb_tv_high_fair((double)terms->limit, goal.cells, goal.ln_level) < terms->exclude;
}

double sb_gate_deals_needed(const struct sb_gate_terms *terms, const struct sb_gate_line *line)
{
    const double ln_level = -log(terms->delta);
    const struct reach_goal goal = {
        .cells = (double)line->cells,
        .ln_level = line->lag ? 2 * (ln_level + log(2) + 1) : ln_level, /* half of the deals count */
        .exclude = terms->exclude,
    };

    if (reach_beyond(&goal, 0) >= 0)
        return 1;
    return exp(sb_root_find(reach_beyond, &goal, 0, reach_ln_most, 1e-6));
}
