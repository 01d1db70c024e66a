/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes metrics and checkpoints when they are due by the clock. The watch writes metrics and checkpoints
 * even while the subject is silent, and neither ever affects alarms. A full disk does not end the watch: the
 * watch tries again when the next write is due. Once, 30 seconds after the first failure, the watch reports
 * that it cannot write the file. If a followed log cannot be read, the watch ends before these 30 seconds are
 * over. So if a server with both the log and the files fails, the watch ends with a single error line.
 */
#include "study/watch/watch.h"

#include "core/core.h"
#include "core/system.h"
#include "gate/gate.h"
#include "store/file/atomic_file.h"
#include "study/watch/watch_text.h"

#include <math.h>
#include <string.h>

enum {
    WATCH_PATIENCE = 30, /* seconds from the first failure to the report */
    /* if a failed attempt took t seconds, the next attempt begins at least WATCH_SPACING * t seconds later */
    WATCH_SPACING = 10,
};

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
    gate->points_count = 0; /* a watch keeps no points, because their number would be unlimited */
    if (run->options->window)
        run->watch->ln_sum = sb_detector_ln_sum(&run->detector, run->tallies.tally);
    return sb_gate_look(run->tallies.tally, run->tallies.count, gate)
               ? sb_error_memory(run->error, "a look of the watch")
               : SB_OK;
}

static enum sb_status watch_write_metrics(const void *what, FILE *stream)
{
    sb_watch_metrics(what, stream);
    return SB_OK;
}

/*
 * Notes the result of an attempt to write a file. The attempt started at the time `began`. A failed attempt
 * may take seconds, because replacing a file is retried (core/system.h). A watch spends at most a tenth
 * of its time on a file that it cannot write.
 */
static enum sb_status watch_note(const struct sb_watch_run *run, struct sb_watch_file *file, double began,
                                 double every, enum sb_status status, const struct sb_error *error)
{
    const double now = sb_clock_now();

    if (status == SB_OK) {
        *file = (struct sb_watch_file) { .due = now + every };
        return SB_OK;
    }
    file->due = now + fmax(every, WATCH_SPACING * (now - began));
    if (file->failed == 0)
        file->failed = began;
    if (!file->told && now - file->failed >= WATCH_PATIENCE) {
        sb_watch_tell(run, error->text);
        file->told = true;
    }
    return status;
}

static enum sb_status watch_put_metrics(struct sb_watch_run *run, struct sb_error *error)
{
    const double began = sb_clock_now();
    const enum sb_status status =
        sb_atomic_file_replace(run->options->metrics, false, watch_write_metrics, run->watch, error);

    return watch_note(run, &run->metrics, began, run->options->interval, status, error);
}

static enum sb_status watch_put_save(struct sb_watch_run *run, struct sb_error *error)
{
    const double began = sb_clock_now();
    const enum sb_status status = sb_watch_save(run, error);

    return watch_note(run, &run->checkpoint, began, run->options->checkpoint, status, error);
}

void sb_watch_idle(void *state)
{
    struct sb_watch_run *const run = state;
    const double now = sb_clock_now();
    struct sb_error error = { 0 };

    if (run->options->metrics && now >= run->metrics.due && sb_watch_refresh(run) == SB_OK)
        watch_put_metrics(run, &error);
    if (run->options->save && run->ready && now >= run->checkpoint.due)
        watch_put_save(run, &error);
    if (run->options->idle)
        run->options->idle(run->options->idle_state);
}

enum sb_status sb_watch_first_save(struct sb_watch_run *run)
{
    if (!run->options->save)
        return SB_OK;
    run->checkpoint.due = sb_clock_now() + run->options->checkpoint;
    return sb_watch_save(run, run->error);
}

enum sb_status sb_watch_first(struct sb_watch_run *run)
{
    enum sb_status status = run->options->metrics ? sb_watch_refresh(run) : SB_OK;

    if (status == SB_OK && run->options->metrics)
        status =
            sb_atomic_file_replace(run->options->metrics, false, watch_write_metrics, run->watch, run->error);
    return status;
}

/* Writes the last checkpoint and the last metrics; returns the first failure. */
static enum sb_status watch_put_last(struct sb_watch_run *run, struct sb_error *error)
{
    struct sb_error *const before = run->error;
    enum sb_status status = SB_OK;

    run->error = error; /* so that the final error of the watch is not overwritten */
    if (run->ready)
        status = sb_watch_refresh(run);
    run->error = before;
    if (status == SB_OK && run->options->save && run->ready && !run->sorted)
        status = watch_put_save(run, error);
    if (status == SB_OK && run->options->metrics)
        status = watch_put_metrics(run, error);
    return status;
}

enum sb_status sb_watch_end(struct sb_watch_run *run, enum sb_status status)
{
    struct sb_error error = { 0 };
    char first[sizeof error.text];

    run->metrics.told = run->checkpoint.told = true; /* the final error reports the failure */
    const enum sb_status written = watch_put_last(run, &error);

    if (!written)
        return status;
    if (status == SB_OK)
        return sb_error_set(run->error, written, "%s", error.text);
    snprintf(first, sizeof first, "%s", run->error->text);
    if (strcmp(first, error.text) == 0)
        return status;
    return sb_error_set(run->error, status, "%.250s; %.250s", first, error.text);
}
