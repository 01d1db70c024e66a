/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What goes out of a watch by the clock: metrics and checkpoints. They are written while the subject is
 * silent, too, and never change what is decided. What cannot be written is said once, and tried again when it
 * is due: a watch does not end because a disk is full.
 */
#include "study/watch/watch.h"

#include "core/error.h"
#include "core/system/clock.h"
#include "gate/gate.h"
#include "store/atomic_file.h"
#include "store/checksummed_file.h"
#include "study/watch/watch_text.h"

void sb_watch_tell(const struct sb_watch_run *run, const char *line)
{
    if (run->options->tell)
        run->options->tell(run->options->tell_state, line);
}

enum sb_status sb_watch_refresh(struct sb_watch_run *run)
{
    struct sb_gate *const gate = &run->watch->gate;

    if (!run->ready)
        return SB_OK;
    sb_tallies_read(&run->tallies);
    gate->repeats = run->tallies.birthday.repeats;
    gate->points_count = 0; /* there is no end to them */
    if (run->options->window)
        run->watch->ln_sum = sb_detector_ln_sum(&run->detector, run->tallies.tally,
                                                run->tallies.repeat ? &run->tallies.birthday : NULL);
    return sb_gate_look(run->tallies.tally, run->tallies.count, gate)
               ? sb_error_memory(run->error, "a look of the watch")
               : SB_OK;
}

static enum sb_status watch_write_metrics(const void *what, FILE *stream)
{
    sb_watch_metrics(what, stream);
    return SB_OK;
}

/* Puts down the metrics, or the evidence; what fails is said once, and tried again when it is due. */
static enum sb_status watch_put_metrics(struct sb_watch_run *run, struct sb_error *error)
{
    const enum sb_status status = sb_replace(run->options->metrics, watch_write_metrics, run->watch, error);

    if (status && !run->told_metrics)
        sb_watch_tell(run, error->text);
    run->told_metrics = status != SB_OK;
    run->next_metrics = sb_clock_now() + run->options->interval;
    return status;
}

static enum sb_status watch_put_save(struct sb_watch_run *run, struct sb_error *error)
{
    const enum sb_status status = sb_watch_save(run, error);

    if (status && !run->told_save)
        sb_watch_tell(run, error->text);
    run->told_save = status != SB_OK;
    run->next_save = sb_clock_now() + run->options->checkpoint;
    return status;
}

void sb_watch_idle(void *state)
{
    struct sb_watch_run *const run = state;
    const double now = sb_clock_now();
    struct sb_error error = { 0 };

    if (run->options->metrics && now >= run->next_metrics && sb_watch_refresh(run) == SB_OK)
        watch_put_metrics(run, &error);
    if (run->options->save && run->ready && now >= run->next_save)
        watch_put_save(run, &error);
    if (run->options->idle)
        run->options->idle(run->options->idle_state);
}

enum sb_status sb_watch_first_save(struct sb_watch_run *run)
{
    if (!run->options->save)
        return SB_OK;
    run->next_save = sb_clock_now() + run->options->checkpoint;
    return sb_watch_save(run, run->error);
}

enum sb_status sb_watch_first(struct sb_watch_run *run)
{
    enum sb_status status = run->options->metrics ? sb_watch_refresh(run) : SB_OK;

    if (status == SB_OK && run->options->metrics)
        status = sb_replace(run->options->metrics, watch_write_metrics, run->watch, run->error);
    return status;
}

enum sb_status sb_watch_end(struct sb_watch_run *run, enum sb_status status)
{
    struct sb_error error = { 0 };
    enum sb_status written = run->ready ? sb_watch_refresh(run) : SB_OK;

    run->told_metrics = run->told_save = true;
    if (written == SB_OK && run->options->save && run->ready)
        written = watch_put_save(run, &error);
    if (written == SB_OK && run->options->metrics)
        written = watch_put_metrics(run, &error);
    if (status == SB_OK && written)
        return sb_error_set(run->error, written, "%s", error.text);
    return status;
}
