/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Resumes a gate from saved evidence, or from a ledger's evidence of earlier runs.
 *
 * A scheme or a recording yields the tallied permutations again. The gate skips these permutations, that is,
 * it does not tally them a second time. But the gate keeps the skipped decks for the comparison with later
 * decks. It also remembers the last skipped permutations, because the steps of the first new permutations
 * start there. And its bettor learns from all skipped permutations. So the run ends like an uninterrupted
 * run.
 *
 * A program, a pipe or a function yields new permutations. The first new permutations serve only to recognise
 * the run (study/run/recognise.h), and the gate tallies all later permutations. Without a ledger, the gate
 * cannot compare new decks with the decks of earlier runs, because it no longer has the decks of earlier
 * runs.
 *
 * Cost: generating the skipped permutations again. If the gate neither compares decks nor bets, and the
 * generator has a counter, the gate generates only one block of the skipped permutations.
 */
#include "study/gate/gate_run.h"

#include "core/core.h"
#include "report/number.h"
#include "statistic/statistic.h"
#include "study/catalogue/catalogue_build.h"
#include "study/run/statistic_selection.h"

#include <stdlib.h>

/* Returns the evidence to resume, or NULL if there is none. */
static const struct sb_snapshot *resume_carried(const struct sb_gate_run *run)
{
    const struct sb_ledger_entry *const entry = run->claim.entry;

    return run->options->saved                     ? &run->options->saved->snapshot
           : entry && entry->snapshot.counts_count ? &entry->snapshot
                                                   : NULL;
}

/* Chooses the statistics. type[] must have room for all statistics. */
static enum sb_status resume_choose(struct sb_gate_run *run, const struct sb_gate_terms *terms,
                                    const struct sb_statistic_type *type[], size_t *count)
{
    const struct sb_gate_saved *const saved = run->options->saved;

    if (saved && saved->report)
        return sb_gate_counted_choose(run, terms, type, count);
    if (saved)
        return sb_snapshot_types(&saved->snapshot, type, count) ? sb_gate_saved_foreign(saved, run->error)
                                                                : SB_OK;
    if (resume_carried(run))
        return sb_ledger_types(&run->claim, run->error, type, count);
    *count = sb_selection_choose(sb_item_multiset(run->names), run->n, run->deal, run->options->profile,
                                 terms, type);
    return SB_OK;
}

/* Restores the resumed evidence in the tallies. */
static enum sb_status resume_tallies(struct sb_gate_run *run)
{
    const struct sb_gate_saved *const saved = run->options->saved;

    if (saved && saved->report)
        return sb_gate_counted_take(run);
    if (saved)
        return sb_snapshot_resume(&saved->snapshot, &run->tallies) ? SB_OK
                                                                   : sb_gate_saved_foreign(saved, run->error);
    return sb_ledger_resume(&run->claim, run->error, &run->tallies);
}

/*
 * Returns whether to test the steps from one permutation to later ones, at several distances (lags). The
 * steps of whole permutations are tested if no bias is tolerated, because a tolerated bias would show in the
 * steps, too. Resumed evidence is tested at lags only if it already has lags. A report's evidence has no
 * lags.
 */
static bool resume_lags(const struct sb_gate_run *run, const struct sb_snapshot *carried)
{
    bool had = false;

    if (!carried)
        return run->deal == run->n && run->options->tolerate <= 0;
    for (size_t i = 0; i < carried->counts_count; i++)
        had = had || carried->counts[i].dependence;
    return had;
}

/* Returns whether to have a bettor. If there is resumed evidence, there is a bettor only if this evidence
 * already has a bettor. Without resumed evidence, there is no bettor if a bias is tolerated, because this
 * bias would make a bettor win. */
static bool resume_bets(const struct sb_gate_run *run, const struct sb_snapshot *carried,
                        const struct sb_statistic_type *first)
{
    if (carried)
        return carried->bet;
    return run->options->tolerate <= 0 && sb_selection_bets(run->n, run->deal, first);
}

