/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate: reads and tallies permutations, and looks at the tallies until the tallies show whether the
 * shuffle is fair.
 *
 * Looks take place after fixed numbers of tallied permutations, whatever the batches in which the
 * permutations arrive. So the same stream has the same verdict on every machine.
 */
#include "core/system.h"
#include "core/text.h"
#include "study/catalogue/look.h"
#include "study/gate/gate_page.h"
#include "study/gate/gate_run.h"

#include <unistd.h>

/* Returns the number of looks to save. This is the number of all looks or, if an uninterrupted run would not
 * have the last look, one less. */
static size_t save_points(const struct sb_gate *gate)
{
    const size_t count = gate->points_count;
    const uint64_t before = count > 1 ? gate->point[count - 2].total : 0;

    return count && gate->point[count - 1].total != sb_gate_next_look(before) ? count - 1 : count;
}

static enum sb_status save_now(struct sb_gate_run *run, bool ended, struct sb_error *error)
{
    const struct sb_gate *const gate = run->gate;
    struct sb_saved saved = {
        .version = SB_VERSION,
        .command = "gate",
        .subject = { gate->kind, gate->name, sb_subject_words(run->subject) },
        .asked = sb_saved_request(run->options, run->subject, run->n, run->deal), /* alpha also of a run with a share */
        .seats = run->feed && run->feed->seats ? "bridge" : NULL,
        .replays = !run->grows,
        .carried = run->carried,
        .run = run->claim.run ? run->claim.run
               : run->saved   ? run->saved->run
                              : 0,
        .share = run->claim.share,
        .verdict = ended ? sb_verdict_name(gate->verdict) : NULL,
        .points_count = save_points(gate),
        .point = gate->point,
        .fingerprints = run->fingerprints,
    };
    const struct sb_item_names *const names = sb_item_groups(gate->names)    ? gate->names->places
                                              : run->subject->grouping.kinds ? NULL
                                                                             : gate->names;
    char *const items = names && !run->subject->cards ? sb_item_names_list(names) : NULL;
    enum sb_status status;

    if (names && !run->subject->cards && !items)
        return sb_error_memory(error, "the names of items");
    saved.items = items;
    if (run->grows && run->tallies.repeat) {
        saved.decks = calloc(SB_REPEATS_CARRIED, sizeof saved.decks[0]);
        saved.decks_count = saved.decks ? sb_repeats_stream_newest(run->tallies.repeat, saved.decks) : 0;
    }
    sb_fingerprints_add(&saved.fingerprints, &run->fingerprint);
    sb_tallies_read(&run->tallies);
    status = sb_snapshot_take(&run->tallies, run->loop.total, &saved.snapshot)
                 ? sb_error_memory(error, "saved evidence")
                 : sb_saved_write(run->options->save, &saved, "`save`", &run->lock, error);
    sb_snapshot_close(&saved.snapshot);
    free(saved.decks);
    free(items);
    run->next = sb_clock_now() + run->options->checkpoint;
    return status;
}

/* Creates the file and locks it, so that the run can be resumed even if it is killed at any moment. Or resumes from the
 * file; in this case a run with a ledger claims its number only now, and the file gets this number at once. Error:
 * SB_IO, also if another run has locked the file. */
static enum sb_status gate_save_begin(struct sb_gate_run *run)
{
    enum sb_status status;

    if (!run->options->save)
        return SB_OK;
    run->next = sb_clock_now() + run->options->checkpoint;
    if (!run->saved)
        return save_now(run, false, run->error);
    status = sb_gate_replay(run);
    if (status || !run->claim.path || run->loop.interrupted)
        return status;
    status = sb_ledger_take(run->feed->name, run->options->stop, run->error, &run->claim);
    run->gate->budget.run = run->claim.run;
    return status ? status : save_now(run, false, run->error);
}

static enum sb_status gate_save_pause(void *state)
{
    struct sb_gate_run *const run = state;

    if (!run->options->save || sb_clock_now() < run->next)
        return SB_OK;
    return save_now(run, false, run->error);
}

/* Saves the evidence at the end of a run, even if the run failed. `status` is the status of the run so far.
 * Returns the final status. */
static enum sb_status gate_save_end(struct sb_gate_run *run, enum sb_status status)
{
    struct sb_error error = { 0 };
    enum sb_status saved;

