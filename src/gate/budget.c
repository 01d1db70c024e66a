/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The error budget. A weighted average of e-processes is an e-process, even if the e-processes depend on each
 * other. Bounds whose levels add up to delta hold simultaneously with confidence 1 - delta. So weights that
 * add up to 1 can divide both alpha and delta. The members of one statistic form a family. Some families have
 * a fixed share of the budget. A fixed share of 1% costs the other families only ln(1/0.99) = 0.01 nats. The
 * fixed shares leave a remainder. The rank gets one half of this remainder, because only the rank sees every
 * bias. The other families without a fixed share divide the other half equally; without the rank, they divide
 * the whole remainder. Each family divides its share equally among its members; families without members get
 * nothing.
 *
 * If the tests of a series divide `level` among them, test k gets the part level/(k(k+1)) = level/k -
 * level/(k+1). The sum of these parts over all k is `level`.
 */
#include "gate/gate_internal.h"

#include <math.h>
#include <string.h>

bool sb_gate_is_rank(const struct sb_tally *tally)
{
    return tally->members && !tally->lag && strcmp(tally->statistic, "rank") == 0;
}

double sb_gate_weight(const struct sb_tally tally[], size_t count, size_t at)
{
    const double members = (double)tally[at].members;
    double rest = 1;
    size_t others = 0;
    bool rank = false;

    for (size_t i = 0; i < count; i++) {
        rank = rank || sb_gate_is_rank(&tally[i]);
        rest -= tally[i].members ? tally[i].share : 0;
        others += tally[i].members && tally[i].share <= 0 && !sb_gate_is_rank(&tally[i]);
    }
    if (tally[at].share > 0)
        return tally[at].share / members;
    if (sb_gate_is_rank(&tally[at]))
        return others ? 0.5 * rest : rest;
    return (rank ? 0.5 : 1) * rest / (double)others / members;
}

double sb_gate_share(double level, uint64_t share)
{
    return level / (double)share / ((double)share + 1);
}

double sb_gate_ln_level(double weight, double level)
{
    return -log(weight) - log(level);
}