/*
 * Gives the tallies the catalogue of known faulty shuffles, if whole decks of different items are dealt and no bias is
 * tolerated. Does nothing if resumed evidence does not fit: a report's counts fit if they are by rank, and
 * any other evidence fits if it has the sums of the same catalogue. Such evidence keeps its catalogue even in a run
 * that tolerates a bias: without the catalogue, the other statistics would get its share of alpha as well.
 */
static enum sb_status resume_catalogue(struct sb_gate_run *run, const struct sb_snapshot *carried,
                                       const struct sb_statistic_type *first)
{
    const bool ranked = first == &sb_statistic_rank && run->n <= SB_CATALOGUE_RANKED,
               counted = run->options->saved && run->options->saved->report;
    struct sb_catalogue *catalogue;
    enum sb_status status;

    if (sb_item_multiset(run->names) || run->deal < run->n || (counted && !ranked) ||
        (run->options->tolerate > 0 && (!carried || counted)) ||
        (carried && !counted && !carried->catalogue.present))
        return SB_OK;
    status = sb_catalogue_build(run->n, ranked, run->error, &catalogue);
    if (status == SB_OK && catalogue && carried && !counted &&
        !sb_catalogue_saved_fits(&carried->catalogue, catalogue)) {
        sb_catalogue_free(catalogue);
        catalogue = NULL;
    }
    if (status == SB_OK)
        sb_tallies_take_catalogue(&run->tallies, catalogue);
    return status;
}

enum sb_status sb_gate_select(struct sb_gate_run *run, const struct sb_gate_terms *terms)
{
    const struct sb_statistic_type **const type = calloc(sb_statistic_types_count + 1, sizeof *type);
    const struct sb_snapshot *const carried = resume_carried(run);
    const struct sb_multiset *const multiset = sb_item_multiset(run->names);
    const bool counted = run->options->saved && run->options->saved->report;
    unsigned what = run->options->increments ? SB_TALLIES_INCREMENTS : 0;
    size_t count = 0;
    enum sb_status status;

    if (!type)
        return sb_error_memory(run->error, "the gate's tallies");
    status = resume_choose(run, terms, type, &count);
    if (status == SB_OK && !counted && sb_selection_repeats(multiset, run->n, run->deal, type[0]))
        what |= SB_TALLIES_REPEATS;
    if (status == SB_OK && resume_lags(run, carried))
        what |= SB_TALLIES_LAGS;
    if (status == SB_OK && !counted && resume_bets(run, carried, type[0]))
        what |= SB_TALLIES_BETTOR;
    if (status == SB_OK)
        status =
            sb_tallies_open_equal(multiset, run->n, run->deal, type, count, what, run->error, &run->tallies);
    if (status == SB_OK)
        status = resume_catalogue(run, carried, type[0]);
    free(type);
    if (status == SB_OK && run->claim.entry && run->tallies.repeat &&
        !sb_repeats_stream_carry(run->tallies.repeat, run->claim.decks, run->claim.decks_count))
        status = sb_error_memory(run->error, "the decks of earlier runs");
    if (status || !carried)
        return status;
    run->loop.total = carried->total;
    return resume_tallies(run);
}

enum sb_status sb_gate_restore_looks(struct sb_gate_run *run)
{
    const struct sb_gate_saved *const saved = run->options->saved;
    size_t count = saved ? saved->points_count : 0;

    if (count && saved->point[count - 1].total == run->loop.total)
        count--;
    return saved ? sb_gate_restore(saved->point, count, run->gate) : SB_OK;
}

