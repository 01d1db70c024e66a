/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When to look, and how many deals a pass needs.
 *
 * E-processes and bounds hold at all times, so a look costs nothing but time. With steps of 2% there are 650
 * looks up to 2,000,000 deals, and a verdict comes at most 2% late. Looks depend on counts alone, never on
 * the clock.
 *
 * A pass needs an upper bound below `exclude`. Of K equally likely cells, the half with the larger counts has
 * a share of 1/2 + TV, where TV is the total variation that t deals show by chance. The likelihood ratio of
 * the counts, 2 ln_best, is approximately chi-square with K - 1 degrees of freedom, and E is small. So the
 * upper bound is about TV + (f(1/2) - 1/2) with r = (ln(1/delta) + ln 2 + (K-1)/2)/t, and it falls with t.
 */
#include "fit/effect/kl.h"
#include "fit/numeric/binomial.h"
#include "fit/numeric/root.h"
#include "gate/gate_internal.h"

#include <math.h>

enum { SCHEDULE_SHARE = 50 }; /* a step is at most 1/50 of the total */

static const double schedule_ln_most = 41; /* e^41 deals fit in 64 bits */

struct schedule_goal {
    double cells, ln_level, exclude;
};

static double schedule_bound(const struct schedule_goal *goal, double total)
{
    const double r = (goal->ln_level + log(2) + 0.5 * (goal->cells - 1)) / total;

    if (goal->cells < 2)
        return 0;
    return sb_total_variation_fair((uint64_t)total, (size_t)goal->cells) + sb_kl_rise(0.5, r);
}

static double schedule_beyond(const void *state, double ln_total)
{
    const struct schedule_goal *const goal = state;

    return log(goal->exclude / schedule_bound(goal, exp(ln_total)));
}

bool sb_gate_reaches(const struct sb_gate_terms *terms, size_t cells)
{
    const struct schedule_goal goal = {
        .cells = (double)cells,
        .ln_level = sb_gate_ln_level(0.5, terms->delta),
        .exclude = terms->exclude,
    };

    return cells && schedule_bound(&goal, (double)terms->limit) < terms->exclude;
}

double sb_gate_deals_needed(const struct sb_gate_terms *terms, const struct sb_gate_line *line)
{
    const double ln_level = sb_gate_ln_level(line->weight, terms->delta);
    const struct schedule_goal goal = {
        .cells = (double)line->cells,
        .ln_level = line->lag ? 2 * ln_level + 3 * log(2) : ln_level, /* see sb_tv_bounds_steps() */
        .exclude = terms->exclude,
    };

    if (schedule_beyond(&goal, 0) >= 0)
        return 1;
    return exp(sb_root_find(schedule_beyond, &goal, 0, schedule_ln_most, 1e-6));
}

uint64_t sb_gate_next_look(uint64_t total)
{
    const uint64_t step = total / SCHEDULE_SHARE;

    return total + (step ? step : 1);
}
