/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate: permutations are read, tallied and looked at until they are known to be fair or not.
 *
 * The looks are at fixed counts, and the tallies of a look hold exactly so many permutations, however the
 * subject's come in: so the same stream has the same verdict on every machine.
 */
#include "gate/gate.h"

#include "core/error.h"
#include "engine/observe.h"
#include "statistic/statistic.h"
#include "study/sentence.h"
#include "study/study.h"
#include "study/subject.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void sb_gate_options_init(struct sb_gate_options *options)
{
    *options = (struct sb_gate_options) {
        .alpha = 1e-9,
        .delta = 1e-6,
        .exclude = 0.01,
        .limit = 2000000,
    };
}

enum { GATE_CELLS_MOST = 64 }; /* of a statistic other than the rank, once they are merged */

/* A gate at work. */
struct gate_run {
    const struct sb_gate_options *options;
    struct sb_error *error;
    struct sb_trial trial;
    const struct sb_statistic_type **type; /* [count] the statistics in play; owned */
    size_t count;
    struct sb_observer *observer; /* owned */
    struct sb_tally *tally;       /* [count] of a look; owned */
    uint64_t total;               /* permutations that were tallied */
    bool interrupted;             /* by the stop flag */
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

    return type == &sb_statistic_rank || cells < GATE_CELLS_MOST ? cells : GATE_CELLS_MOST;
}

/*
 * Whether a statistic is in play: the position of each item always, and every other one by which a fair
 * subject can pass within the limit. Where not even the positions can, there will be no pass, and for a
 * failure all others are in play, but for the rank, whose cells may be millions.
 */
static bool gate_plays(const struct sb_gate_terms *terms, const struct sb_feed *feed,
                       const struct sb_statistic_type *type)
{
    if (type == &sb_statistic_position)
        return gate_cells(feed, type);
    return sb_statistic_joins(type, feed->n, feed->deal) &&
           (sb_gate_reaches(terms, gate_cells(feed, type)) ||
            (type != &sb_statistic_rank &&
             !sb_gate_reaches(terms, gate_cells(feed, &sb_statistic_position))));
}

/* Chooses the statistics in play, and makes their tallies ready. */
static enum sb_status gate_tallies(struct gate_run *run, const struct sb_gate_terms *terms)
{
    const struct sb_feed *const feed = run->trial.feed;

    run->type = calloc(sb_statistic_types_count + 1, sizeof *run->type);
    run->tally = calloc(sb_statistic_types_count + 1, sizeof *run->tally);
    if (!run->type || !run->tally)
        return sb_error_memory(run->error, "the gate's tallies");
    for (size_t i = 0; i < sb_statistic_types_count; i++)
        if (gate_plays(terms, feed, sb_statistic_types[i]))
            run->type[run->count++] = sb_statistic_types[i];
    return sb_observer_new(feed->n, feed->deal, run->type, run->count, GATE_CELLS_MOST, run->error,
                           &run->observer);
}

/* Makes the tallies and the lines ready, and takes from the trial what the gate is to know. */
static enum sb_status gate_begin(struct gate_run *run, const struct sb_gate_terms *terms)
{
    struct sb_gate *const gate = run->gate;
    const enum sb_status status = gate_tallies(run, terms);

    if (status)
        return status;
    sb_observer_read(run->observer, run->tally);
    if (sb_gate_open(terms, run->tally, run->count, gate))
        return sb_error_memory(run->error, "the gate's statistics");
    gate->n = run->trial.feed->n;
    gate->deal = run->trial.feed->deal;
    gate->kind = run->trial.kind;
    gate->name = strdup(run->trial.name);
    return gate->name ? SB_OK : sb_error_memory(run->error, "the gate's statistics");
}

/* Looks at what was tallied until now. */
static enum sb_status gate_look(struct gate_run *run)
{
    sb_observer_read(run->observer, run->tally);
    return sb_gate_look(run->tally, run->count, run->gate) ? sb_error_memory(run->error, "a look of the gate")
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
        sb_observer_add(run->observer, trial->items, trial->count);
        run->total += trial->count;
        trial->count = 0;
    }
    return SB_OK;
}

/* Looks until the verdict is there, or there is no more to look at. */
static enum sb_status gate_judge(struct gate_run *run)
{
    struct sb_gate *const gate = run->gate;
    const struct sb_gate_options *const options = run->options;
    bool end = false;

    while (!end && gate->total < options->limit && gate->verdict == SB_VERDICT_INCONCLUSIVE) {
        const uint64_t next = sb_gate_next_look(gate->total);
        enum sb_status status = gate_gather(run, next < options->limit ? next : options->limit, &end);

        if (status == SB_OK && run->total > gate->total)
            status = gate_look(run);
        if (status)
            return status;
        if (options->progress)
            options->progress(options->progress_state, gate->name, gate->total, options->limit);
    }
    return sb_gate_sum_up(run->tally, run->count, gate) ? sb_error_memory(run->error, "the gate's verdict")
                                                        : SB_OK;
}

/* Says what a cell means. */
static void gate_where(const struct gate_run *run, struct sb_gate_cell *cell)
{
    for (size_t i = 0; i < run->count; i++)
        if (strcmp(run->tally[i].statistic, run->gate->line[cell->line].statistic) == 0)
            sb_gate_where(run->gate, &run->tally[i], cell);
}

/* Says what cells mean, keeps the counts by rank, if there are any, and the matrix; then a sentence on it
 * all. */
static enum sb_status gate_conclude(struct gate_run *run)
{
    struct sb_gate *const gate = run->gate;
    struct sb_sentence sentence = { .used = 0 };

    for (size_t i = 0; i < gate->cells_count; i++)
        gate_where(run, &gate->cell[i]);
    for (size_t i = 0; i < run->count; i++)
        gate->merged = gate->merged || run->tally[i].first;
    if (sb_evidence_tallied(run->tally, run->count, gate->n, gate->deal, &gate->evidence))
        return sb_error_memory(run->error, "the gate's evidence");
    gate->interrupted = gate->evidence.interrupted = run->interrupted;
    sb_sentence_gate(&sentence, gate);
    gate->sentence = strdup(sentence.text);
    return gate->sentence ? SB_OK : sb_error_memory(run->error, "the gate's verdict");
}

enum sb_status sb_gate_new(const struct sb_subject *subject, const struct sb_gate_options *options,
                           struct sb_error *error, struct sb_gate **gate)
{
    struct gate_run run = { .options = options, .error = error };
    struct sb_gate_terms terms;
    enum sb_status status = gate_check(options, error, &terms);

    if (status)
        return status;
    run.gate = calloc(1, sizeof *run.gate);
    if (!run.gate)
        return sb_error_memory(error, "the gate");
    status = sb_trial_open(subject, options->stop, 1, error, &run.trial);
    if (status == SB_OK)
        status = gate_begin(&run, &terms);
    if (status == SB_OK)
        status = gate_judge(&run);
    run.gate->chained = subject->chained;
    if (status == SB_OK)
        status = gate_conclude(&run);
    sb_observer_free(run.observer);
    free(run.tally);
    free(run.type);
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