void sb_gate_recognise(struct sb_gate_run *run)
{
    const struct sb_gate_options *const options = run->options;
    const struct sb_ledger_entry *const entry = run->claim.entry;

    if (entry)
        run->fingerprints = entry->fingerprints;
    else if (options->saved)
        run->fingerprints = options->saved->fingerprints;
    run->loop.ended = !run->feed || run->loop.interrupted;
    if (!run->feed)
        return;
    run->fingerprint.adds = run->loop.total > 0 && (entry || (options->save && !run->feed->replays));
    run->recogniser = (struct sb_recogniser) {
        .feed = { .next = sb_recogniser_next },
        .inner = run->feed,
        .stop = options->stop,
        .tallies = &run->tallies,
        .own = &run->fingerprint,
        .earlier = &run->fingerprints,
        .name = entry ? entry->subject : run->feed->name,
        .path = options->save,
        .key = entry ? run->claim.key : NULL,
    };
    run->loop.feed = &run->recogniser.feed;
}

static enum sb_status resume_remember(void *state, const sb_item items[], size_t count)
{
    struct sb_gate_run *const run = state;

    sb_tallies_remember(&run->tallies, items, count);
    if (run->recount)
        sb_tallies_add(run->recount, items, count);
    return SB_OK;
}

/* Checks that the first permutations, as many as `first`, are those of the resumed run. */
static enum sb_status resume_check(struct sb_gate_run *run, uint64_t first)
{
    const struct sb_fingerprints *const earlier = &run->fingerprints;
    const bool same =
        run->fingerprint.decks < SB_FINGERPRINT_DECKS
            ? run->fingerprint.decks < first || !sb_gate_recount_differs(run)
            : earlier->count == 0 || (earlier->count == 1 && earlier->hash[0] == run->fingerprint.hash);

    if (same)
        return SB_OK;
    return sb_error_set(
        run->error, SB_SUBJECT,
        "%.100s: its first %d permutations are not those that '%.200s' recorded: use the same "
        "input",
        run->feed->name, (int)first, run->options->saved->path);
}

/* Skips those of the next `left` permutations that no tally must remember; the feed does not generate these
 * permutations. Returns the number of skipped permutations. */
static uint64_t resume_skip(const struct sb_gate_run *run, uint64_t left)
{
    const uint64_t remembered = run->tallies.lags ? SB_LAGS_FARTHEST : 0;

    if (!run->feed->skip || run->tallies.repeat || run->tallies.bettor || left <= remembered)
        return 0;
    return run->feed->skip(run->feed, left - remembered);
}

/* Skips the permutations that were tallied. The loop runs over these permutations, and the tallies remember
 * them but do not count them. */
static enum sb_status resume_pass(struct sb_gate_run *run)
{
    static const struct sb_run_hooks hooks = { .tally = resume_remember };
    const uint64_t total = run->loop.total;
    struct sb_run pass = run->loop;
    enum sb_status status;

    pass.hooks = &hooks;
    pass.total = 0;
    pass.most = total < SB_FINGERPRINT_DECKS ? total : SB_FINGERPRINT_DECKS;
    status = sb_gate_recount_begin(run);
    if (status == SB_OK)
        status = sb_run(&pass);
    if (status == SB_OK)
        status = resume_check(run, pass.most);
    sb_gate_recount_end(run);
    if (status == SB_OK && !pass.ended) {
        pass.total += resume_skip(run, total - pass.total);
        pass.most = total;
        status = sb_run(&pass);
    }
    run->loop.interrupted = run->loop.ended = pass.interrupted;
    if (status || pass.interrupted || pass.total == total)
        return status;
    return sb_error_set(run->error, SB_SUBJECT,
                        "%.100s: yielded %s permutation%s, but '%.200s' recorded %s: use the same input",
                        run->feed->name, sb_number_grouped(pass.total).text, pass.total == 1 ? "" : "s",
                        run->options->saved->path, sb_number_grouped(total).text);
}

enum sb_status sb_gate_replay(struct sb_gate_run *run)
{
    const bool replays = run->feed->replays;
    const enum sb_status status = replays ? resume_pass(run) : SB_OK;

    if (!replays)
        run->tallies.step.begun = false;
    else if (status == SB_OK && run->fingerprint.decks == SB_FINGERPRINT_DECKS)
        run->fingerprints.count = 0; /* the resumed run is this run itself, not an earlier run */
    run->savable = run->savable && status == SB_OK;
    return status;
}
