/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The watch: a gate with no end. Permutations are read and tallied for as long as they come; alarms, metrics
 * and a file of the evidence go out meanwhile.
 *
 * Alarms come at counts that the gate's looks, or the e-detector's, alone decide, so that the same stream has
 * the same alarms on every machine and whoever stopped and went on in between. Metrics and checkpoints go by
 * the clock, and change nothing. Memory: tallies, and with a window a copy of them for each level; a fixed
 * table of decks.
 */
#include "study/watch.h"

#include "core/clock.h"
#include "core/error.h"
#include "gate/gate.h"
#include "statistic/statistic.h"
#include "study/play.h"
#include "study/sealed.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The tallies of the statistics in play, or of those that are taken up again. */
static enum sb_status watch_tallies(struct sb_watch_run *run, size_t n, size_t deal)
{
    const struct sb_watch_options *const options = run->options;
    const struct sb_statistic_type **const type = calloc(sb_statistic_types_count + 1, sizeof *type);
    unsigned what = options->increments ? SB_TALLIES_INCREMENTS : 0;
    size_t count = 0;
    enum sb_status status = SB_OK;

    if (!type)
        return sb_error_memory(run->error, "the watch's tallies");
    if (!run->saved.there)
        count = sb_play_choose(n, deal, options->profile, &run->terms, type);
    else if (sb_seen_types(&run->saved.seen, type, &count))
        status = sb_error_set(run->error, SB_IO,
                              "'%.200s' has statistics that version %s does not know: use the "
                              "version that wrote it, or name another file",
                              options->save, SB_VERSION);
    if (sb_play_repeats(n, deal, type[0]))
        what |= SB_TALLIES_REPEATS_PART;
    if (status == SB_OK)
        status = sb_tallies_open(n, deal, type, count, what, run->error, &run->tallies);
    free(type);
    return status;
}

/* The levels of the detector, with the weights that the gate's lines have. */
static enum sb_status watch_levels(struct sb_watch_run *run)
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

/* All that is kept of permutations, once n is known; with what is taken up again. */
static enum sb_status watch_begin(struct sb_watch_run *run, size_t n, size_t deal)
{
    struct sb_gate *const gate = &run->watch->gate;
    struct sb_gate made;
    enum sb_status status = sb_statistic_profile_check(run->options->profile, n, run->error);

    if (status == SB_OK && run->options->increments)
        status = sb_increments_check(n, deal, run->error);
    if (status == SB_OK)
        status = watch_tallies(run, n, deal);
    if (status)
        return status;
    if (sb_gate_open(&run->terms, run->tallies.tally, run->tallies.count, &made))
        return sb_error_memory(run->error, "the watch's statistics");
    made.name = gate->name;
    made.kind = gate->kind;
    made.chained = gate->chained;
    made.n = n;
    made.deal = deal;
    made.watched = run->tallies.repeat;
    *gate = made;
    run->watch->compared = made.watched ? UINT64_C(1) << SB_REPEAT_PART : 0;
    run->ready = true;
    if (run->options->window)
        status = watch_levels(run);
    return status || !run->saved.there ? status : sb_watch_resume(run);
}

/* The detector's look. */
static enum sb_status watch_look_window(struct sb_watch_run *run)
{
    const struct sb_birthday *const birthday = run->tallies.repeat ? &run->tallies.birthday : NULL;
    const struct sb_tally *const tally = run->tallies.tally;
    enum sb_status status = SB_OK;

    sb_tallies_read(&run->tallies);
    const bool alarm = sb_detector_look(&run->detector, tally, run->watch->total, birthday);

    run->watch->ln_sum = run->detector.start ? run->detector.ln_sum : -HUGE_VAL;
    if (alarm) {
        status = sb_watch_raise(run);
        sb_detector_silence(&run->detector);
    }
    sb_detector_start(&run->detector, tally, run->watch->total, birthday);
    return status;
}

/* The gate's look; there is one alarm and no other. */
static enum sb_status watch_look_whole(struct sb_watch_run *run)
{
    enum sb_status status = sb_watch_refresh(run);

    if (status == SB_OK && run->watch->gate.verdict == SB_VERDICT_FAIL && run->watch->alarms == 0)
        status = sb_watch_raise(run);
    return status;
}

/* The next permutations are tallied, `most` of them at most; *end where there are no more. */
static enum sb_status watch_gather(struct sb_watch_run *run, uint64_t most, bool *end)
{
    const volatile sig_atomic_t *const stop = run->options->stop;
    struct sb_trial *const trial = &run->trial;
    enum sb_status status = SB_OK;

    if (trial->count == 0)
        status = sb_trial_next(trial, most < SIZE_MAX ? (size_t)most : SIZE_MAX, run->error);
    run->watch->interrupted = status == SB_STOPPED || (stop && *stop);
    if (status == SB_STOPPED)
        trial->count = 0;
    else if (status)
        return status;
    *end = run->watch->interrupted || trial->count == 0;
    if (*end && !run->ready && !run->watch->interrupted)
        return sb_error_set(run->error, SB_SUBJECT, "%s: ended without a permutation: print some, one a line",
                            trial->name);
    if (trial->count == 0)
        return SB_OK;
    const bool first = !run->ready;

    if (first) {
        status = sb_trial_check(trial, run->error);
        if (status == SB_OK)
            status = watch_begin(run, trial->feed->n, trial->feed->deal);
        if (status)
            return status;
    }
    sb_tallies_add(&run->tallies, trial->items, trial->count);
    run->watch->total += trial->count;
    run->watch->last = (double)time(NULL);
    trial->count = 0;
    if (first)
        status = sb_watch_first_save(run);
    sb_watch_idle(run);
    return status;
}