    if (!run->options->save || run->lock < 0 || !run->savable)
        return status;
    saved = save_now(run, status == SB_OK && !run->loop.interrupted, &error);
    run->lost = saved;
    if (status || !saved)
        return status;
    return sb_error_set(run->error, saved, "%.400s (the verdict was %s)", error.text,
                        sb_verdict_name(run->gate->verdict));
}

/* Judges saved evidence without a subject, and compares the verdict with the saved one. That of another version, whose
 * E or bounds differ slightly, may have come slightly sooner, and stands. For counts that were saved as inconclusive,
 * this version may reach a verdict. Any other difference means that the file is damaged. */

/* Tolerances for a saved verdict. */
static const double gate_slack_ln_e = 1;      /* ln E may be lower by 1; then E is lower by a factor e */
static const double gate_slack_exclude = 1.2; /* the upper bound may exceed `exclude` by this factor */

static enum sb_status gate_saved_confirm(struct sb_gate_run *run)
{
    const char *const verdict = run->saved->verdict;
    struct sb_gate *const gate = run->gate;

    if (!verdict || strcmp(verdict, sb_verdict_name(gate->verdict)) == 0 ||
        strcmp(verdict, sb_verdict_name(SB_VERDICT_INCONCLUSIVE)) == 0)
        return SB_OK;
    const bool fails = strcmp(verdict, sb_verdict_name(SB_VERDICT_FAIL)) == 0;

    if (gate->verdict != SB_VERDICT_INCONCLUSIVE || (fails ? gate->ln_e + gate_slack_ln_e < -log(gate->terms.alpha)
                                                           : gate->tv_high > gate_slack_exclude * gate->terms.exclude))
        return sb_error_set(run->error, SB_IO,
                            "'%.200s' is no sound evidence: its stored verdict contradicts its counts: restore it",
                            run->saved->path);
    gate->verdict = fails ? SB_VERDICT_FAIL : SB_VERDICT_PASS;
    return sb_gate_sum_up(run->tallies.tally, run->tallies.count, gate)
               ? sb_error_memory(run->error, "the gate's verdict")
               : SB_OK;
}

enum { GATE_PATH = 4096 }; /* the most bytes of a ledger's path to show */

static enum sb_status gate_budget(const struct sb_gate_run *run, struct sb_gate_budget *budget)
{
    const struct sb_ledger_claim *const claim = &run->claim;

    budget->carried = run->carried;
    if (!claim->path)
        return SB_OK;
    *budget = (struct sb_gate_budget) {
        .ledger = sb_sanitize_text(run->options->ledger, GATE_PATH),
        .run = claim->run,
        .share = claim->share,
        .alpha = claim->alpha,
        .delta = claim->delta,
        .carried = run->carried,
        .decks = run->tallies.repeat ? sb_repeats_stream_kept(run->tallies.repeat) : 0,
    };
    return budget->ledger ? SB_OK : SB_NO_MEMORY;
}

/* Sets run->names. A chained subject's items are positions, which have no names. */
static enum sb_status gate_name_items(struct sb_gate_run *run)
{
    const char *const cards = run->feed               ? NULL
                              : run->subject->chained ? NULL
                              : run->subject->cards   ? run->subject->cards
                                                      : run->saved->items;

    if (!run->feed)
        return sb_gate_name_saved(run, cards);
    return sb_item_names_copy(run->feed->names, &run->names) ? sb_error_memory(run->error, "the names of items")
                                                             : SB_OK;
}

/* Restores the looks of saved evidence. Omits a look that took place after the last saved permutation: the gate
 * repeats it for its verdict. */
static enum sb_status gate_restore_looks(struct sb_gate_run *run)
{
    const struct sb_saved *const saved = run->saved;
    size_t count = saved ? saved->points_count : 0;

    if (count && saved->point[count - 1].total == run->loop.total)
        count--;
    return saved ? sb_gate_restore(saved->point, count, run->gate) : SB_OK;
}

/* If a report counted the evidence, says so. */
static void gate_counted_say(struct sb_gate_run *run)
{
    struct sb_gate *const gate = run->gate;

    if (!sb_gate_reported(run))
        return;
    gate->reported = true;
    gate->left_out = run->left_out;
    gate->left_out_count = run->left_out_count;
    run->left_out = NULL;
    sb_shards_say(&run->saved->parts, gate->evidence.part);
}

