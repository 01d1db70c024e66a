/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which statistics a gate looks at. By n, deal and terms alone, so that nothing that was seen has a say in
 * it; evidence that is carried on has its own.
 */
#include "study/gate_run.h"

#include "core/error.h"
#include "statistic/statistic.h"

#include <stdlib.h>

/* The cells of a statistic once they are merged: no more than that. */
static size_t play_cells(const struct sb_gate_run *run, const struct sb_statistic_type *type)
{
    const size_t cells = type->cells(run->n, run->deal);

    return type == &sb_statistic_rank || cells < SB_TALLIES_CELLS_MOST ? cells : SB_TALLIES_CELLS_MOST;
}

/*
 * Whether a statistic is in play: the position of each item always, and every other one by which a fair
 * subject can pass within the limit. Where not even the positions can, there will be no pass, and for a
 * failure all others are in play, but for the rank, whose cells may be millions.
 */
static bool play_joins(const struct sb_gate_run *run, const struct sb_gate_terms *terms,
                       const struct sb_statistic_type *type)
{
    if (type == &sb_statistic_position)
        return play_cells(run, type);
    return (sb_statistic_joins(type, run->n, run->deal) ||
            sb_statistic_joins_profile(type, run->options->profile, run->n, run->deal)) &&
           (sb_gate_reaches(terms, play_cells(run, type)) ||
            (type != &sb_statistic_rank && !sb_gate_reaches(terms, play_cells(run, &sb_statistic_position))));
}

/*
 * What else is tallied. Whole decks that come up again: where the rank is not in play, but something is,
 * and there are more decks than the shortest seeds give.
 */
static unsigned play_beside(const struct sb_gate_run *run, const struct sb_statistic_type *first)
{
    unsigned what = run->options->increments ? SB_TALLIES_INCREMENTS : 0;

    if (first && first != &sb_statistic_rank && sb_deals(run->n, run->deal) > 1 << 16)
        what |= SB_TALLIES_REPEATS;
    return what;
}

/* What is carried on; NULL for nothing. */
static const struct sb_seen *play_carried(const struct sb_gate_run *run)
{
    const struct sb_ledger_entry *const entry = run->claim.entry;

    return run->options->saved                 ? &run->options->saved->seen
           : entry && entry->seen.counts_count ? &entry->seen
                                               : NULL;
}

/* The statistics: type[], of room for all there are. */
static enum sb_status play_choose(const struct sb_gate_run *run, const struct sb_gate_terms *terms,
                                  const struct sb_statistic_type *type[], size_t *count)
{
    const struct sb_gate_saved *const saved = run->options->saved;

    if (saved)
        return sb_seen_types(&saved->seen, type, count) ? sb_gate_saved_foreign(saved, run->error) : SB_OK;
    if (play_carried(run))
        return sb_ledger_types(&run->claim, run->error, type, count);
    for (size_t i = 0; i < sb_statistic_types_count; i++)
        if (play_joins(run, terms, sb_statistic_types[i]))
            type[(*count)++] = sb_statistic_types[i];
    return SB_OK;
}

/* Puts what is carried on into the tallies. */
static enum sb_status play_resume(struct sb_gate_run *run)
{
    const struct sb_gate_saved *const saved = run->options->saved;

    if (saved)
        return sb_seen_resume(&saved->seen, &run->tallies) ? SB_OK : sb_gate_saved_foreign(saved, run->error);
    return sb_ledger_resume(&run->claim, run->error, &run->tallies);
}

enum sb_status sb_gate_play(struct sb_gate_run *run, const struct sb_gate_terms *terms)
{
    const struct sb_statistic_type **const type = calloc(sb_statistic_types_count + 1, sizeof *type);
    const struct sb_seen *const carried = play_carried(run);
    size_t count = 0;
    enum sb_status status;

    if (!type)
        return sb_error_memory(run->error, "the gate's tallies");
    status = play_choose(run, terms, type, &count);
    if (status == SB_OK)
        status = sb_tallies_open(run->n, run->deal, type, count, play_beside(run, type[0]), run->error,
                                 &run->tallies);
    free(type);
    if (status || !carried)
        return status;
    run->total = carried->total;
    return play_resume(run);
}
