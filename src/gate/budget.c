/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The error budget: a weighted average of e-processes is one itself, whatever their dependence, and bounds
 * whose levels add up to delta hold together with confidence 1 - delta. So weights that add up to 1 share out
 * both: the rank, which alone sees every bias, has one half, and the other families share the rest equally,
 * each equally among its members. Families without members have none.
 *
 * Over many tests: test k has level/(k(k+1)) = level/k - level/(k+1), and all of them together, without end,
 * the level.
 */
#include "gate/room.h"

#include <math.h>
#include <string.h>

bool sb_gate_is_rank(const struct sb_tally *tally)
{
    return tally->members && !tally->increments && strcmp(tally->statistic, "rank") == 0;
}

double sb_gate_weight(const struct sb_tally tally[], size_t count, size_t at)
{
    size_t others = 0;
    bool rank = false;

    for (size_t i = 0; i < count; i++) {
        rank = rank || sb_gate_is_rank(&tally[i]);
        others += tally[i].members && !sb_gate_is_rank(&tally[i]);
    }
    if (sb_gate_is_rank(&tally[at]))
        return others ? 0.5 : 1;
    return (rank ? 0.5 : 1) / (double)others / (double)tally[at].members;
}

double sb_gate_share(double level, uint64_t share)
{
    return level / (double)share / ((double)share + 1);
}

double sb_gate_ln_level(double weight, double level)
{
    return -log(weight) - log(level);
}
