/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate: permutations are read, tallied and looked at until they are known to be fair or not.
 *
 * The looks are at fixed counts, and the tallies of a look hold exactly so many permutations, however the
 * subject's come in: so the same stream has the same verdict on every machine.
 */
#include "gate/gate.h"

#include "core/error.h"
#include "report/gate.h"
#include "statistic/statistic.h"
#include "study/ledger.h"
#include "study/sentence.h"
#include "study/study.h"
#include "study/subject.h"
#include "study/tallies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t gate_limit = 2000000;

void sb_gate_options_init(struct sb_gate_options *options)
{
    *options = (struct sb_gate_options) {
        .alpha = 1e-9,
        .delta = 1e-6,
        .exclude = 0.01,
        .limit = gate_limit,
    };
}

/* A gate at work. */
struct gate_run {
    const struct sb_gate_options *options;
    struct sb_error *error;
    struct sb_trial trial;
    struct sb_tallies tallies;
    uint64_t total;   /* permutations that were tallied */
    bool interrupted; /* by the stop flag */
    struct sb_ledger_claim claim;
    bool seen; /* what the ledger carries on is in the tallies, and nothing twice */
    struct sb_gate *gate;
};

static enum sb_status gate_check(const struct sb_gate_options *options, struct sb_error *error,
                                 struct sb_gate_terms *terms)
{
    if (!(options->alpha >= 1e-100 && options->alpha < 1))
        return sb_error_set(error, SB_INVALID, "alpha = %g must be at least 1e-100 and below 1",
                            options->alpha);
    if (!(options->delta >= 1e-100 && options->delta < 1))
        return sb_error_set(error, SB_INVALID, "delta = %g must be at least 1e-100 and below 1",
                            options->delta);
    if (!(options->exclude > 0 && options->exclude < 1))
        return sb_error_set(error, SB_INVALID, "exclude = %g must lie between 0 and 1", options->exclude);
    if (!(options->tolerate >= 0 && options->tolerate < 1))
        return sb_error_set(error, SB_INVALID, "tolerate = %g must be at least 0 and below 1",
                            options->tolerate);
    if (options->tolerate > options->exclude)
        return sb_error_set(
            error, SB_INVALID,
            "tolerate = %g is above exclude = %g, and a bias between them would have no verdict: "
            "exclude as much or more",
            options->tolerate, options->exclude);
    if (options->limit == 0 || options->limit > INT64_MAX)
        return sb_error_set(error, SB_INVALID, "the limit must be from 1 to 2^63 - 1 permutations");
    *terms = (struct sb_gate_terms) {
        .alpha = options->alpha,
        .delta = options->delta,
        .exclude = options->exclude,
        .tolerate = options->tolerate,
        .limit = options->limit,
    };
    return SB_OK;
}

/* The cells of a statistic once they are merged: no more than that. */
static size_t gate_cells(const struct sb_feed *feed, const struct sb_statistic_type *type)
{
    const size_t cells = type->cells(feed->n, feed->deal);

    return type == &sb_statistic_rank || cells < SB_TALLIES_CELLS_MOST ? cells : SB_TALLIES_CELLS_MOST;
}

/*
 * Whether a statistic is in play: the position of each item always, and every other one by which a fair
 * subject can pass within the limit. Where not even the positions can, there will be no pass, and for a
 * failure all others are in play, but for the rank, whose cells may be millions.
 */
static bool gate_plays(const struct sb_gate_terms *terms, const struct sb_feed *feed, const char *profile,
                       const struct sb_statistic_type *type)
{
    if (type == &sb_statistic_position)
        return gate_cells(feed, type);
    return (sb_statistic_joins(type, feed->n, feed->deal) ||
            sb_statistic_joins_profile(type, profile, feed->n, feed->deal)) &&
           (sb_gate_reaches(terms, gate_cells(feed, type)) ||
            (type != &sb_statistic_rank &&
             !sb_gate_reaches(terms, gate_cells(feed, &sb_statistic_position))));
}

/*
 * What else is tallied. Whole decks that come up again: where the rank is not in play, but something is,
 * and there are more decks than the shortest seeds give.
 */
static unsigned gate_watches(const struct gate_run *run, const struct sb_statistic_type *first)
{
    const struct sb_feed *const feed = run->trial.feed;
    unsigned what = run->options->increments ? SB_TALLIES_INCREMENTS : 0;

    if (first && first != &sb_statistic_rank && sb_deals(feed->n, feed->deal) > 1 << 16)
        what |= SB_TALLIES_REPEATS;
    return what;
}

