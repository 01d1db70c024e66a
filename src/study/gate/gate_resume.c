/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Resumes a gate from saved evidence.
 *
 * A scheme or a recording yields the tallied permutations again. The gate skips them, but keeps the decks for the
 * comparison with later decks, remembers the last ones, at which the steps of new permutations start, and lets its
 * bettor learn from all. So the run ends like an uninterrupted run.
 *
 * A program, a pipe or a function yields new permutations. The first ones serve only to recognise the run
 * (study/run/run.h). Its decks are compared with the newest ones of earlier runs, which the evidence keeps.
 *
 * Cost: generating the skipped permutations again, or only one block of them, if the gate neither compares decks nor
 * bets and the generator has a counter.
 */

#include "study/catalogue/look.h"
#include "study/gate/gate_run.h"

/* A gate on the counts of a report. E and the bounds of a statistic depend only on its counts, so the gate needs no
 * permutation. It selects statistics as if its limit were the number of permutations in the whole run, and tests those
 * that the evidence has: if deals are counted by rank, all that follow from these counts; otherwise the positions and
 * the statistics that the report tallied. It leaves out the tests that need the permutations themselves: repeated
 * decks, steps and bets. A report does not merge cells; a gate does, so the count of a gate's cell is a sum. Cost:
 * reading the counts, and one look. */

static const struct sb_counts *counted_find(const struct sb_saved *saved, const struct sb_statistic_type *type,
                                            bool increments)
{
    for (size_t i = 0; i < saved->snapshot.counts_count; i++)
        if (strcmp(saved->snapshot.counts[i].statistic, type->name) == 0 &&
            (saved->snapshot.counts[i].lag > 0) == increments)
            return &saved->snapshot.counts[i];
    return NULL;
}

static bool counted_has(const struct sb_saved *saved, const struct sb_statistic_type *type)
{
    return (saved->evidence.cells || type == &sb_statistic_position || counted_find(saved, type, false)) &&
           (!saved->asked.increments || counted_find(saved, type, true));
}

static enum sb_status counted_check(const struct sb_gate_run *run)
{
    const struct sb_saved *const saved = run->saved;
    const size_t n = saved->evidence.n, deal = saved->evidence.deal;
    struct sb_statistics statistics;
    /* 0, because no deals are added */
    enum sb_status status = sb_statistics_open(&saved->asked, NULL, n, deal, 0, run->error, &statistics);

    if (status == SB_OK && !sb_statistics_resume(&statistics, saved->snapshot.counts, saved->snapshot.counts_count))
        status = sb_saved_foreign(saved, run->error);
    sb_statistics_close(&statistics);
    return status;
}

/* Selects statistics like sb_selection_choose(), but only those that the evidence has. Sets run->left_out to
 * what the gate cannot test. Errors: SB_IO if the tallies come from another version; SB_NO_MEMORY. */
static enum sb_status gate_counted_choose(struct sb_gate_run *run, const struct sb_gate_terms *terms,
                                          const struct sb_statistic_type *type[], size_t *count)
{
    const struct sb_saved *const saved = run->saved;
    const size_t chosen = sb_selection_choose(NULL, run->n, run->deal, run->options->profile, terms, type);
    const bool repeats = sb_selection_repeats(NULL, run->n, run->deal, type[0]);
    const bool bets = sb_selection_bets(NULL, run->n, run->deal, type[0]);
    const bool ranked =
        chosen && type[0] == &sb_statistic_rank && saved->evidence.cells && run->n <= SB_CATALOGUE_RANKED;
    const enum sb_status status = counted_check(run);

    if (status)
        return status;
    run->left_out = calloc(chosen + 5, sizeof *run->left_out);
    if (!run->left_out)
        return sb_error_memory(run->error, "the gate's statistics");
    *count = 0;
    for (size_t i = 0; i < chosen; i++)
        if (counted_has(saved, type[i]))
            type[(*count)++] = type[i];
        else
            run->left_out[run->left_out_count++] = type[i]->name;
    if (repeats || (run->options->tolerate <= 0 && sb_selection_replays(run->n, run->deal)))
        run->left_out[run->left_out_count++] = sb_statistics_repeat;
    run->left_out[run->left_out_count++] = "lags";
    if (bets)
        run->left_out[run->left_out_count++] = sb_bettor_name;
    if (run->deal == run->n && run->n <= SB_CATALOGUE_ITEMS && run->options->tolerate <= 0 && !ranked)
        run->left_out[run->left_out_count++] = "catalogue";
    if (run->deal >= SB_OUTLIERS_LEAST && run->options->tolerate <= 0)
        run->left_out[run->left_out_count++] = sb_outliers_decks;
    return SB_OK;
}