static bool gate_command(struct sb_gate_run *run, const struct sb_gate_terms *terms)
{
    const struct sb_saved *const saved = run->saved;
    const char *const file = saved ? saved->path : NULL;
    struct sb_gate_terms typed = *terms;

    if (saved) { /* whose share the gate takes from the file */
        typed.alpha = run->options->alpha;
        typed.delta = run->options->delta;
    }
    run->gate->command = sb_reproduce(run->options, &typed, saved ? NULL : run->subject, &file, saved != NULL);
    return run->gate->command;
}

static enum sb_status gate_begin(struct sb_gate_run *run, struct sb_gate_terms *terms)
{
    struct sb_gate *const gate = run->gate;
    const char *const name = run->feed ? run->feed->name : run->saved->subject.name;
    const bool counted = sb_gate_reported(run);
    struct sb_gate_terms choice;
    enum sb_status status;

    if (run->claim.share) {
        terms->alpha = sb_gate_share(terms->alpha, run->claim.share);
        terms->delta = sb_gate_share(terms->delta, run->claim.share);
    }
    choice = *terms;
    /* the evidence of all runs is added up, so a small limit of this run does not matter */
    if (run->grows && choice.limit < SB_GATE_LIMIT)
        choice.limit = SB_GATE_LIMIT;
    status = gate_name_items(run);
    if (status == SB_OK && run->options->fair)
        status = sb_gate_fair_open(run->options, run->n, run->deal, run->names, run->error, &run->fair);
    if (status == SB_OK)
        status = sb_gate_select(run, &choice);
    if (status)
        return status;
    run->carried = run->grows ? run->loop.total : !run->feed ? run->saved->carried : 0;
    sb_gate_recognise(run);
    if (sb_gate_open(terms, run->tallies.tally, run->tallies.count, gate) || gate_restore_looks(run))
        return sb_error_memory(run->error, "the gate's statistics");
    gate->watched = run->tallies.repeat;
    if (!counted && sb_gate_leave_out(run->fair, run->n, run->deal, gate))
        return sb_error_memory(run->error, "the gate's statistics");
    run->savable = true;
    gate->repeats = run->tallies.birthday.repeats;
    gate->seeds_total =
        terms->seeds ? sb_birthday_decks_needed((double)terms->seeds, terms->delta, SB_REPEATS_MOST) : 0;
    gate->n = run->n;
    gate->deal = run->deal;
    gate->kind = run->feed ? run->feed->kind : run->saved->subject.kind;
    gate->name = strdup(name);
    gate->names = run->names;
    run->names = NULL;
    if (run->subject->title && !(gate->title = sb_sanitize_text(run->subject->title, SB_TITLE_MOST)))
        return sb_error_memory(run->error, "the gate's title");
    if (!gate_command(run, terms))
        return sb_error_memory(run->error, "the gate's command line");
    return gate->name && gate_budget(run, &gate->budget) == SB_OK
               ? SB_OK
               : sb_error_memory(run->error, "the gate's statistics");
}

static enum sb_status gate_look(struct sb_gate_run *run)
{
    sb_tallies_read(&run->tallies);
    run->gate->repeats = run->tallies.birthday.repeats;
    run->gate->replay = sb_tallies_replay(&run->tallies);
    run->gate->seeds_low = sb_birthday_seeds_low(&run->tallies.birthday, run->gate->terms.delta);
    return sb_gate_look(run->tallies.tally, run->tallies.count, run->gate)
               ? sb_error_memory(run->error, "a look of the gate")
               : SB_OK;
}

static enum sb_status gate_tally(void *state, const sb_item items[], size_t count)
{
    struct sb_gate_run *const run = state;

    sb_tallies_add(&run->tallies, items, count);
    return sb_gate_steps_add(run->steps, items, count) ? sb_error_memory(run->error, "the permutations") : SB_OK;
}

/* Returns whether the verdict is final. If the evidence grows, a pass is not final: the run
 * continues, to add evidence for later runs. A fail is not final after a few permutations that are equal, or after a
 * few lines that may be sorted. */
