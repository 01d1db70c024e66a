/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Saves the run of a watch to its file (store/evidence/watch_saved.h), reads the file, compares it with the
 * request, and resumes the run. */
#include "study/watch/watch.h"

#include "core/core.h"
#include "core/system.h"
#include "store/file/atomic_file.h"
#include "store/file/file_lock.h"
#include "subject/mismatch.h"

#include <string.h>

enum sb_status sb_watch_save(struct sb_watch_run *run, struct sb_error *error)
{
    const struct sb_watch *const watch = run->watch;
    const struct sb_watch_options *const options = run->options;
    const struct sb_feed *const feed = run->feed;
    struct sb_watch_saved saved = {
        .version = SB_VERSION,
        .subject = sb_subject_saved_of(watch->gate.kind, watch->gate.name, run->subject),
        .deal = watch->gate.deal,
        .alpha = run->terms.alpha,
        .delta = run->terms.delta,
        .profile = options->profile,
        .increments = options->increments,
        .window = options->window,
        .alarms = watch->alarms,
        .alarm_total = watch->alarm_total,
        .last = (uint64_t)watch->last,
        .fingerprints = run->saved.fingerprints,
        .snapshot = { .n = watch->gate.n, .total = watch->total, .tallies = &run->tallies },
        .detector = options->window ? &run->detector : NULL,
    };
    const bool first = run->lock < 0;
    enum sb_status status;

    sb_fingerprints_add(&saved.fingerprints, &run->fingerprint);
    if (feed->position)
        feed->position(feed, &saved.position);
    sb_tallies_read(&run->tallies);
    status = sb_watch_saved_write(options->save, &saved, &run->lock, error);
    return status == SB_INVALID && first ? sb_file_lock_busy(options->save, error) : status;
}

/* Checks that the file belongs to this watch. Fills in missing fields of the subject from the saved watch. */
static enum sb_status save_compare(struct sb_watch_run *run)
{
    const struct sb_watch_saved *const saved = &run->saved;
    const struct sb_watch_options *const options = run->options;
    struct sb_subject *const subject = run->subject;
    struct sb_mismatch differs = { 0 };
    const enum sb_status status = sb_subject_differs(subject, saved->subject.kind, saved->subject.name,
                                                     saved->subject.words, run->error, &differs);

    if (status)
        return status;
    if (!subject->scheme)
        sb_subject_saved_fill(&saved->subject, subject);
    const struct sb_watch_saved asked = {
        .subject = sb_subject_saved_of(NULL, NULL, subject),
        .snapshot = { .n = subject->n ? subject->n : saved->snapshot.n },
        .deal = subject->deal ? subject->deal : saved->deal,
        .alpha = run->terms.alpha,
        .delta = run->terms.delta,
        .profile = options->profile,
        .increments = options->increments,
        .window = options->window,
    };

    sb_store_compare(sb_watch_saved_fields, saved, &asked, &differs);
    subject->n = saved->snapshot.n;
    subject->deal = saved->deal < saved->snapshot.n ? saved->deal : 0;
    return sb_mismatch_say(&differs, options->save, "use the same, or name another file", run->error);
}

enum sb_status sb_watch_read(struct sb_watch_run *run)
{
    const char *const path = run->options->save;
    enum sb_status status;
    struct stat about;
    bool there = false;

    if (!path || (sb_file_status(path, true, &there, &about) == 0 && !there))
        return SB_OK; /* if sb_file_status() failed, a later call fails, too, and reports an error */
    status = sb_file_lock_open(path, run->error, &run->lock);
    if (status == SB_OK)
        status = sb_watch_saved_read(path, run->error, &run->saved);
    if (status == SB_OK)
        status = save_compare(run);
    if (status == SB_OK)
        sb_atomic_file_clean(path);
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
        snapshot->watched != (run->tallies.repeat != NULL) ||
        start->bets != (run->tallies.bettor ? SB_BETTOR_WEALTHS : 0))
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
        memcpy(bet, start->bet, start->bets * sizeof bet[0]);
    }
    return true;
}

enum sb_status sb_watch_resume(struct sb_watch_run *run)
{
    const struct sb_watch_saved *const saved = &run->saved;
    struct sb_watch *const watch = run->watch;
    bool well = sb_snapshot_resume(&saved->snapshot, &run->tallies);

    for (size_t i = 0; well && i < saved->starts; i++)
        well = save_resume_levels(run, &saved->start[i]);
    if (!well)
        return sb_error_set(
            run->error, SB_IO,
            "'%.200s' is no sound evidence of a watch: its counts are of other statistics, or "
            "of other cells: use the version that wrote it, or name another file",
            run->options->save);
    if (!saved->position.inode && !run->subject->scheme)
        run->tallies.step.begun = false; /* there is no step from the last run to this run */
    watch->total = watch->carried = saved->snapshot.total;
    watch->alarms = saved->alarms;
    watch->alarm_total = run->detector.alarm = saved->alarm_total;
    watch->last = (double)saved->last;
    return SB_OK;
}
