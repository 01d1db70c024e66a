/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The error budget: a weighted average of e-processes is one itself, whatever their dependence, and bounds
 * whose levels add up to delta hold together with confidence 1 - delta. So weights that add up to 1 share out
 * both: the rank, which alone sees every bias, has one half, and the other families share the rest equally,
 * each equally among its members. Families without members have none. Those that look for permutations that
 * depend on each other, lag by lag, share one part in a hundred: that costs the others ln(1/0.99) = 0.01
 * nats.
 *
 * Over many tests: test k has level/(k(k+1)) = level/k - level/(k+1), and all of them together, without end,
 * the level.
 */
#include "gate/gate_internal.h"

#include <math.h>
#include <string.h>

static const double budget_lags = 0.01;

bool sb_gate_is_rank(const struct sb_tally *tally)
{
    return tally->members && !tally->lag && strcmp(tally->statistic, "rank") == 0;
}

double sb_gate_weight(const struct sb_tally tally[], size_t count, size_t at)
{
    size_t others = 0, lags = 0;
    bool rank = false;

    for (size_t i = 0; i < count; i++) {
        rank = rank || sb_gate_is_rank(&tally[i]);
        lags += tally[i].members && tally[i].dependence;
        others += tally[i].members && !tally[i].dependence && !sb_gate_is_rank(&tally[i]);
    }
    const double rest = lags ? 1 - budget_lags : 1;

    if (tally[at].dependence)
        return budget_lags / (double)lags / (double)tally[at].members;
    if (sb_gate_is_rank(&tally[at]))
        return others ? 0.5 * rest : rest;
    return (rank ? 0.5 : 1) * rest / (double)others / (double)tally[at].members;
}

double sb_gate_share(double level, uint64_t share)
{
    return level / (double)share / ((double)share + 1);
}

double sb_gate_ln_level(double weight, double level)
{
    return -log(weight) - log(level);
}
