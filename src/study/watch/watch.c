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
#include "study/watch/watch.h"

#include "core/error.h"
#include "core/system/clock.h"
#include "gate/gate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The detector's look. */
static enum sb_status watch_look_window(struct sb_watch_run *run)
{
    const struct sb_birthday *const birthday = run->tallies.repeat ? &run->tallies.birthday : NULL;
    const struct sb_tally *const tally = run->tallies.tally;
    enum sb_status status = SB_OK;

    sb_tallies_read(&run->tallies);
    const bool alarm = sb_detector_look(&run->detector, tally, run->watch->total, birthday);

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
    bool end = watch->interrupted;

    while (status == SB_OK && !end && watch->total < most) {
        look = watch_next_look(run, look);
        const uint64_t next = look < most ? look : most;

        while (status == SB_OK && !end && watch->total < next)
            status = sb_watch_gather(run, run->ready ? next - watch->total : 1, &end);
        if (status == SB_OK && watch->total == look)
            status = options->window ? watch_look_window(run) : watch_look_whole(run);
    }
    return status;
}

/* Starts the subject where it was left. */
static enum sb_status watch_start(struct sb_watch_run *run)
{
    const struct sb_watch_options *const options = run->options;
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

    status = sb_trial_start(run->subject, &waiting, run->error, &run->trial);
    if (status)
        return status;
    run->watch->gate.kind = run->trial.kind;
    run->watch->gate.name = strdup(run->trial.name);
    if (!run->watch->gate.name)
        return sb_error_memory(run->error, "a subject");
    if (run->saved.there)
        status = sb_watch_play(run, run->saved.seen.n, run->saved.deal);
    if (status == SB_OK)
        status = sb_watch_pass(run);
    return status;
}

enum sb_status sb_watch_new(const struct sb_subject *subject, const struct sb_watch_options *options,
                            struct sb_error *error, struct sb_watch **watch)
{
    struct sb_gate_options usual;
    struct sb_subject own = *subject;
    struct sb_watch_run run = { .subject = &own, .options = options, .error = error, .held = -1 };
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
    run.checkpoint.due = sb_clock_now() + options->checkpoint;
    own.timeout = own.timeout > 0 ? own.timeout : INFINITY;
    status = sb_watch_read(&run);
    run.watch->gate.chained = own.chained;
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
