/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which statistics a gate looks at: those in play, but evidence that is carried on has its own.
 */
#include "study/gate/gate_run.h"

#include "core/error.h"
#include "statistic/statistic.h"
#include "study/run/statistic_selection.h"

#include <stdlib.h>

/* What is carried on; NULL for nothing. */
static const struct sb_snapshot *play_carried(const struct sb_gate_run *run)
{
    const struct sb_ledger_entry *const entry = run->claim.entry;

    return run->options->saved                 ? &run->options->saved->seen
           : entry && entry->seen.counts_count ? &entry->seen
                                               : NULL;
}

/* The statistics: type[], of room for all there are. */
static enum sb_status play_choose(struct sb_gate_run *run, const struct sb_gate_terms *terms,
                                  const struct sb_statistic_type *type[], size_t *count)
{
    const struct sb_gate_saved *const saved = run->options->saved;

    if (saved && saved->report)
        return sb_gate_counted_choose(run, terms, type, count);
    if (saved)
        return sb_snapshot_types(&saved->seen, type, count) ? sb_gate_saved_foreign(saved, run->error)
                                                            : SB_OK;
    if (play_carried(run))
        return sb_ledger_types(&run->claim, run->error, type, count);
    *count = sb_selection_choose(run->n, run->deal, run->options->profile, terms, type);
    return SB_OK;
}

/* Puts what is carried on into the tallies. */
static enum sb_status play_resume(struct sb_gate_run *run)
{
    const struct sb_gate_saved *const saved = run->options->saved;

    if (saved && saved->report)
        return sb_gate_counted_take(run);
    if (saved)
        return sb_snapshot_resume(&saved->seen, &run->tallies) ? SB_OK
                                                               : sb_gate_saved_foreign(saved, run->error);
    return sb_ledger_resume(&run->claim, run->error, &run->tallies);
}

/*
 * Whether the steps at several lags are looked at: of whole permutations, but where a bias is tolerated,
 * since it shows in the steps, too. Evidence that is carried on has them or has not; no report has them.
 */
static bool play_lags(const struct sb_gate_run *run, const struct sb_snapshot *carried)
{
    bool had = false;

    if (!carried)
        return run->deal == run->n && run->options->tolerate <= 0;
    for (size_t i = 0; i < carried->counts_count; i++)
        had = had || carried->counts[i].dependence;
    return had;
}

enum sb_status sb_gate_play(struct sb_gate_run *run, const struct sb_gate_terms *terms)
{
    const struct sb_statistic_type **const type = calloc(sb_statistic_types_count + 1, sizeof *type);
    const struct sb_snapshot *const carried = play_carried(run);
    const bool counted = run->options->saved && run->options->saved->report;
    unsigned what = run->options->increments ? SB_TALLIES_INCREMENTS : 0;
    size_t count = 0;
    enum sb_status status;

    if (!type)
        return sb_error_memory(run->error, "the gate's tallies");
    status = play_choose(run, terms, type, &count);
    if (status == SB_OK && !counted && sb_selection_repeats(run->n, run->deal, type[0]))
        what |= SB_TALLIES_REPEATS;
    if (status == SB_OK && play_lags(run, carried))
        what |= SB_TALLIES_LAGS;
    if (status == SB_OK)
        status = sb_tallies_open(run->n, run->deal, type, count, what, run->error, &run->tallies);
    free(type);
    if (status == SB_OK && run->claim.entry && run->tallies.repeat &&
        !sb_repeat_carry(run->tallies.repeat, run->claim.decks, run->claim.decks_count))
        status = sb_error_memory(run->error, "the decks of earlier runs");
    if (status || !carried)
        return status;
    run->total = carried->total;
    return play_resume(run);
}
