/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate: reads and tallies permutations, and looks at the tallies until the tallies show whether the
 * shuffle is fair.
 *
 * Looks take place after fixed numbers of tallied permutations, whatever the batches in which the
 * permutations arrive. So the same stream has the same verdict on every machine.
 */
#include "gate/gate.h"

#include "core/error.h"
#include "core/text/sanitize_text.h"
#include "statistic/statistic.h"
#include "study/catalogue/catalogue_look.h"
#include "study/gate/gate_run.h"
#include "study/gate/gate_text.h"
#include "study/results.h"
#include "study/run/statistic_selection.h"
#include "study/sentence.h"
#include "tally/evidence_tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GATE_PATH = 4096 }; /* the most bytes of a ledger's path to show */

/* Copies the ledger's data into the gate's findings. */
static enum sb_status gate_budget(const struct sb_gate_run *run, struct sb_gate_budget *budget)
{
    const struct sb_ledger_claim *const claim = &run->claim;

    if (!claim->path)
        return SB_OK;
    *budget = (struct sb_gate_budget) {
        .ledger = sb_sanitize_text(run->options->ledger, GATE_PATH),
        .key = claim->key ? sb_sanitize_text(claim->key, 4 * SB_LEDGER_KEY_MOST) : NULL, /* safe to print */
        .run = claim->run,
        .share = claim->share,
        .alpha = claim->alpha,
        .delta = claim->delta,
        .carried = run->loop.total,
        .decks = run->tallies.repeat ? sb_repeats_stream_kept(run->tallies.repeat) : 0,
    };
    return budget->ledger && (budget->key || !claim->key) ? SB_OK : SB_NO_MEMORY;
}

/* Sets run->names. A chained subject's items are positions, which have no names. */
static enum sb_status gate_name_items(struct sb_gate_run *run)
{
    const char *const cards = run->feed               ? NULL
                              : run->subject->chained ? NULL
                              : run->subject->cards   ? run->subject->cards
                                                      : run->options->saved->items;

    if (!run->feed)
        return cards ? sb_item_names_read(cards, run->error, &run->names) : SB_OK;
    return sb_item_names_copy(run->feed->names, &run->names)
               ? sb_error_memory(run->error, "the names of items")
               : SB_OK;
}

/* Sets up the tallies and the lines, and copies the subject's data into the findings. */
static enum sb_status gate_begin(struct sb_gate_run *run, struct sb_gate_terms *terms)
{
    struct sb_gate *const gate = run->gate;
    const char *const name = run->feed ? run->feed->name : run->options->saved->subject.name;
    struct sb_gate_terms choice;
    enum sb_status status;

    if (run->claim.share) {
        terms->alpha = sb_gate_share(terms->alpha, run->claim.share);
        terms->delta = sb_gate_share(terms->delta, run->claim.share);
    }
    choice = *terms;
    /* the evidence of all runs with the same key is added up, so a small limit of this run does not matter */
    if (run->claim.entry && choice.limit < SB_GATE_LIMIT)
        choice.limit = SB_GATE_LIMIT;
    status = gate_name_items(run);
    if (status == SB_OK)
        status = sb_gate_select(run, &choice);
    if (status)
        return status;
    sb_gate_recognise(run);
    if (sb_gate_open(terms, run->tallies.tally, run->tallies.count, gate) || sb_gate_restore_looks(run) ||
        sb_gate_large_say(run))
        return sb_error_memory(run->error, "the gate's statistics");
    run->savable = true;
    gate->watched = run->tallies.repeat;
    gate->repeats = run->tallies.birthday.repeats;
    gate->seeds_total =
        terms->seeds ? sb_birthday_decks_needed((double)terms->seeds, terms->delta, SB_REPEATS_MOST) : 0;
    gate->n = run->n;
    gate->deal = run->deal;
    gate->kind = run->feed ? run->feed->kind : run->options->saved->subject.kind;
    gate->name = strdup(name);
    gate->names = run->names;
    run->names = NULL;
    if (run->subject->title && !(gate->title = sb_sanitize_text(run->subject->title, SB_TITLE_MOST)))
        return sb_error_memory(run->error, "the gate's title");
    return gate->name && gate_budget(run, &gate->budget) == SB_OK
               ? SB_OK
               : sb_error_memory(run->error, "the gate's statistics");
}

/* Looks at the tallies so far. */
static enum sb_status gate_look(struct sb_gate_run *run)
{
    sb_tallies_read(&run->tallies);
    run->gate->repeats = run->tallies.birthday.repeats;
    run->gate->seeds_low = sb_birthday_seeds_low(&run->tallies.birthday, run->gate->terms.delta);
    return sb_gate_look(run->tallies.tally, run->tallies.count, run->gate)
               ? sb_error_memory(run->error, "a look of the gate")
               : SB_OK;
}

