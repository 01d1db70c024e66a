/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The intended law of a gate or a watch, if it does not give all orders the same probability. */
#include "core/core.h"
#include "statistic/statistic.h"
#include "study/gate/gate_run.h"
#include "subject/subject.h"

#include <string.h>

enum sb_status sb_gate_fair_open(const struct sb_request *options, size_t n, size_t deal,
                                 const struct sb_item_names *names, struct sb_error *error, struct sb_fair **fair)
{
    const enum sb_status status = sb_fair_new(options->fair, options, n, deal, names, error, fair);

    if (status || !options->save || !sb_fair_bets(*fair))
        return status;
    return sb_error_set(error, SB_INVALID,
                        "`save`: bets on the next of %zu items cannot be resumed: leave it out, or use n <= %d", n,
                        SB_FAIR_LISTED_MOST);
}

size_t sb_gate_fair_known(const struct sb_fair *fair, const struct sb_gate_terms *terms,
                          const struct sb_statistic_type *type[], size_t chosen)
{
    const bool ranked = chosen && type[0] == &sb_statistic_rank;
    size_t count = 0;

    if (!ranked && sb_fair_knows(fair, &sb_statistic_rank) && sb_gate_reaches(terms, sb_fair_orders(fair))) {
        memmove(type + 1, type, chosen * sizeof type[0]);
        type[0] = &sb_statistic_rank;
        chosen++;
    }
    for (size_t i = 0; i < chosen; i++)
        if (sb_fair_knows(fair, type[i]))
            type[count++] = type[i];
    return count;
}

enum sb_status sb_gate_fair_keep(const struct sb_fair *fair, bool weighed, struct sb_gate *gate)
{
    if (fair && !gate->fair && !(gate->fair = strdup(fair->words)))
        return SB_NO_MEMORY;
    for (size_t i = 0; i < gate->lines_count; i++)
        if (weighed && gate->line[i].context) {
            gate->context = strdup(gate->line[i].context);
            gate->line[i].context = gate->context;
            return gate->context ? SB_OK : SB_NO_MEMORY;
        }
    return SB_OK;
}
