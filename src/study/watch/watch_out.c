/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes metrics and checkpoints when they are due by the clock, even while the subject is silent; neither affects
 * alarms. A full disk does not end the watch: it tries again when the next write is due, and reports the failure once,
 * 30 seconds after the first. If a followed log cannot be read, the watch ends sooner than that. So if a server with
 * both the log and the files fails, the watch ends with a single error line. */
#include "core/system.h"
#include "study/watch/watch.h"

static enum sb_status watch_save(struct sb_watch_run *run, struct sb_error *error)
{
    const struct sb_watch *const watch = run->watch;
    const struct sb_request *const options = run->options;
    const struct sb_feed *const feed = run->feed;
    struct sb_saved saved = {
        .version = SB_VERSION,
        .command = "watch",
        .subject = { watch->gate.kind, watch->gate.name, sb_subject_words(run->subject) },
        .asked = sb_saved_request(options, run->subject, watch->gate.n, watch->gate.deal),
        .seats = feed->seats ? "bridge" : NULL,
        .alarms = watch->alarms,
        .alarm_total = watch->alarm_total,
        .last = (uint64_t)watch->last,
        .fingerprints = run->fingerprints,
        .detector = options->window ? &run->detector : NULL,
    };
    const bool first = run->lock < 0;
    enum sb_status status;

    sb_fingerprints_add(&saved.fingerprints, &run->fingerprint);
    if (feed->position)
        feed->position(feed, &saved.position);
    sb_tallies_read(&run->tallies);
    if (sb_snapshot_take(&run->tallies, watch->total, &saved.snapshot))
        return sb_error_memory(error, "saved evidence");
    status = sb_saved_write(options->save, &saved, NULL, &run->lock, error);
    sb_snapshot_close(&saved.snapshot);
    return status == SB_INVALID && first ? sb_file_lock_busy(options->save, error) : status;
}

enum sb_status sb_watch_read(struct sb_watch_run *run)
{
    const char *const path = run->options->save;
    enum sb_status status;
    struct stat about;
    bool there = false;

    if (!path || (sb_file_status(path, true, &there, &about) == 0 && !there))
        return SB_OK; /* if sb_file_status() failed, a later call fails, too, and reports an error */
    status = sb_saved_new(path, SB_WATCH, true, "restore it, or delete it to begin anew", run->error, &run->saved);
    if (status == SB_OK)
        status =
            sb_saved_agrees(run->saved, run->options, "use the same, or name another file", run->error, run->subject);
    if (status == SB_OK)
        status = sb_saved_hold(run->saved, run->error, &run->lock);
    if (status == SB_OK)
        run->fingerprints = run->saved->fingerprints;
    return status;
}

/* Restores those levels of the detector that began together, from the saved tallies at their start. Returns
 * false if the saved tallies do not fit the tallies of the watch. */
static bool save_resume_levels(struct sb_watch_run *run, const struct sb_watch_start *start)
{
    const size_t count = sb_tallies_counted(&run->tallies);
    const struct sb_snapshot *const snapshot = &start->snapshot;
    struct sb_tally then[SB_SNAPSHOT_STATISTICS_MOST];

    if (count > SB_SNAPSHOT_STATISTICS_MOST || snapshot->counts_count != count ||
        snapshot->watched != sb_tallies_repeated(&run->tallies) ||
        start->bets + (snapshot->watched ? SB_BIRTHDAY_ALTERNATIVES : 0) != run->detector.bets)
        return false;
    memcpy(then, run->tallies.tally, count * sizeof then[0]);
    if (!sb_counts_lend(snapshot->counts, count, then))
        return false;
    for (unsigned k = 0; k < SB_DETECTOR_LEVELS; k++) {
        struct sb_detector_level *const level = &run->detector.level[k];
        uint64_t *to = level->count;
        double *bet = level->bet;

        if (!(start->levels >> k & 1))
            continue;
        level->start = snapshot->total;
        for (size_t i = 0; i < count; i++) {
            const size_t cells = then[i].members * then[i].cells;

            for (size_t cell = 0; cell < cells; cell++)
                if (then[i].count[cell] > run->tallies.tally[i].count[cell])
                    return false;
            level->total[i] = then[i].total;
            memcpy(to, then[i].count, cells * sizeof to[0]);
            to += cells;
        }
        if (snapshot->watched) {
            memcpy(bet, snapshot->birthday.ln_e, sizeof snapshot->birthday.ln_e);
            bet += SB_BIRTHDAY_ALTERNATIVES;
        }
        if (start->bets)
            memcpy(bet, start->bet, start->bets * sizeof bet[0]);
    }
    return true;
}