static enum sb_status gate_tally(void *state, const sb_item items[], size_t count)
{
    struct sb_gate_run *const run = state;

    sb_tallies_add(&run->tallies, items, count);
    sb_gate_steps_add(run->steps, items, count);
    return SB_OK;
}

/* Returns whether the verdict is final. If the run has a ledger's key, a pass is not final: the run
 * continues, to add evidence for later runs. */
static bool gate_decided(const struct sb_gate_run *run)
{
    const enum sb_verdict verdict = run->gate->verdict;

    return verdict == SB_VERDICT_FAIL || (verdict == SB_VERDICT_PASS && !run->claim.entry);
}

/* Reports the progress: after each look, and while no permutations arrive. */
static void gate_progress(void *state)
{
    const struct sb_gate_run *const run = state;
    const struct sb_gate_options *const options = run->options;

    if (options->progress)
        options->progress(options->progress_state, run->feed->name, run->loop.total - run->carried,
                          options->limit);
}

/* Looks at the tallies when the loop says that a look is due. */
static enum sb_status gate_look_due(void *state)
{
    struct sb_gate_run *const run = state;
    const struct sb_gate_options *const options = run->options;
    const enum sb_status status = gate_look(run);

    run->loop.look = sb_gate_next_look(run->gate->total);
    run->loop.ended = run->loop.ended || gate_decided(run);
    if (status == SB_OK && options->bound)
        options->bound(options->bound_state, run->gate->tv_high, run->gate->terms.exclude);
    if (status == SB_OK)
        gate_progress(run);
    return status;
}

/* Reads and tallies permutations until there is a final verdict or the permutations end. */
static enum sb_status gate_gather(struct sb_gate_run *run)
{
    const enum sb_status status = sb_recogniser_begin(&run->recogniser, run->error);

    if (status == SB_OK)
        return sb_run_loop(&run->loop);
    run->loop.interrupted = run->loop.ended = status == SB_STOPPED;
    run->savable = run->savable && status == SB_STOPPED; /* in all other cases the run must not be saved */
    return status == SB_STOPPED ? SB_OK : status;
}

/* Refuses to fail a shuffle whose lines do not show the order of the draw. Their evidence is not about the shuffle. */
static enum sb_status gate_check_order(struct sb_gate_run *run)
{
    const enum sb_status status = sb_feed_check_order(run->feed, run->error);

    run->savable = run->savable && status == SB_OK;
    return status;
}

/* Runs the loop with its looks until there is a final verdict or the permutations end. */
static enum sb_status gate_judge(struct sb_gate_run *run)
{
    static const struct sb_run_hooks hooks = {
        .tally = gate_tally,
        .save = sb_gate_save_pause,
        .look = gate_look_due,
    };
    struct sb_run *const loop = &run->loop;
    const uint64_t limit = run->options->limit;
    enum sb_status status = SB_OK;

    loop->hooks = &hooks;
    run->carried = run->claim.entry ? loop->total : 0;
    loop->most = limit < INT64_MAX - run->carried ? run->carried + limit : INT64_MAX;
    if (run->carried)
        status = gate_look(run);
    loop->look = sb_gate_next_look(run->gate->total);
    if (status == SB_OK && !loop->ended && run->gate->total < loop->most && !gate_decided(run))
        status = gate_gather(run);
    /* if permutations arrived after the previous look, the gate looks a last time, without waiting for the
     * scheduled number of permutations */
    if (status == SB_OK && loop->total > run->gate->total)
        status = loop->feed ? gate_look_due(run) : gate_look(run);
    if (status == SB_OK && run->gate->verdict == SB_VERDICT_FAIL)
        status = gate_check_order(run);
    if (status)
        return status;
    return sb_gate_sum_up(run->tallies.tally, run->tallies.count, run->gate)
               ? sb_error_memory(run->error, "the gate's verdict")
               : SB_OK;
}

/*
 * After a fail, finds the shuffle in the catalogue that the permutations look like. The positions of items
 * say nothing about repeated decks, dependence, and bets that go by earlier decks. So the positions are compared only if
 * the gate rejects something else.
 */
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

    if (gate->verdict != SB_VERDICT_FAIL || sb_item_multiset(gate->names) || gate->looks_like.always ||
        sb_gate_dependence(gate))
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

/* Labels the cells, keeps the matrix and any counts by rank, and then writes the sentence. */
static enum sb_status gate_conclude(struct sb_gate_run *run)
{
    struct sb_gate *const gate = run->gate;
    struct sb_sentence sentence = { .used = 0 };
    enum sb_status status;