/* The next look after so many permutations: of those that there would be had none of them been read before.
 */
static uint64_t watch_next_look(const struct sb_watch_run *run, uint64_t look)
{
    const uint64_t total = run->watch->total;

    if (run->options->window)
        return sb_detector_next_look(total);
    while (look <= total)
        look = sb_gate_next_look(look);
    return look;
}

static enum sb_status watch_go_on(struct sb_watch_run *run)
{
    const struct sb_watch_options *const options = run->options;
    struct sb_watch *const watch = run->watch;
    const uint64_t begun = watch->total;
    const uint64_t most =
        options->limit && options->limit < INT64_MAX - begun ? begun + options->limit : INT64_MAX;
    enum sb_status status = SB_OK;
    uint64_t look = 0;
    bool end = false;

    while (status == SB_OK && !end && watch->total < most) {
        look = watch_next_look(run, look);
        const uint64_t next = look < most ? look : most;

        while (status == SB_OK && !end && watch->total < next)
            status = watch_gather(run, run->ready ? next - watch->total : 1, &end);
        if (status == SB_OK && watch->total == look)
            status = options->window ? watch_look_window(run) : watch_look_whole(run);
    }
    return status;
}

/* Passes over what a scheme has given to an earlier run. */
static enum sb_status watch_pass(struct sb_watch_run *run)
{
    uint64_t left = run->subject->scheme ? run->watch->carried : 0;
    enum sb_status status = SB_OK;

    while (status == SB_OK && left > 0) {
        status = sb_trial_next(&run->trial, left < SIZE_MAX ? (size_t)left : SIZE_MAX, run->error);
        left -= status == SB_OK ? run->trial.count : 0;
        run->trial.count = 0;
    }
    return status;
}

/* Starts the subject where it was left. */
static enum sb_status watch_start(struct sb_watch_run *run)
{
    const struct sb_watch_options *const options = run->options;
    struct sb_subject subject = *run->subject;
    const struct sb_waiting waiting = {
        .stop = options->stop,
        .idle = sb_watch_idle,
        .idle_state = run,
        .bookmarks = options->follow || options->save,
        .following = {
            .on = options->follow,
            .from = run->saved.bookmark,
            .reopen = options->reopen,
            .tell = options->tell,
            .state = options->tell_state,
        },
    };
    enum sb_status status;

    subject.timeout = subject.timeout > 0 ? subject.timeout : INFINITY;
    if (run->saved.there) {
        subject.n = run->saved.n;
        subject.deal = run->saved.deal < run->saved.n ? run->saved.deal : 0;
    }
    status = sb_trial_start(&subject, &waiting, run->error, &run->trial);
    if (status)
        return status;
    run->watch->gate.kind = run->trial.kind;
    run->watch->gate.name = strdup(run->trial.name);
    if (!run->watch->gate.name)
        return sb_error_memory(run->error, "a subject");
    if (run->saved.there)
        status = watch_begin(run, run->saved.n, run->saved.deal);
    if (status == SB_OK)
        status = watch_pass(run);
    return status;
}

enum sb_status sb_watch_new(const struct sb_subject *subject, const struct sb_watch_options *options,
                            struct sb_error *error, struct sb_watch **watch)
{
    struct sb_gate_options usual;
    struct sb_watch_run run = { .subject = subject, .options = options, .error = error, .held = -1 };
    enum sb_status status = sb_watch_check(subject, options, error);
    bool begun = false;

    if (status)
        return status;
    sb_gate_options_init(&usual);
    run.terms = (struct sb_gate_terms) {
        .alpha = options->alpha, .delta = options->delta, .exclude = usual.exclude, .limit = usual.limit
    };
    run.watch = calloc(1, sizeof *run.watch);
    if (!run.watch)
        return sb_error_memory(error, "a watch");
    run.watch->window = options->window;
    run.watch->ln_sum = -HUGE_VAL;
    run.watch->gate.terms = run.terms;
    run.watch->gate.tv_high = 1;
    run.watch->gate.chained = subject->chained;
    run.next_save = sb_clock_now() + options->checkpoint;
    status = sb_watch_read(&run);
    if (status == SB_OK)
        status = watch_start(&run);
    if (status == SB_OK)
        status = sb_watch_first(&run);
    begun = status == SB_OK;
    if (status == SB_OK)
        status = watch_go_on(&run);
    if (begun)
        status = sb_watch_end(&run, status);
    if (status == SB_OK)
        status = sb_watch_conclude(&run);
    if (run.held >= 0)
        close(run.held);
    sb_watch_saved_close(&run.saved);
    sb_detector_close(&run.detector);
    sb_tallies_close(&run.tallies);
    sb_trial_close(&run.trial);
    if (status)
        sb_watch_free(run.watch);
    else
        *watch = run.watch;
    return status;
}

void sb_watch_free(struct sb_watch *watch)
{
    if (!watch)
        return;
    sb_gate_close(&watch->gate);
    free(watch->sentence);
    free(watch);
}

void sb_watch_summary_get(const struct sb_watch *watch, struct sb_watch_summary *summary)
{
    *summary = (struct sb_watch_summary) {
        .total = watch->total,
        .alarms = watch->alarms,
        .ln_e = watch->gate.ln_e,
        .tv_low = watch->gate.tv_low,
        .tv_high = watch->gate.tv_high,
        .interrupted = watch->interrupted,
        .sentence = watch->sentence,
    };
}
