/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The error budget. A weighted average of e-processes is an e-process, whatever their dependence, and
 * bounds whose levels add up to delta hold simultaneously with confidence 1 - delta. So weights that add
 * up to 1 divide both budgets. The rank, the only statistic that sees every bias, has one half. The other
 * families share the rest equally, and each family divides its share equally among its members; families
 * without members get nothing. The families that test for dependence between permutations, lag by lag,
 * share 1%, which costs the others ln(1/0.99) = 0.01 nats.
 *
 * Over many tests, test k has level/(k(k+1)) = level/k - level/(k+1), and the infinite sum is the level.
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