static bool gate_decided(const struct sb_gate_run *run)
{
    const enum sb_verdict verdict = run->gate->verdict;

    if (verdict == SB_VERDICT_FAIL)
        return !sb_gate_steps_wait(run->steps) && !sb_gate_outlier_waits(run->gate) &&
               (run->gate->total >= SB_SORTED_LINES_LEAST || sb_feed_check_order(run->feed, NULL) == SB_OK);
    return verdict == SB_VERDICT_PASS && !run->grows;
}

static void gate_progress(void *state)
{
    const struct sb_gate_run *const run = state;
    const struct sb_request *const options = run->options;

    if (options->progress)
        options->progress(options->progress_state, run->feed->name, run->loop.total - run->carried, options->limit);
}

static enum sb_status gate_look_due(void *state)
{
    struct sb_gate_run *const run = state;
    const struct sb_request *const options = run->options;
    const enum sb_status status = gate_look(run);

    run->loop.look = sb_gate_next_look(run->gate->total);
    run->loop.ended = run->loop.ended || gate_decided(run);
    if (status == SB_OK && options->bound)
        options->bound(options->bound_state, run->gate->tv_high, run->gate->terms.exclude);
    if (status == SB_OK)
        gate_progress(run);
    return status;
}

static enum sb_status gate_gather(struct sb_gate_run *run)
{
    const enum sb_status status = sb_recogniser_begin(&run->recogniser, run->error);

    if (status == SB_OK)
        return sb_run_loop(&run->loop);
    run->loop.interrupted = run->loop.ended = status == SB_STOPPED;
    run->savable = run->savable && status == SB_STOPPED; /* in all other cases the run must not be saved */
    return status == SB_STOPPED ? SB_OK : status;
}

/* Looks at the evidence of earlier runs. A look that an uninterrupted run would not have decides only that a fail
 * stays, and is then forgotten. */
static enum sb_status gate_look_back(struct sb_gate_run *run)
{
    struct sb_gate *const gate = run->gate;
    const enum sb_status status = gate_look(run);
    const size_t count = save_points(gate);

    if (status == SB_OK && !gate_decided(run) && count < gate->points_count) {
        gate->points_count = count;
        gate->total = count ? gate->point[count - 1].total : 0;
    }
    return status;
}

static enum sb_status gate_judge(struct sb_gate_run *run)
{
    static const struct sb_run_hooks hooks = {
        .tally = gate_tally,
        .save = gate_save_pause,
        .look = gate_look_due,
    };
    struct sb_run *const loop = &run->loop;
    const uint64_t limit = run->options->limit;
    enum sb_status status = SB_OK;

    loop->hooks = &hooks;
    loop->most = limit < INT64_MAX - run->carried ? run->carried + limit : INT64_MAX;
    if (run->feed && run->carried)
        status = gate_look_back(run);
    loop->look = sb_gate_next_look(run->gate->total);
    if (status == SB_OK && !loop->ended && run->gate->total < loop->most && !gate_decided(run))
        status = gate_gather(run);
    /* if permutations arrived after the previous look, the gate looks a last time, without waiting for the
     * scheduled number of permutations */
    if (status == SB_OK && loop->total > run->gate->total)
        status = loop->feed ? gate_look_due(run) : gate_look(run);
    if (status == SB_OK && run->gate->verdict == SB_VERDICT_FAIL) {
        /* lines that do not show the order of the draw are no evidence about the shuffle */
        status = sb_feed_check_order(run->feed, run->error);
        run->savable = run->savable && status == SB_OK;
    }
    if (status)
        return status;
    return sb_gate_sum_up(run->tallies.tally, run->tallies.count, run->gate)
               ? sb_error_memory(run->error, "the gate's verdict")
               : SB_OK;
}

/* After a fail, finds the shuffle in the catalogue that the permutations look like. The positions of items say nothing
 * about repeated decks, dependence, and bets that go by earlier decks. So the positions are compared only if the gate
 * rejects something else. */
static enum sb_status gate_look_like(struct sb_gate_run *run)
{
    struct sb_gate *const gate = run->gate;
    const struct sb_look_seen seen = {
        .evidence = &gate->evidence,
        .observer = run->tallies.observer,
        .tally = run->tallies.tally,
        .tallies = run->tallies.statistics,
    };
    double others = 0;
    bool positions = false;