    sb_gate_label_cells(run->tallies.tally, run->tallies.count, gate);
    if (sb_evidence_tallied(run->tallies.tally, run->tallies.statistics, gate->n, gate->deal,
                            &gate->evidence))
        return sb_error_memory(run->error, "the gate's evidence");
    gate->evidence.names = gate->names;
    status = gate->verdict == SB_VERDICT_FAIL
                 ? sb_always_tallied(run->tallies.tally, run->tallies.statistics, gate->n, gate->deal,
                                     gate->names, &gate->looks_like)
                 : SB_OK;
    if (status == SB_OK)
        status = gate_look_like(run);
    if (status == SB_OK && !gate->looks_like.always)
        status = sb_gate_steps_judge(run);
    if (status)
        return sb_error_memory(run->error, "the name of a shuffle");
    gate->interrupted = gate->evidence.interrupted = run->loop.interrupted;
    gate->uncounted = run->fingerprints.uncounted + (run->fingerprint.adds ? run->fingerprint.decks : 0);
    sb_gate_counted_say(run);
    sb_sentence_gate(&sentence, gate);
    gate->sentence = sb_sentence_take(&sentence);
    return gate->sentence ? SB_OK : sb_error_memory(run->error, "the gate's verdict");
}

/* Records the run in the ledger or in the run's file, even if the run failed. */
static enum sb_status gate_record(struct sb_gate_run *run, enum sb_status status)
{
    const char *const outcome = status ? "broken" : sb_verdict_name(run->gate->verdict);
    struct sb_error error = { 0 };
    enum sb_status recorded;

    if (!run->claim.run)
        return sb_gate_save_end(run, status);
    if (run->savable)
        sb_tallies_read(&run->tallies);
    recorded = sb_ledger_record(&run->claim, outcome, run->savable ? &run->tallies : NULL, run->loop.total,
                                &run->fingerprint, &error);
    if (status || !recorded)
        return status;
    return sb_error_set(run->error, recorded, "%.400s (the verdict was %s)", error.text, outcome);
}

/* Runs the gate on the subject. */
static enum sb_status gate_try(struct sb_gate_run *run, const struct sb_gate_terms *terms)
{
    const struct sb_gate_options *const options = run->options;
    const struct sb_waiting waiting = { .stop = options->stop, .idle = gate_progress, .idle_state = run };
    enum sb_status status = sb_ledger_begin(options, run->error, &run->claim);

    if (status == SB_OK)
        status = sb_feed_start(run->subject, &waiting, run->error, &run->feed);
    if (status == SB_OK)
        status = sb_feed_first(run->feed, 1, run->error);
    if (status)
        return status;
    run->n = run->feed->n;
    run->deal = run->feed->deal;
    status = sb_selection_check(run->n, run->deal, options->profile, options->increments, run->error);
    if (status == SB_OK)
        status = sb_gate_seeds_claim(run, terms);
    return status ? status : sb_ledger_take(run->feed, run->subject, options, run->error, &run->claim);
}

enum sb_status sb_gate_new(const struct sb_subject *subject, const struct sb_gate_options *options,
                           struct sb_error *error, struct sb_gate **gate)
{
    struct sb_subject own = *subject; /* sb_gate_settle() adds what the saved run had */
    struct sb_gate_run run = { .subject = &own, .options = options, .error = error, .lock = -1 };
    struct sb_gate_terms terms = { .alpha = 0 };
    bool tried;
    enum sb_status status = sb_gate_settle(options, error, &terms, &own, &tried);

    if (status)
        return status;
    run.gate = calloc(1, sizeof *run.gate);
    if (!run.gate)
        return sb_error_memory(error, "the gate");
    run.loop = (struct sb_run) { .stop = options->stop, .state = &run, .error = error };
    if (tried)
        status = gate_try(&run, &terms);
    else
        sb_gate_saved_load(&run);
    if (status == SB_OK)
        status = gate_begin(&run, &terms);
    if (status == SB_OK)
        status = sb_gate_seeds_check(&run, &terms);
    if (status == SB_OK && tried)
        status = sb_gate_save_begin(&run);
    if (status == SB_OK)
        status = sb_gate_steps_open(&run);
    if (status == SB_OK)
        status = gate_judge(&run);
    if (status == SB_OK && !tried)
        status = sb_gate_saved_confirm(&run);
    run.gate->chained = own.chained;
    run.gate->ordered = own.ordered;
    run.gate->seed = own.seed;
    if (status == SB_OK)
        status = gate_conclude(&run);
    status = gate_record(&run, status);
    sb_gate_save_close(&run);
    sb_gate_steps_free(run.steps);
    free(run.left_out);
    sb_item_names_free(run.names);
    sb_ledger_end(&run.claim);
    sb_tallies_close(&run.tallies);
    sb_feed_free(run.feed);
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