/* Adds the report's counts to the observer's statistics. These are either the statistics of deals or the
 * statistics of increments. The counts of the positions of deals come from the report's matrix. */
static enum sb_status counted_add(const struct sb_gate_run *run, bool increments, struct sb_observer *observer)
{
    const struct sb_saved *const saved = run->saved;
    const size_t count = run->tallies.statistics;
    uint64_t *const positions = increments ? NULL : sb_evidence_positions(&saved->evidence);
    struct sb_tally *const tally = calloc(count + 1, sizeof *tally);
    enum sb_status status = tally && (increments || positions) ? SB_OK : SB_NO_MEMORY;

    for (size_t i = 0; status == SB_OK && i < count; i++) {
        const struct sb_statistic_type *const type = sb_statistic_find(run->tallies.tally[i].statistic);
        const struct sb_counts *const counts = counted_find(saved, type, increments);

        tally[i] = (struct sb_tally) {
            .cells = sb_statistic_cells(type, NULL, run->n, run->deal),
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

static enum sb_status gate_counted_take(struct sb_gate_run *run)
{
    const struct sb_evidence *const evidence = &run->saved->evidence;
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

/* Checks that a recording still begins with permutations of saved evidence that are too few for a fingerprint: counts
 * them again, and compares all counts. Otherwise, in a recording that was replaced or that grew at its start, the gate
 * would skip new permutations and count old ones twice. Cost: tallying up to 63 permutations. */

static enum sb_status gate_recount_begin(struct sb_gate_run *run)
{
    const struct sb_snapshot *const saved = &run->saved->snapshot;
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
        status =
            run->fair
                ? sb_tallies_open_fair(run->fair, run->tallies.multiset, type, count, 0, run->error, run->recount)
                : sb_tallies_open(run->tallies.multiset, run->n, run->deal, type, count, 0, run->error, run->recount);
    free(type);
    return status;
}

static bool gate_recount_differs(struct sb_gate_run *run)
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

static const struct sb_snapshot *resume_carried(const struct sb_gate_run *run)
{
    return run->saved ? &run->saved->snapshot : NULL;
}

static enum sb_status resume_choose(struct sb_gate_run *run, const struct sb_gate_terms *terms,
                                    const struct sb_statistic_type *type[], size_t *count)
{
    const struct sb_saved *const saved = run->saved;

    if (sb_gate_reported(run))
        return gate_counted_choose(run, terms, type, count);
    if (saved)
        return sb_snapshot_types(&saved->snapshot, type, count) ? sb_saved_foreign(saved, run->error) : SB_OK;
    const size_t chosen =
        sb_selection_choose(sb_item_multiset(run->names), run->n, run->deal, run->options->profile, terms, type);

    *count = run->fair ? sb_gate_fair_known(run->fair, terms, type, chosen) : chosen;
    return SB_OK;
}

/* Takes over the saved tallies, if there are any. */
static enum sb_status resume_take(struct sb_gate_run *run)
{
    const struct sb_saved *const saved = run->saved;

    if (!saved)
        return SB_OK;
    run->loop.total = saved->snapshot.total;
    if (sb_gate_reported(run))
        return gate_counted_take(run);
    return sb_snapshot_resume(&saved->snapshot, &run->tallies) ? SB_OK : sb_saved_foreign(saved, run->error);
}

/* Returns whether to test the steps from one permutation to later ones, at several distances (lags). They
 * are tested if no bias is tolerated, because a tolerated bias would show in the steps, too.
 * Resumed evidence is tested at lags only if it already has lags. A report's evidence has no lags. */
static bool resume_lags(const struct sb_gate_run *run, const struct sb_snapshot *carried)
{
    bool had = false;

    if (!carried)
        return run->options->tolerate <= 0;
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
    return run->options->tolerate <= 0 && sb_selection_bets(sb_item_multiset(run->names), run->n, run->deal, first);
}

/* Returns whether to look for single decks that are too unlikely: as for lags. */
static bool resume_outliers(const struct sb_gate_run *run, const struct sb_snapshot *carried)
{
    return carried ? carried->outliers.present : run->options->tolerate <= 0;
}

/* Returns whether to bet on runs of decks that come again: as for lags, if all orders are equally likely. */
static bool resume_replays(const struct sb_gate_run *run, const struct sb_snapshot *carried, bool repeats)
{
    if (carried)
        return carried->watched;
    return run->options->tolerate <= 0 &&
           (repeats || (!run->fair && !sb_item_multiset(run->names) && sb_selection_replays(run->n, run->deal)));
}

/* Gives the tallies the catalogue of known faulty shuffles, if whole decks of different items are dealt and no bias is
 * tolerated. Does nothing if resumed evidence does not fit: a report's counts fit if they are by rank, and any other
 * evidence fits if it has the sums of the same catalogue. Such evidence keeps its catalogue even in a run that
 * tolerates a bias: without the catalogue, the other statistics would get its share of alpha as well. */
static enum sb_status resume_catalogue(struct sb_gate_run *run, const struct sb_snapshot *carried,
                                       const struct sb_statistic_type *first)
{
    const bool ranked = first == &sb_statistic_rank && run->n <= SB_CATALOGUE_RANKED, counted = sb_gate_reported(run);
    struct sb_catalogue *catalogue;
    enum sb_status status;

    if (sb_item_multiset(run->names) || run->deal < run->n || (counted && !ranked) ||
        (run->options->tolerate > 0 && (!carried || counted)) || (carried && !counted && !carried->catalogue.present))
        return SB_OK;
    status = sb_catalogue_build(run->n, ranked ? SB_CATALOGUE_BY_RANK : SB_CATALOGUE_WHOLE, run->error, &catalogue);
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
    const struct sb_saved *const saved = run->saved;
    const bool counted = sb_gate_reported(run);
    unsigned what = run->options->increments ? SB_TALLIES_INCREMENTS : 0;
    size_t count = 0;
    enum sb_status status;

    if (!type)
        return sb_error_memory(run->error, "the gate's tallies");
    status = resume_choose(run, terms, type, &count);
    if (status == SB_OK && !counted &&
        (run->fair ? sb_fair_repeats(run->fair) : sb_selection_repeats(multiset, run->n, run->deal, type[0])))
        what |= SB_TALLIES_REPEATS;
    if (status == SB_OK && !counted && resume_replays(run, carried, what & SB_TALLIES_REPEATS))
        what |= SB_TALLIES_REPLAY;
    if (status == SB_OK && resume_lags(run, carried))
        what |= SB_TALLIES_LAGS;
    if (status == SB_OK && !counted && resume_bets(run, carried, type[0]))
        what |= SB_TALLIES_BETTOR;
    if (status == SB_OK && !counted && resume_outliers(run, carried))
        what |= SB_TALLIES_OUTLIERS;
    if (status == SB_OK)
        status = run->fair ? sb_tallies_open_fair(run->fair, multiset, type, count, what, run->error, &run->tallies)
                           : sb_tallies_open(multiset, run->n, run->deal, type, count, what, run->error, &run->tallies);
    if (status == SB_OK && carried && what & SB_TALLIES_OUTLIERS &&
        !sb_outliers_saved_fit(&carried->outliers, &run->tallies))
        sb_tallies_leave_outliers(&run->tallies);
    if (status == SB_OK && !run->fair)
        status = resume_catalogue(run, carried, type[0]);
    free(type);
    if (status == SB_OK && run->grows && run->tallies.repeat &&
        !sb_repeats_stream_carry(run->tallies.repeat, saved ? saved->decks : NULL, saved ? saved->decks_count : 0))
        status = sb_error_memory(run->error, "the decks of earlier runs");
    return status ? status : resume_take(run);
}

void sb_gate_recognise(struct sb_gate_run *run)
{
    const struct sb_request *const options = run->options;

    if (run->saved)
        run->fingerprints = run->saved->fingerprints;
    run->loop.ended = !run->feed || run->loop.interrupted;
    if (!run->feed)
        return;
    run->fingerprint.adds = run->loop.total > 0 && run->grows;
    run->recogniser = (struct sb_recogniser) {
        .feed = { .next = sb_recogniser_next },
        .inner = run->feed,
        .stop = options->stop,
        .tallies = &run->tallies,
        .own = &run->fingerprint,
        .earlier = &run->fingerprints,
        .name = run->feed->name,
        .path = options->save,
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

static enum sb_status resume_check(struct sb_gate_run *run, uint64_t first)
{
    const struct sb_fingerprints *const earlier = &run->fingerprints;
    const bool same = run->fingerprint.decks < SB_FINGERPRINT_DECKS
                          ? run->fingerprint.decks < first || !gate_recount_differs(run)
                          : earlier->count == 0 || (earlier->count == 1 && earlier->hash[0] == run->fingerprint.hash);

    if (same)
        return SB_OK;
    return sb_error_set(run->error, SB_SUBJECT,
                        "%.100s: its first %d permutations are not those that '%.200s' recorded: use the same input",
                        run->feed->name, (int)first, run->saved->path);
}

/* Skips those of the next `left` permutations that no tally must remember; the feed does not generate these
 * permutations. Returns the number of skipped permutations. */
static uint64_t resume_skip(const struct sb_gate_run *run, uint64_t left)
{
    struct sb_replay *const replay = run->tallies.replay;
    const uint64_t remembered = replay ? SB_REPLAY_MOST : run->tallies.lags ? SB_LAGS_FARTHEST : 0;

    if (!run->feed->skip || run->tallies.repeat || run->tallies.bettor || left <= remembered)
        return 0;
    const uint64_t skipped = run->feed->skip(run->feed, left - remembered);

    if (replay)
        sb_replay_skip(replay, skipped);
    return skipped;
}

static enum sb_status resume_pass(struct sb_gate_run *run)
{
    static const struct sb_run_hooks hooks = { .tally = resume_remember };
    const uint64_t total = run->loop.total;
    struct sb_run pass = run->loop;
    enum sb_status status;

    pass.hooks = &hooks;
    pass.total = 0;
    pass.most = total < SB_FINGERPRINT_DECKS ? total : SB_FINGERPRINT_DECKS;
    status = gate_recount_begin(run);
    if (status == SB_OK)
        status = sb_run_loop(&pass);
    if (status == SB_OK)
        status = resume_check(run, pass.most);
    if (run->recount)
        sb_tallies_close(run->recount);
    free(run->recount);
    run->recount = NULL;
    if (status == SB_OK && !pass.ended) {
        pass.total += resume_skip(run, total - pass.total);
        pass.most = total;
        status = sb_run_loop(&pass);
    }
    run->loop.interrupted = run->loop.ended = pass.interrupted;
    if (status || pass.interrupted || pass.total == total)
        return status;
    return sb_error_set(run->error, SB_SUBJECT,
                        "%.100s: yielded %s permutation%s, but '%.200s' recorded %s: use the same input",
                        run->feed->name, sb_number_grouped(pass.total).text, pass.total == 1 ? "" : "s",
                        run->saved->path, sb_number_grouped(total).text);
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

enum sb_status sb_gate_name_saved(struct sb_gate_run *run, const char *cards)
{
    struct sb_grouping named = run->subject->grouping;
    const struct sb_grouping *const grouping = &named;
    struct sb_item_names *items = NULL;
    size_t n = run->n, dealt = grouping->sets ? run->subject->deal : 0;

    named.seats = run->saved->seats ? sb_bridge_hands : NULL;
    if (grouping->kinds && !sb_grouping_is(grouping))
        return sb_kinds_names(grouping->kinds, &n, run->error, &run->names);
    enum sb_status status = cards ? sb_item_names_read(cards, run->error, &items) : SB_OK;

    if (status || !sb_grouping_is(grouping)) {
        run->names = items;
        return status;
    }
    status = sb_grouping_settle(grouping, &n, &dealt, run->error);
    if (status == SB_OK)
        status = sb_grouping_names(grouping, items, n, dealt, run->error, &run->names);
    sb_item_names_free(items);
    return status;
}