    if (gate->verdict != SB_VERDICT_FAIL || sb_item_multiset(gate->names) || gate->fair || gate->looks_like.always ||
        gate->outlier.deck || gate->order == SB_ORDER_SAME || (gate->order != SB_ORDER_ANY && sb_gate_dependence(gate)))
        return SB_OK;
    for (size_t i = 0; i < gate->lines_count; i++) {
        const struct sb_gate_line *const line = &gate->line[i];
        const bool catalogue = strcmp(line->statistic, "catalogue") == 0;

        others = fmax(others, catalogue ? 0 : line->ln_e + log(line->weight));
        positions = positions || (line->rejected && !line->dependence &&
                                  (line->cells || catalogue || sb_bettor_single(line->context)));
    }
    return sb_catalogue_look(&seen, run->tallies.catalogue, others, positions, run->error, &gate->looks_like);
}

static enum sb_status gate_conclude(struct sb_gate_run *run)
{
    struct sb_gate *const gate = run->gate;
    enum sb_status status;

    if (sb_gate_fair_keep(run->fair, run->tallies.weigher, run->gate))
        return sb_error_memory(run->error, "the gate's verdict");
    sb_gate_label_cells(run->tallies.tally, run->tallies.count, gate);
    if (sb_evidence_tallied(run->tallies.tally, run->tallies.statistics, gate->n, gate->deal, &gate->evidence))
        return sb_error_memory(run->error, "the gate's evidence");
    gate->evidence.names = gate->names;
    status = gate->verdict == SB_VERDICT_FAIL ? sb_always_tallied(run->tallies.tally, run->tallies.statistics, gate->n,
                                                                  gate->deal, gate->names, &gate->looks_like)
                                              : SB_OK;
    if (status == SB_OK && !gate->looks_like.always)
        status = sb_gate_steps_judge(run);
    if (status == SB_OK)
        status = sb_gate_outlier_find(&run->tallies, 0, run->gate);
    if (status == SB_OK)
        status = gate_look_like(run);
    if (status == SB_OK)
        status = sb_gate_steps_report(run);
    if (status)
        return sb_error_memory(run->error, "the name of a shuffle");
    gate->interrupted = gate->evidence.interrupted = run->loop.interrupted;
    gate->uncounted = run->fingerprints.uncounted + (run->fingerprint.adds ? run->fingerprint.decks : 0);
    gate_counted_say(run);
    return sb_gate_sentence_set(gate) ? sb_error_memory(run->error, "the gate's verdict") : SB_OK;
}

/* Saves the evidence before the outcome: a run whose evidence cannot be saved has no outcome on the ledger, and its
 * evidence is not continued. */
static enum sb_status gate_record(struct sb_gate_run *run, enum sb_status status)
{
    const char *const outcome = status ? "broken" : sb_verdict_name(run->gate->verdict);
    const enum sb_status saved = gate_save_end(run, status);
    struct sb_error error = { 0 };
    enum sb_status recorded;

    if (run->lost || !run->claim.run)
        return saved;
    recorded = sb_ledger_record(&run->claim, outcome, run->loop.total, &error);
    if (status || !recorded)
        return status;
    return sb_error_set(run->error, recorded, "%.400s (the verdict was %s)", error.text, outcome);
}

/* Locks the evidence to resume, and forgets it if the ledger does not continue it: the run then begins anew. */
static enum sb_status gate_hold(struct sb_gate_run *run)
{
    const struct sb_request *const options = run->options;
    struct sb_saved *const saved = run->saved;
    bool anew = false;
    enum sb_status status = sb_saved_hold(saved, run->error, &run->lock);

    if (status == SB_OK && options->ledger)
        status = sb_ledger_continues(&run->claim, saved, run->error, &anew);
    if (anew)
        run->saved = NULL;
    else
        run->claim.share = saved->share;
    return status;
}

static enum sb_status gate_try(struct sb_gate_run *run, const struct sb_gate_terms *terms)
{
    const struct sb_request *const options = run->options;
    const struct sb_waiting waiting = { .stop = options->stop, .idle = gate_progress, .idle_state = run };
    enum sb_status status = sb_ledger_begin(options, run->error, &run->claim);