/* Chooses the statistics in play, those that are carried on if any are, and makes their tallies ready. */
static enum sb_status gate_tallies(struct gate_run *run, const struct sb_gate_terms *terms)
{
    const struct sb_ledger_entry *const entry = run->claim.entry;
    const struct sb_feed *const feed = run->trial.feed;
    const struct sb_statistic_type **const type = calloc(sb_statistic_types_count + 1, sizeof *type);
    const bool carried = entry && entry->seen.counts_count;
    enum sb_status status = SB_OK;
    size_t count = 0;

    if (!type)
        return sb_error_memory(run->error, "the gate's tallies");
    if (carried)
        status = sb_ledger_types(&run->claim, run->error, type, &count);
    for (size_t i = 0; !carried && i < sb_statistic_types_count; i++)
        if (gate_plays(terms, feed, run->options->profile, sb_statistic_types[i]))
            type[count++] = sb_statistic_types[i];
    if (status == SB_OK)
        status = sb_tallies_open(feed->n, feed->deal, type, count, gate_watches(run, type[0]), run->error,
                                 &run->tallies);
    free(type);
    if (status || !carried)
        return status;
    run->total = entry->seen.total;
    return sb_ledger_resume(&run->claim, run->error, &run->tallies);
}

/* What the gate is to know of the ledger. */
static enum sb_status gate_budget(const struct gate_run *run, struct sb_gate_budget *budget)
{
    const struct sb_ledger_claim *const claim = &run->claim;

    if (!claim->path)
        return SB_OK;
    *budget = (struct sb_gate_budget) {
        .ledger = strdup(run->options->ledger),
        .key = claim->key ? strdup(claim->key) : NULL,
        .run = claim->run,
        .share = claim->share,
        .alpha = claim->alpha,
        .delta = claim->delta,
        .carried = run->total,
    };
    return budget->ledger && (budget->key || !claim->key) ? SB_OK : SB_NO_MEMORY;
}

/* Makes the tallies and the lines ready, and takes from the trial what the gate is to know. */
static enum sb_status gate_begin(struct gate_run *run, struct sb_gate_terms *terms)
{
    struct sb_gate *const gate = run->gate;
    struct sb_gate_terms play;
    enum sb_status status;

    if (run->claim.share) {
        terms->alpha = sb_gate_share(terms->alpha, run->claim.share);
        terms->delta = sb_gate_share(terms->delta, run->claim.share);
    }
    play = *terms;
    if (run->claim.entry && play.limit < gate_limit) /* runs add up */
        play.limit = gate_limit;
    status = gate_tallies(run, &play);
    if (status)
        return status;
    run->seen = true;
    if (sb_gate_open(terms, run->tallies.tally, run->tallies.count, gate))
        return sb_error_memory(run->error, "the gate's statistics");
    gate->watched = run->tallies.repeat;
    gate->n = run->trial.feed->n;
    gate->deal = run->trial.feed->deal;
    gate->kind = run->trial.kind;
    gate->name = strdup(run->trial.name);
    return gate->name && gate_budget(run, &gate->budget) == SB_OK
               ? SB_OK
               : sb_error_memory(run->error, "the gate's statistics");
}

/* Looks at what was tallied until now. */
static enum sb_status gate_look(struct gate_run *run)
{
    sb_tallies_read(&run->tallies);
    run->gate->repeats = run->tallies.birthday.repeats;
    return sb_gate_look(run->tallies.tally, run->tallies.count, run->gate)
               ? sb_error_memory(run->error, "a look of the gate")
               : SB_OK;
}

/* Tallies permutations until there are `look` of them; *end where there are no more. */
static enum sb_status gate_gather(struct gate_run *run, uint64_t look, bool *end)
{
    const volatile sig_atomic_t *const stop = run->options->stop;
    struct sb_trial *const trial = &run->trial;
    enum sb_status status = SB_OK;

    while (run->total < look && !*end) {
        const uint64_t wanted = look - run->total;

        if (trial->count == 0) /* the first ones are there already */
            status = sb_trial_next(trial, wanted < SIZE_MAX ? (size_t)wanted : SIZE_MAX, run->error);
        run->interrupted = status == SB_STOPPED || (stop && *stop);
        if (status == SB_STOPPED)
            trial->count = 0;
        else if (status)
            return status;
        *end = run->interrupted || trial->count == 0;
        status = sb_ledger_see(&run->claim, trial->items, trial->count, trial->feed->deal, run->error);
        if (status) {
            run->seen = false;
            return status;
        }
        sb_tallies_add(&run->tallies, trial->items, trial->count);
        run->total += trial->count;
        trial->count = 0;
    }
    return SB_OK;
}

/* Whether more permutations are of use: evidence that is carried on still grows after a pass. */
static bool gate_goes_on(const struct gate_run *run)
{
    const enum sb_verdict verdict = run->gate->verdict;

    return verdict == SB_VERDICT_INCONCLUSIVE || (run->claim.entry && verdict == SB_VERDICT_PASS);
}