enum sb_status sb_watch_resume(struct sb_watch_run *run)
{
    const struct sb_saved *const saved = run->saved;
    struct sb_watch *const watch = run->watch;
    bool well = sb_snapshot_resume(&saved->snapshot, &run->tallies);

    for (size_t i = 0; well && i < saved->starts; i++)
        well = save_resume_levels(run, &saved->start[i]);
    if (!well)
        return sb_error_set(run->error, SB_IO,
                            "'%.200s' is no sound evidence of a watch: its counts are of other statistics, "
                            "or of other cells: use the version that wrote it, or name another file",
                            run->options->save);
    if (!saved->position.inode && !run->subject->scheme)
        run->tallies.step.begun = false; /* there is no step from the last run to this run */
    if (!sb_tallies_remember_last(&run->tallies))
        return sb_error_memory(run->error, "a permutation");
    watch->total = watch->carried = saved->snapshot.total;
    watch->alarms = saved->alarms;
    watch->alarm_total = run->detector.alarm = saved->alarm_total;
    watch->last = (double)saved->last;
    return SB_OK;
}

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

/* A watch as metrics, in the text format of Prometheus, version 0.0.4. Each metric has a HELP and a TYPE line. A
 * number that is unknown is NaN, and infinite evidence is +Inf.
 * https://prometheus.io/docs/instrumenting/exposition_formats/ */

static void metrics_family(FILE *stream, const char *name, const char *type, const char *help)
{
    fprintf(stream, "# HELP shufflebias_%s %s\n# TYPE shufflebias_%s %s\n", name, help, name, type);
}

static void metrics_label(FILE *stream, const char *name, const char *text)
{
    fprintf(stream, "%s=\"", name);
    for (; *text; text++)
        if (*text == '\n')
            fputs("\\n", stream);
        else if (*text == '"' || *text == '\\')
            fprintf(stream, "\\%c", *text);
        else
            fputc(*text, stream);
    fputc('"', stream);
}

/* Begins a line with "shufflebias_NAME{subject="..."", without the closing brace. */
static void metrics_begin(const struct sb_watch *watch, FILE *stream, const char *name)
{
    fprintf(stream, "shufflebias_%s{", name);
    metrics_label(stream, "subject", watch->gate.name ? watch->gate.name : "");
}

static void metrics_real(FILE *stream, double x)
{
    if (isnan(x))
        fputs("} NaN\n", stream);
    else if (isinf(x))
        fputs(x > 0 ? "} +Inf\n" : "} -Inf\n", stream);
    else
        sb_print(stream, "} %.17g\n", x);
}

static void metrics_of(const struct sb_watch *watch, FILE *stream, const char *name, const char *type, const char *help,
                       double x)
{
    metrics_family(stream, name, type, help);
    metrics_begin(watch, stream, name);
    metrics_real(stream, x);
}

static double metrics_ln_e(const struct sb_gate_line line[], size_t count)
{
    double most = -HUGE_VAL, sum = 0;

    for (size_t i = 0; i < count; i++)
        most = fmax(most, line[i].ln_e);
    for (size_t i = 0; i < count && !isinf(most); i++)
        sum += exp(line[i].ln_e - most) / (double)count;
    return isinf(most) ? most : most + log(sum);
}

static void metrics_statistics(const struct sb_watch *watch, FILE *stream)
{
    static const char name[] = "statistic_ln_e";
    const struct sb_gate *const gate = &watch->gate;

    if (gate->lines_count == 0)
        return;
    metrics_family(stream, name, "gauge",
                   "Evidence of one statistic against a fair shuffle, ln E, averaged over its members.");
    for (size_t i = 0; i < gate->lines_count; i += gate->line[i].members) {
        const struct sb_gate_line *const line = &gate->line[i];

        metrics_begin(watch, stream, name);
        fputc(',', stream);
        metrics_label(stream, "statistic", line->statistic);
        fputc(',', stream);
        metrics_label(stream, "of", line->lag ? "increments" : "permutations");
        metrics_real(stream, metrics_ln_e(line, line->members));
    }
}

