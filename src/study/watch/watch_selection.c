/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selects what a watch tests: the statistics and, if the option `window` is set, the levels of the detector.
 * If there is resumed evidence, the statistics are those of the resumed evidence. */
#include "study/watch/watch.h"

#include "core/core.h"
#include "gate/gate.h"
#include "statistic/statistic.h"
#include "study/gate/gate_run.h"
#include "study/run/statistic_selection.h"

#include <stdlib.h>

/*
 * The most items for which the n^2 cells of positions and successors are tested if the option `window` is
 * set. The detector keeps 40 copies of all counts, and reads some of these copies at every look. With more
 * items, the detector would take longer to read these counts than the watch takes to read the permutations.
 */
enum { SELECT_WINDOW_ITEMS_MOST = 128 };

/* Opens the tallies of the statistics. If there is resumed evidence, the statistics are those of the resumed
 * evidence. */
static enum sb_status select_tallies(struct sb_watch_run *run, size_t n, size_t deal)
{
    const struct sb_watch_options *const options = run->options;
    const struct sb_statistic_type **const type = calloc(sb_statistic_types_count + 1, sizeof *type);
    unsigned what = options->increments ? SB_TALLIES_INCREMENTS : 0;
    const struct sb_multiset *const multiset = sb_item_multiset(run->feed->names);
    size_t count = 0;
    enum sb_status status = SB_OK;

    if (!type)
        return sb_error_memory(run->error, "the watch's tallies");
    if (!run->saved.there)
        count = sb_selection_choose(multiset, n, deal, options->profile, &run->terms, type);
    else if (sb_snapshot_types(&run->saved.snapshot, type, &count))
        status = sb_error_set(run->error, SB_IO,
                              "'%.200s' has statistics that version %s does not know: use the "
                              "version that wrote it, or name another file",
                              options->save, SB_VERSION);
    if (!multiset && sb_selection_repeats(NULL, n, deal, type[0]))
        what |= SB_TALLIES_REPEATS_PART;
    if (run->saved.there ? run->saved.snapshot.bet : sb_selection_bets(n, deal, type[0]))
        what |= SB_TALLIES_BETTOR_ROUNDS;
    if (options->window && n > SELECT_WINDOW_ITEMS_MOST)
        what |= SB_TALLIES_COARSE;
    if (status == SB_OK)
        status = sb_tallies_open_equal(multiset, n, deal, type, count, what, run->error, &run->tallies);
    free(type);
    return status;
}

/* Sets up the levels of the detector, with the weights of the gate's lines. */
static enum sb_status select_levels(struct sb_watch_run *run)
{
    const struct sb_gate *const gate = &run->watch->gate;
    double *const weight = calloc(gate->lines_count + 1, sizeof *weight);
    enum sb_status status = SB_NO_MEMORY;

    for (size_t i = 0; weight && i < gate->lines_count; i++)
        weight[i] = gate->line[i].weight;
    if (weight)
        status = sb_detector_open(run->tallies.tally, run->tallies.count, weight, run->options->alpha,
                                  &run->detector);
    free(weight);
    return status ? sb_error_memory(run->error, "the levels of a watch") : SB_OK;
}

enum sb_status sb_watch_select(struct sb_watch_run *run, size_t n, size_t deal)
{
    struct sb_gate *const gate = &run->watch->gate;
    struct sb_gate made = { .name = NULL };
    enum sb_status status =
        sb_selection_check(n, deal, run->options->profile, run->options->increments, run->error);

    if (status == SB_OK)
        status = select_tallies(run, n, deal);
    if (status)
        return status;
    if (sb_gate_open(&run->terms, run->tallies.tally, run->tallies.count, &made) ||
        sb_gate_leave_out(n, deal, &made)) {
        sb_gate_close(&made);
        return sb_error_memory(run->error, "the watch's statistics");
    }
    made.name = gate->name;
    made.title = gate->title;
    made.kind = gate->kind;
    made.chained = gate->chained;
    made.n = n;
    made.deal = deal;
    made.watched = run->tallies.repeat;
    *gate = made;
    run->watch->compared = made.watched ? UINT64_C(1) << SB_REPEATS_PART : 0;
    run->ready = true;
    if (run->options->window)
        status = select_levels(run);
    return status || !run->saved.there ? status : sb_watch_resume(run);
}