    if (status == SB_OK && run->saved)
        status = gate_hold(run);
    if (status == SB_OK)
        status = sb_feed_start(run->subject, &waiting, run->error, &run->feed);
    if (status == SB_OK)
        status = sb_feed_first(run->feed, 1, run->error);
    if (status)
        return status;
    run->n = run->feed->n;
    run->deal = run->feed->deal;
    run->grows = options->save && !run->feed->replays;
    status = sb_selection_check(sb_item_multiset(run->feed->names), run->n, run->deal, options->profile,
                                options->increments, run->error);
    if (status == SB_OK && options->ledger)
        status = sb_gate_seeds_ahead(run, terms, run->claim.share ? run->claim.share : run->claim.next);
    return status || run->claim.share ? status
                                      : sb_ledger_take(run->feed->name, options->stop, run->error, &run->claim);
}

/* Loads the evidence to judge or to resume, if there is any. Options that were not given are those of the saved run. */
static enum sb_status gate_load(struct sb_gate_run *run, struct sb_subject *subject, struct sb_saved **saved)
{
    struct sb_request *const options = run->options;
    const char *const path = options->evidence                 ? options->evidence
                             : sb_saved_resumes(options->save) ? options->save
                                                               : NULL;
    const enum sb_status status =
        path ? sb_saved_new(path, SB_REPORT | SB_GATE, !options->evidence, NULL, run->error, saved) : SB_OK;

    if (status || !path)
        return status;
    sb_request_fill(options, &(*saved)->asked);
    if (!sb_request_given(options, "seed") && sb_saved_is_scheme(*saved))
        subject->seed = options->seed;
    run->saved = *saved;
    return SB_OK;
}

enum sb_status sb_gate_new(const struct sb_subject *subject, const struct sb_request *options, struct sb_error *error,
                           struct sb_gate **gate)
{
    struct sb_subject own = *subject; /* sb_gate_settle() adds what the saved run had */
    struct sb_request asked = *options;
    struct sb_gate_run run = { .subject = &own, .options = &asked, .error = error, .lock = -1 };
    struct sb_gate_terms terms = { .alpha = 0 };
    struct sb_saved *saved = NULL;
    bool tried;
    enum sb_status status = gate_load(&run, &own, &saved);

    if (status == SB_OK)
        status = sb_gate_settle(&asked, saved, error, &terms, &own, &tried);
    if (status == SB_OK && !(run.gate = calloc(1, sizeof *run.gate)))
        status = sb_error_memory(error, "the gate");
    if (status) {
        sb_saved_free(saved);
        return status;
    }
    run.loop = (struct sb_run) { .stop = options->stop, .state = &run, .error = error };
    if (tried || !saved) {
        status = gate_try(&run, &terms);
    } else {
        run.n = saved->asked.n;
        run.deal = saved->deal;
        run.claim.share = saved->share;
        run.loop.interrupted = !sb_saved_ended(saved);
    }
    if (status == SB_OK)
        status = gate_begin(&run, &terms);
    if (status == SB_OK)
        status = sb_gate_seeds_check(&run, &terms);
    if (status == SB_OK && tried)
        status = gate_save_begin(&run);
    if (status == SB_OK)
        status = sb_gate_steps_open(&run);
    if (status == SB_OK)
        status = gate_judge(&run);
    if (status == SB_OK && !tried)
        status = gate_saved_confirm(&run);
    run.gate->chained = own.chained;
    run.gate->seed = own.seed;
    if (status == SB_OK)
        status = gate_conclude(&run);
    status = gate_record(&run, status);
    if (run.lock >= 0)
        close(run.lock);
    sb_gate_steps_free(run.steps);
    free(run.left_out);
    sb_item_names_free(run.names);
    sb_fair_free(run.fair);
    sb_ledger_end(&run.claim);
    sb_tallies_close(&run.tallies);
    sb_feed_free(run.feed);
    sb_saved_free(saved);
    if (status)
        sb_gate_free(run.gate);
    else
        *gate = run.gate;
    return status;
}

void sb_gate_free(struct sb_gate *gate)
{
    if (!gate)
        return;
    sb_gate_close(gate);
    free(gate);
}
