/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How permutations come to a watch. A scheme goes on where it was, and so does a file; but what a command, a
 * pipe or a function gives is added to what was there, and has to be of another run, which its first
 * permutations show (study/run/run_start.h).
 */
#include "study/watch/watch.h"

#include "core/error.h"

#include <time.h>

/* Whether what comes is, or will be, in a file with what other runs give. */
static bool gather_shared(const struct sb_watch_run *run)
{
    return run->options->save && !run->subject->scheme && !run->trial.feed->bookmark;
}

/* Reads the first permutations of such a run, which are not counted, and says so where there are no more. */
static enum sb_status gather_first(struct sb_watch_run *run)
{
    const char *const name = run->trial.name, *const path = run->options->save;
    struct sb_fingerprint *const opening = &run->opening;
    const enum sb_status status =
        sb_first_read(&run->trial, run->options->stop, run->error, &run->tallies, opening);
    char line[512];

    if (sb_fingerprints_have(&run->saved.openings, opening)) {
        *opening = (struct sb_fingerprint) { .seen = 0 }; /* it adds nothing */
        run->tallies.step.begun = false;
        return sb_first_twice(name, path, run->error);
    }
    if (opening->seen && opening->seen < SB_FINGERPRINT_DECKS && (status == SB_OK || status == SB_STOPPED)) {
        snprintf(line, sizeof line,
                 "%.100s: %s after %zu permutation%s, which add nothing to '%.200s': the first %d of a run "
                 "that adds to earlier ones only serve to recognise it",
                 name, status ? "stopped" : "ended", opening->seen, opening->seen == 1 ? "" : "s", path,
                 SB_FINGERPRINT_DECKS);
        sb_watch_tell(run, line);
    }
    return status;
}

/* The next permutations, in the trial. */
static enum sb_status gather_next(struct sb_watch_run *run, uint64_t most)
{
    const bool first = run->opening.adds && run->opening.seen < SB_FINGERPRINT_DECKS;
    const enum sb_status status = first ? gather_first(run) : SB_OK;

    if (status || (first && run->opening.seen < SB_FINGERPRINT_DECKS)) /* it has ended */
        return status;
    return sb_trial_next(&run->trial, most < SIZE_MAX ? (size_t)most : SIZE_MAX, run->error);
}

enum sb_status sb_watch_gather(struct sb_watch_run *run, uint64_t most, bool *end)
{
    const volatile sig_atomic_t *const stop = run->options->stop;
    struct sb_trial *const trial = &run->trial;
    enum sb_status status = SB_OK;

    if (trial->count == 0)
        status = gather_next(run, most);
    run->watch->interrupted = status == SB_STOPPED || (stop && *stop);
    if (status == SB_STOPPED)
        trial->count = 0;
    else if (status)
        return status;
    *end = run->watch->interrupted || trial->count == 0;
    if (*end && !run->ready && !run->watch->interrupted)
        return sb_trial_check(trial, run->error);
    if (trial->count == 0)
        return SB_OK;
    const bool first = run->watch->total == run->watch->carried;

    if (!run->ready) {
        status = sb_trial_check(trial, run->error);
        if (status == SB_OK)
            status = sb_watch_play(run, trial->feed->n, trial->feed->deal);
        if (status)
            return status;
    }
    if (gather_shared(run))
        sb_fingerprint_see(&run->opening, trial->items, trial->count, run->tallies.deal);
    sb_tallies_add(&run->tallies, trial->items, trial->count);
    run->watch->total += trial->count;
    run->watch->last = (double)time(NULL);
    trial->count = 0;
    if (first)
        status = sb_watch_first_save(run);
    sb_watch_idle(run);
    return status;
}

enum sb_status sb_watch_pass(struct sb_watch_run *run)
{
    uint64_t left = run->subject->scheme ? run->watch->carried : 0;
    enum sb_status status = SB_OK;

    run->opening.adds = run->watch->carried > 0 && gather_shared(run);
    if (left > 0 && run->trial.feed->skip)
        left -= run->trial.feed->skip(run->trial.feed, left);
    while (status == SB_OK && left > 0) {
        status = sb_trial_next(&run->trial, left < SIZE_MAX ? (size_t)left : SIZE_MAX, run->error);
        left -= status == SB_OK ? run->trial.count : 0;
        run->trial.count = 0;
    }
    run->watch->interrupted = status == SB_STOPPED;
    return run->watch->interrupted ? SB_OK : status;
}