/* Looks until the verdict is there, or there is no more to look at. */
static enum sb_status gate_judge(struct gate_run *run)
{
    struct sb_gate *const gate = run->gate;
    const struct sb_gate_options *const options = run->options;
    const uint64_t carried = run->total;
    const uint64_t most = options->limit < INT64_MAX - carried ? carried + options->limit : INT64_MAX;
    enum sb_status status = carried ? gate_look(run) : SB_OK;
    bool end = false;

    while (status == SB_OK && !end && gate->total < most && gate_goes_on(run)) {
        const uint64_t next = sb_gate_next_look(gate->total);

        status = gate_gather(run, next < most ? next : most, &end);
        if (status == SB_OK && run->total > gate->total)
            status = gate_look(run);
        if (status == SB_OK && options->progress)
            options->progress(options->progress_state, gate->name, gate->total - carried, options->limit);
    }
    if (status)
        return status;
    return sb_gate_sum_up(run->tallies.tally, run->tallies.count, gate)
               ? sb_error_memory(run->error, "the gate's verdict")
               : SB_OK;
}

/* Says what a cell means. */
static void gate_where(const struct gate_run *run, struct sb_gate_cell *cell)
{
    const struct sb_gate_line *const line = &run->gate->line[cell->line];

    for (size_t i = 0; i < run->tallies.count; i++) {
        const struct sb_tally *const tally = &run->tallies.tally[i];

        if (strcmp(tally->statistic, line->statistic) == 0 && tally->increments == line->increments)
            sb_gate_where(run->gate, tally, cell);
    }
}

/* Says what cells mean, keeps the counts by rank, if there are any, and the matrix; then a sentence on it
 * all. */
static enum sb_status gate_conclude(struct gate_run *run)
{
    struct sb_gate *const gate = run->gate;
    struct sb_sentence sentence = { .used = 0 };

    for (size_t i = 0; i < gate->cells_count; i++)
        gate_where(run, &gate->cell[i]);
    for (size_t i = 0; i < run->tallies.count; i++)
        gate->merged = gate->merged || run->tallies.tally[i].first;
    if (sb_evidence_tallied(run->tallies.tally, run->tallies.statistics, gate->n, gate->deal,
                            &gate->evidence))
        return sb_error_memory(run->error, "the gate's evidence");
    gate->interrupted = gate->evidence.interrupted = run->interrupted;
    sb_sentence_gate(&sentence, gate);
    gate->sentence = strdup(sentence.text);
    return gate->sentence ? SB_OK : sb_error_memory(run->error, "the gate's verdict");
}

/* Puts down in the ledger, if there is one, what came of the run: also of one that failed. */
static enum sb_status gate_record(struct gate_run *run, enum sb_status status)
{
    const char *const outcome = status ? "broken" : sb_verdict_name(run->gate->verdict);
    struct sb_error error = { 0 };
    enum sb_status recorded;

    if (run->seen)
        sb_tallies_read(&run->tallies);
    recorded = sb_ledger_record(&run->claim, outcome, run->seen ? &run->tallies : NULL, run->total, &error);
    if (status || !recorded)
        return status;
    return sb_error_set(run->error, recorded, "%.400s (the verdict was %s)", error.text, outcome);
}

enum sb_status sb_gate_new(const struct sb_subject *subject, const struct sb_gate_options *options,
                           struct sb_error *error, struct sb_gate **gate)
{
    struct gate_run run = { .options = options, .error = error };
    struct sb_gate_terms terms = { .alpha = 0 };
    enum sb_status status = gate_check(options, error, &terms);

    if (status)
        return status;
    run.gate = calloc(1, sizeof *run.gate);
    if (!run.gate)
        return sb_error_memory(error, "the gate");
    status = sb_ledger_begin(options, error, &run.claim);
    if (status == SB_OK)
        status = sb_trial_open(subject, options->stop, 1, error, &run.trial);
    if (status == SB_OK)
        status = sb_statistic_profile_check(options->profile, run.trial.feed->n, error);
    if (status == SB_OK && options->increments)
        status = sb_increments_check(run.trial.feed->n, run.trial.feed->deal, error);
    if (status == SB_OK)
        status = sb_ledger_take(&run.trial, subject->chained, options, error, &run.claim);
    if (status == SB_OK)
        status = gate_begin(&run, &terms);
    if (status == SB_OK)
        status = gate_judge(&run);
    run.gate->chained = subject->chained;
    run.gate->seed = subject->seed;
    if (status == SB_OK)
        status = gate_conclude(&run);
    status = gate_record(&run, status);
    sb_ledger_end(&run.claim);
    sb_tallies_close(&run.tallies);
    sb_trial_close(&run.trial);
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
