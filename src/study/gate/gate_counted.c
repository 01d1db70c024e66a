/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A gate on the counts of a report. E and the bounds of a statistic depend only on the statistic's counts, so
 * the gate needs no permutation. The gate selects statistics as if its limit were the number of permutations
 * in the whole run, even if only some of these permutations are counted. Of the selected statistics, the gate
 * tests those that the evidence has. If deals are counted by rank, the evidence has all statistics that
 * follow from the counts by rank. Otherwise the evidence has the positions and the statistics that the report
 * tallied. The gate leaves out the tests that need the permutations themselves: repeated decks, steps and
 * bets.
 *
 * A report does not merge cells. A gate does, so the count of a gate's cell is a sum of the report's counts.
 *
 * Cost: reading the counts, and one look.
 */
#include "study/gate/gate_run.h"

#include "core/error.h"
#include "statistic/statistic.h"
#include "store/evidence/report_saved.h"
#include "study/results.h"
#include "study/run/statistic_selection.h"
#include "tally/evidence_tally.h"

#include <stdlib.h>
#include <string.h>

/* Returns the report's counts of a statistic, or NULL if the report has no such counts. */
static const struct sb_counts *counted_find(const struct sb_saved *saved,
                                            const struct sb_statistic_type *type, bool increments)
{
    for (size_t i = 0; i < saved->counts_count; i++)
        if (strcmp(saved->counts[i].statistic, type->name) == 0 && (saved->counts[i].lag > 0) == increments)
            return &saved->counts[i];
    return NULL;
}

static bool counted_has(const struct sb_saved *saved, const struct sb_statistic_type *type)
{
    return (saved->evidence.cells || type == &sb_statistic_position || counted_find(saved, type, false)) &&
           (!saved->increments || counted_find(saved, type, true));
}

/* Checks that the evidence has the tallies that a report of this version would have. */
static enum sb_status counted_check(const struct sb_gate_run *run)
{
    const struct sb_saved *const saved = run->options->saved->report;
    const size_t n = saved->evidence.n, deal = saved->evidence.deal;
    struct sb_statistics statistics;
    struct sb_options options;
    enum sb_status status;

    sb_options_init(&options);
    sb_saved_options(saved, &options);
    /* 0, because no deals are added */
    status = sb_statistics_open(&options, n, deal, 0, run->error, &statistics);
    if (status == SB_OK && !sb_statistics_resume(&statistics, saved->counts, saved->counts_count))
        status = sb_gate_saved_foreign(run->options->saved, run->error);
    sb_statistics_close(&statistics);
    return status;
}

enum sb_status sb_gate_counted_choose(struct sb_gate_run *run, const struct sb_gate_terms *terms,
                                      const struct sb_statistic_type *type[], size_t *count)
{
    const struct sb_saved *const saved = run->options->saved->report;
    const size_t chosen = sb_selection_choose(NULL, run->n, run->deal, run->options->profile, terms, type);
    const bool repeats = sb_selection_repeats(NULL, run->n, run->deal, type[0]);
    const bool bets = sb_selection_bets(run->n, run->deal, type[0]);
    const bool ranked =
        chosen && type[0] == &sb_statistic_rank && saved->evidence.cells && run->n <= SB_CATALOGUE_RANKED;
    const enum sb_status status = counted_check(run);

    if (status)
        return status;
    run->left_out = calloc(chosen + 4, sizeof *run->left_out);
    if (!run->left_out)
        return sb_error_memory(run->error, "the gate's statistics");
    *count = 0;
    for (size_t i = 0; i < chosen; i++)
        if (counted_has(saved, type[i]))
            type[(*count)++] = type[i];
        else
            run->left_out[run->left_out_count++] = type[i]->name;
    if (repeats)
        run->left_out[run->left_out_count++] = sb_statistics_repeat;
    if (run->deal == run->n)
        run->left_out[run->left_out_count++] = "lags";
    if (bets)
        run->left_out[run->left_out_count++] = sb_bettor_name;
    if (run->deal == run->n && run->n <= SB_CATALOGUE_ITEMS && run->options->tolerate <= 0 && !ranked)
        run->left_out[run->left_out_count++] = "catalogue";
    return SB_OK;
}

/* Adds the report's counts to the observer's statistics. These are either the statistics of deals or the
 * statistics of increments. The counts of the positions of deals come from the report's matrix. */
static enum sb_status counted_add(const struct sb_gate_run *run, bool increments,
                                  struct sb_observer *observer)
{
    const struct sb_saved *const saved = run->options->saved->report;
    const size_t count = run->tallies.statistics;
    uint64_t *const positions = increments ? NULL : sb_evidence_positions(&saved->evidence);
    struct sb_tally *const tally = calloc(count + 1, sizeof *tally);
    enum sb_status status = tally && (increments || positions) ? SB_OK : SB_NO_MEMORY;

    for (size_t i = 0; status == SB_OK && i < count; i++) {
        const struct sb_statistic_type *const type = sb_statistic_find(run->tallies.tally[i].statistic);
        const struct sb_counts *const counts = counted_find(saved, type, increments);

        tally[i] = (struct sb_tally) {
            .cells = type->cells(run->n, run->deal),
            .total = counts ? counts->total : saved->evidence.total,
            .count = counts ? counts->count : positions,
        };
    }
    if (status == SB_OK)
        sb_observer_resume(observer, tally);
    free(tally);
    free(positions);
    return status;
}

enum sb_status sb_gate_counted_take(struct sb_gate_run *run)
{
    const struct sb_evidence *const evidence = &run->options->saved->report->evidence;
    struct sb_tallies *const tallies = &run->tallies;
    enum sb_status status = evidence->cells ? sb_classify_counts(evidence, 0, tallies->observer)
                                            : counted_add(run, false, tallies->observer);

    if (status == SB_OK && tallies->increments)
        status = counted_add(run, true, tallies->increments);
    if (status)
        return sb_error_memory(run->error, "the gate's tallies");
    run->loop.total = evidence->total;
    sb_tallies_read(tallies);
    return SB_OK;
}

void sb_gate_counted_say(struct sb_gate_run *run)
{
    struct sb_gate *const gate = run->gate;

    if (!run->options->saved || !run->options->saved->report)
        return;
    gate->reported = true;
    gate->left_out = run->left_out;
    gate->left_out_count = run->left_out_count;
    run->left_out = NULL;
    sb_shards_say(&run->options->saved->report->parts, gate->evidence.part);
}
