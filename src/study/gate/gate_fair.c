/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The intended law of a gate, if it does not give all orders the same probability. */
#include "core/core.h"
#include "statistic/statistic.h"
#include "study/gate/gate_run.h"
#include "subject/subject.h"

#include <string.h>

enum sb_status sb_gate_fair_open(struct sb_gate_run *run)
{
    const enum sb_status status =
        sb_fair_new(run->options->fair, run->options, run->n, run->deal, run->names, run->error, &run->fair);

    if (status || !run->options->save || !sb_fair_bets(run->fair))
        return status;
    return sb_error_set(run->error, SB_INVALID,
                        "`save`: bets on the next of %zu items cannot be resumed: leave it out, or use n <= %d", run->n,
                        SB_FAIR_LISTED_MOST);
}

enum sb_status sb_gate_fair_keep(struct sb_gate_run *run)
{
    struct sb_gate *const gate = run->gate;

    if (run->fair && !(gate->fair = strdup(run->fair->words)))
        return SB_NO_MEMORY;
    for (size_t i = 0; i < gate->lines_count; i++)
        if (run->tallies.weigher && gate->line[i].context) {
            gate->context = strdup(gate->line[i].context);
            gate->line[i].context = gate->context;
            return gate->context ? SB_OK : SB_NO_MEMORY;
        }
    return SB_OK;
}
