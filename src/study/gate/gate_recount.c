/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks that a recording still begins with the permutations of saved evidence that has too few of them for a
 * fingerprint: counts these permutations again, and compares all counts with those of the evidence. Otherwise, in a
 * recording that was replaced or that grew at its start, the gate would skip new permutations and count old ones twice.
 * Cost: tallying up to 63 permutations.
 */
#include "study/gate/gate_run.h"

#include "core/core.h"
#include "statistic/statistic.h"

#include <stdlib.h>
#include <string.h>

enum sb_status sb_gate_recount_begin(struct sb_gate_run *run)
{
    const struct sb_snapshot *const saved = &run->options->saved->snapshot;
    const struct sb_statistic_type **type;
    size_t count = 0;
    enum sb_status status;

    if (run->loop.total >= SB_FINGERPRINT_DECKS)
        return SB_OK;
    type = calloc(sb_statistic_types_count + 1, sizeof *type);
    run->recount = calloc(1, sizeof *run->recount);
    if (!type || !run->recount || sb_snapshot_types(saved, type, &count))
        status = sb_error_memory(run->error, "the gate's tallies"); /* sb_gate_select() knew all types */
    else
        status = sb_tallies_open_equal(run->tallies.multiset, run->n, run->deal, type, count, 0, run->error,
                                       run->recount);
    free(type);
    return status;
}

bool sb_gate_recount_differs(struct sb_gate_run *run)
{
    bool differs = false;

    if (!run->recount)
        return false;
    sb_tallies_read(run->recount);
    sb_tallies_read(&run->tallies);
    for (size_t i = 0; i < run->recount->statistics; i++) {
        const struct sb_tally *const tally = &run->recount->tally[i];

        differs = differs || memcmp(tally->count, run->tallies.tally[i].count,
                                    tally->members * tally->cells * sizeof tally->count[0]) != 0;
    }
    return differs;
}

void sb_gate_recount_end(struct sb_gate_run *run)
{
    if (run->recount)
        sb_tallies_close(run->recount);
    free(run->recount);
    run->recount = NULL;
}