static enum sb_status watch_metrics(const void *what, FILE *stream)
{
    const struct sb_watch *const watch = what;
    const struct sb_gate *const gate = &watch->gate;

    metrics_of(watch, stream, "permutations_total", "counter", "Permutations seen.", (double)watch->total);
    metrics_of(watch, stream, "last_permutation_timestamp_seconds", "gauge",
               "When the last permutation came, in seconds since 1970; 0 before the first.", watch->last);
    metrics_of(watch, stream, "alarms_total", "counter", "Alarms raised.", (double)watch->alarms);
    metrics_of(watch, stream, "log_gaps_total", "counter",
               "How often since the start a part of the log was lost, or may have been.", (double)watch->gaps);
    metrics_of(watch, stream, "alarm_ln_e", "gauge", "The evidence at which an alarm is raised, ln(1/alpha).",
               -log(gate->terms.alpha));
    metrics_of(watch, stream, "ln_e", "gauge",
               "Evidence of all permutations against a fair shuffle, ln E, averaged over all statistics.", gate->ln_e);
    if (watch->window)
        metrics_of(watch, stream, "window_ln_sum", "gauge",
                   "Evidence for a change, ln of the e-detector's sum over all levels.", watch->ln_sum);
    metrics_of(watch, stream, "total_variation_lower_bound", "gauge", "Total variation from fair is at least this.",
               gate->tv_low);
    metrics_of(watch, stream, "total_variation_upper_bound", "gauge",
               "Total variation from fair is at most this, in what is tested.", gate->tv_high);
    if (watch->compared) {
        metrics_of(watch, stream, "repeated_decks_total", "counter",
                   "Whole decks that had come up before, among those that are compared.", (double)gate->repeats);
        metrics_of(watch, stream, "compared_decks_ratio", "gauge",
                   "The share of all decks that is compared, by their hash.", 1 / (double)watch->compared);
    }
    metrics_statistics(watch, stream);
    return SB_OK;
}

enum sb_status sb_watch_refresh(struct sb_watch_run *run)
{
    struct sb_gate *const gate = &run->watch->gate;

    if (!run->ready)
        return SB_OK;
    sb_tallies_read(&run->tallies);
    gate->repeats = run->tallies.birthday.repeats;
    const size_t last = gate->points_count - 1; /* a watch keeps few points, for numbers that grow by 2% */

    if (run->options->window)
        gate->points_count = 0;
    else if (last && gate->points_count && gate->point[last].total < gate->point[last - 1].total / 50 * 51)
        gate->points_count--;
    if (run->options->window)
        run->watch->ln_sum = sb_detector_ln_sum(&run->detector, run->tallies.tally);
    return sb_gate_look(run->tallies.tally, run->tallies.count, gate)
               ? sb_error_memory(run->error, "a look of the watch")
               : SB_OK;
}

/* Notes the result of an attempt to write a file. The attempt started at the time `began`. A failed attempt may take
 * seconds, because replacing a file is retried (core/system.h). A watch spends at most a tenth of its time on a file
 * that it cannot write. */
static enum sb_status watch_note(const struct sb_watch_run *run, struct sb_watch_file *file, double began, double every,
                                 enum sb_status status, const struct sb_error *error)
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

static enum sb_status watch_write_metrics(const struct sb_watch_run *run, struct sb_error *error)
{
    return sb_atomic_file_replace(run->options->metrics, false, watch_metrics, run->watch, NULL, NULL, error);
}

static enum sb_status watch_put_metrics(struct sb_watch_run *run, struct sb_error *error)
{
    const double began = sb_clock_now();

    return watch_note(run, &run->metrics, began, run->options->interval, watch_write_metrics(run, error), error);
}

static enum sb_status watch_put_save(struct sb_watch_run *run, struct sb_error *error)
{
    const double began = sb_clock_now();

    return watch_note(run, &run->checkpoint, began, run->options->checkpoint, watch_save(run, error), error);
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
    return watch_save(run, run->error);
}

enum sb_status sb_watch_first(struct sb_watch_run *run)
{
    if (!run->options->metrics)
        return SB_OK;
    const enum sb_status status = sb_watch_refresh(run);

    return status ? status : watch_write_metrics(run, run->error);
}

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
