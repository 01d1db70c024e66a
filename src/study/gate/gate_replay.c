/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A gate goes on from saved evidence. A scheme and a recording begin anew with the permutations that were
 * seen: these are passed over, whole decks kept to compare later ones with, and the last ones remembered that
 * steps lead from, so that the run ends as one that was never interrupted. Of a program, a pipe or a function
 * nothing comes twice: what comes after its first permutations (study/run/run_start.h) is added, and the
 * decks of earlier runs are forgotten.
 *
 * Cost: what it takes to have the permutations; where only counts go on, and the generator has a counter, of
 * a block of them.
 */
#include "study/gate/gate_run.h"

#include "core/error.h"

/* The next of the permutations that are passed over. */
static enum sb_status replay_next(struct sb_gate_run *run, uint64_t *left)
{
    struct sb_trial *const trial = &run->trial;
    struct sb_feed *const feed = trial->feed;
    const volatile sig_atomic_t *const stop = run->options->stop;
    const uint64_t remembered = run->tallies.lags ? SB_LAGS_FARTHEST : 0;
    enum sb_status status = SB_OK;

    if (feed->skip && !run->tallies.repeat && run->opening.seen == SB_FINGERPRINT_DECKS && *left > remembered)
        *left -= feed->skip(feed, *left - remembered);
    if (*left && trial->count == 0)
        status = sb_trial_next(trial, *left < SIZE_MAX ? (size_t)*left : SIZE_MAX, run->error);
    run->interrupted = status == SB_STOPPED || (stop && *stop);
    if (status == SB_STOPPED)
        trial->count = 0;
    else if (status)
        return status;
    if (*left && trial->count == 0 && !run->interrupted)
        return sb_error_set(
            run->error, SB_SUBJECT,
            "%.100s: has only %llu of the %llu permutations that '%.200s' speaks of: give the same again",
            trial->name, (unsigned long long)(run->total - *left), (unsigned long long)run->total,
            run->options->saved->path);
    return SB_OK;
}

/* Whether the first permutations were those of the run that is gone on with. */
static bool replay_same(const struct sb_gate_run *run)
{
    return run->openings.count == 0 || run->opening.seen < SB_FINGERPRINT_DECKS ||
           (run->openings.count == 1 && run->openings.hash[0] == run->opening.hash);
}

static enum sb_status replay_pass(struct sb_gate_run *run)
{
    struct sb_trial *const trial = &run->trial;
    uint64_t left = run->total;
    enum sb_status status = SB_OK;

    while (status == SB_OK && left && !run->interrupted) {
        status = replay_next(run, &left);
        if (status || left == 0)
            break;
        sb_fingerprint_see(&run->opening, trial->items, trial->count, run->deal);
        for (size_t i = 0; run->tallies.repeat && i < trial->count; i++)
            sb_repeat_see(run->tallies.repeat, trial->items + i * run->deal);
        if (run->tallies.lags)
            sb_lags_recall(run->tallies.lags, trial->items, trial->count);
        left -= trial->count;
        trial->count = 0;
        if (!replay_same(run))
            return sb_error_set(run->error, SB_SUBJECT,
                                "%.100s: its first %d permutations are not those of the run that '%.200s' "
                                "holds: give the same again",
                                trial->name, SB_FINGERPRINT_DECKS, run->options->saved->path);
    }
    return status;
}

enum sb_status sb_gate_replay(struct sb_gate_run *run)
{
    const enum sb_status status = run->trial.replays ? replay_pass(run) : SB_OK;

    if (!run->trial.replays)
        run->tallies.step.begun = false;
    else if (status == SB_OK && run->opening.seen == SB_FINGERPRINT_DECKS)
        run->openings.count = 0; /* this is the run itself */
    run->seen = run->seen && status == SB_OK;
    return status;
}
