/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A watch from its file. Nothing in it is believed: every field has to be there, of its type and in its
 * range, no other may be, and the checksum has to hold.
 */
#include "study/watch/watch.h"

#include "core/error.h"
#include "core/permutation.h"
#include "core/system/file_calls.h"
#include "store/atomic_file.h"
#include "store/checksummed_file.h"
#include "store/file_lock.h"
#include "store/json_field.h"
#include "subject/mismatch.h"

#include <stdlib.h>
#include <string.h>

void sb_watch_saved_close(struct sb_watch_saved *saved)
{
    for (size_t i = 0; i < saved->starts; i++)
        sb_snapshot_close(&saved->start[i].seen);
    free(saved->start);
    sb_snapshot_close(&saved->seen);
    sb_input_format_close(&saved->reading);
    *saved = (struct sb_watch_saved) { .there = false };
}

/* The subject is completed by what is there. */
static void read_subject(struct sb_json_field_reader *in, const json_t *object, struct sb_watch_run *run,
                         struct sb_mismatch *differs)
{
    static const char *const fields[] = { "name",  "kind", "words", "seed", "chained",
                                          "input", "base", "cards", "free", NULL };
    struct sb_subject *const subject = run->subject;
    const json_t *const words = json_object_get(object, "words"), *const seed =
                                                                      json_object_get(object, "seed");
    char *name, *kind;
    uint64_t hash;

    if (!sb_json_field_enter(in, "subject", object, fields))
        return;
    name = sb_json_field_string(in, object, "name", false);
    kind = sb_json_field_string(in, object, "kind", false);
    hash = json_is_null(words) ? 0 : sb_json_field_hash(in, "words", words);
    if (in->status == SB_OK)
        in->status = sb_subject_differs(subject, kind, name, hash, in->error, differs);
    if (!json_is_null(seed))
        sb_mismatch_integer(differs, "seed", sb_json_field_integer(in, object, "seed", 0, INT64_MAX),
                            subject->seed);
    sb_input_format_take(in, object, &run->saved.reading);
    if (!subject->scheme)
        sb_input_format_fill(&run->saved.reading, subject);
    sb_input_format_differs(&run->saved.reading, subject, differs);
    free(name);
    free(kind);
    in->place[0] = '\0';
}

/* What the watch was asked for, which has to be the same. */
static void read_asked(struct sb_json_field_reader *in, const json_t *top, struct sb_watch_run *run,
                       struct sb_watch_saved *saved)
{
    const struct sb_watch_options *const options = run->options;
    struct sb_subject *const subject = run->subject;
    struct sb_mismatch differs = { 0 };
    char *profile;

    read_subject(in, json_object_get(top, "subject"), run, &differs);
    saved->n = sb_json_field_size(in, top, "n", 2, SB_ITEMS_MOST);
    saved->deal = sb_json_field_size(in, top, "deal", 1, saved->n);
    sb_mismatch_integer(&differs, "n", saved->n, subject->n ? subject->n : saved->n);
    sb_mismatch_integer(&differs, "deal", saved->deal, subject->deal ? subject->deal : saved->deal);
    subject->n = saved->n;
    subject->deal = saved->deal < saved->n ? saved->deal : 0;
    sb_mismatch_real(&differs, "alpha", sb_json_field_level(in, top, "alpha"), run->terms.alpha);
    sb_mismatch_real(&differs, "delta", sb_json_field_level(in, top, "delta"), run->terms.delta);
    profile = sb_json_field_string(in, top, "profile", true);
    sb_mismatch_text(&differs, "profile", profile, options->profile);
    free(profile);
    sb_mismatch_bool(&differs, "increments", sb_json_field_bool(in, top, "increments"), options->increments);
    sb_mismatch_bool(&differs, "window", sb_json_field_bool(in, top, "window"), options->window);
    if (in->status == SB_OK)
        in->status = sb_mismatch_say(&differs, in->path, "use the same, or name another file", in->error);
}

static void read_bookmark(struct sb_json_field_reader *in, const json_t *object,
                          struct sb_log_position *bookmark)
{
    static const char *const fields[] = { "inode", "offset", "head", "hash", NULL };

    if (json_is_null(object) || !sb_json_field_enter(in, "bookmark", object, fields))
        return;
    bookmark->inode = sb_json_field_hash(in, "inode", json_object_get(object, "inode"));
    bookmark->offset = sb_json_field_integer(in, object, "offset", 0, INT64_MAX);
    bookmark->head = sb_json_field_integer(in, object, "head", 0, SB_LOG_POSITION_HEAD);
    bookmark->hash = sb_json_field_hash(in, "hash", json_object_get(object, "hash"));
    in->place[0] = '\0';
}

/* The levels that started at one place. */
static void read_start(struct sb_json_field_reader *in, const json_t *object, size_t i,
                       struct sb_watch_saved *saved)
{
    static const char *const fields[] = { "start", "levels", "tallies", "places", "repeats", NULL };
    struct sb_watch_start *const start = &saved->start[i];
    const json_t *levels;
    uint64_t total;

    if (!sb_json_field_enter_at(in, "starts", i, object, fields))
        return;
    total = sb_json_field_integer(in, object, "start", 1, saved->seen.total);
    levels = sb_json_field_array(in, object, "levels", SB_DETECTOR_LEVELS);
    for (size_t j = 0; j < json_array_size(levels); j++) {
        const json_t *const level = json_array_get(levels, j);
        const json_int_t k = json_is_integer(level) ? json_integer_value(level) : -1;

        if (k < 0 || k >= SB_DETECTOR_LEVELS || total & ((UINT64_C(1) << k) - 1))
            sb_json_field_fail(in, "levels", "must be levels that start there");
        else
            start->levels |= UINT64_C(1) << k;
    }
    if (in->status == SB_OK)
        sb_snapshot_read(in, object, saved->n, total, &start->seen);
    in->place[0] = '\0';
}

/* All but how the runs began; a schema of its own has other fields. */
static void read_whole(struct sb_json_field_reader *in, const json_t *top, const char *const fields[],
                       struct sb_watch_run *run)
{
    struct sb_watch_saved *const saved = &run->saved;
    const json_t *starts;
    uint64_t total;

    if (!sb_json_field_enter(in, "", top, fields))
        return;
    read_asked(in, top, run, saved);
    total = sb_json_field_integer(in, top, "total", 1, INT64_MAX);
    saved->alarms = sb_json_field_integer(in, top, "alarms", 0, total);
    saved->alarm_total = sb_json_field_integer(in, top, "alarm_total", 0, total);
    saved->last = (double)sb_json_field_integer(in, top, "last", 0, INT64_MAX);
    if (in->status == SB_OK)
        read_bookmark(in, json_object_get(top, "bookmark"), &saved->bookmark);
    if (in->status == SB_OK)
        sb_snapshot_read(in, top, saved->n, total, &saved->seen);
    in->place[0] = '\0';
    starts = sb_json_field_array(in, top, "starts", SB_DETECTOR_LEVELS);
    saved->start = sb_json_field_room(in, starts ? json_array_size(starts) : 0, sizeof saved->start[0]);
    for (; in->status == SB_OK && saved->starts < json_array_size(starts); saved->starts++)
        read_start(in, json_array_get(starts, saved->starts), saved->starts, saved);
}

static const char *const read_fields[] = { "uncounted", "schema",   "version", "subject",     "n",
                                           "deal",      "alpha",    "delta",   "profile",     "increments",
                                           "window",    "total",    "alarms",  "alarm_total", "last",
                                           "bookmark",  "openings", "tallies", "places",      "repeats",
                                           "starts",    "checksum", NULL };

static void read_top(struct sb_json_field_reader *in, const json_t *top, void *into)
{
    struct sb_watch_run *const run = into;

    read_whole(in, top, read_fields, run);
    if (in->status == SB_OK)
        sb_fingerprints_read(in, top, &run->saved.openings);
}

/*
 * Schema 1 has no `uncounted`. Runs of a command, a pipe or a function, which `openings` lists, counted all
 * of their permutations, and those of fewer than SB_FINGERPRINT_DECKS were dropped. So their evidence holds only if no
 * run's length depended on its permutations, which the file cannot show.
 */
static void read_top_1(struct sb_json_field_reader *in, const json_t *top, void *into)
{
    struct sb_watch_run *const run = into;

    read_whole(in, top, read_fields + 1, run);
    if (in->status == SB_OK)
        sb_fingerprints_read_1(in, top, &run->saved.openings);
    if (run->saved.openings.count)
        sb_json_field_fail(in, "openings", "of schema 1 adds up runs of which short ones were dropped");
}

enum sb_status sb_watch_read(struct sb_watch_run *run)
{
    static const struct sb_checksummed_form forms[] = {
        { "shufflebias.watching/2", read_top },
        { "shufflebias.watching/1", read_top_1 },
    };
    const char *const path = run->options->save;
    enum sb_status status;
    struct stat about;
    bool there = false;

    if (!path || (sb_file_status(path, true, &there, &about) == 0 && !there))
        return SB_OK; /* what fails here fails below, too, with a line */
    status = sb_file_lock_open(path, run->error, &run->held);
    if (status == SB_OK)
        status = sb_checksummed_read(path, forms, sizeof forms / sizeof forms[0],
                                     "restore it, or delete it to begin anew", run, run->error, NULL);
    run->saved.there = status == SB_OK;
    if (status == SB_OK)
        sb_atomic_file_clean(path);
    return status;
}

/* Puts what was there when levels started into the detector; false where it has another shape. */
static bool read_levels(struct sb_watch_run *run, const struct sb_watch_start *start)
{
    const size_t count = run->tallies.count - (run->tallies.repeat ? 1 : 0);
    const struct sb_snapshot *const seen = &start->seen;
    struct sb_tally then[SB_SNAPSHOT_STATISTICS_MOST];

    if (count > SB_SNAPSHOT_STATISTICS_MOST || seen->counts_count != count ||
        seen->watched != (run->tallies.repeat != NULL))
        return false;
    memcpy(then, run->tallies.tally, count * sizeof then[0]);
    if (!sb_counts_lend(seen->counts, count, then))
        return false;
    for (unsigned k = 0; k < SB_DETECTOR_LEVELS; k++) {
        struct sb_detector_level *const level = &run->detector.level[k];
        uint64_t *to = level->count;

        if (!(start->levels >> k & 1))
            continue;
        level->start = seen->total;
        for (size_t i = 0; i < count; i++) {
            const size_t cells = then[i].members * then[i].cells;

            for (size_t cell = 0; cell < cells; cell++)
                if (then[i].count[cell] > run->tallies.tally[i].count[cell])
                    return false;
            level->total[i] = then[i].total;
            memcpy(to, then[i].count, cells * sizeof to[0]);
            to += cells;
        }
        memcpy(level->repeat, seen->birthday.ln_e, sizeof level->repeat);
    }
    return true;
}

enum sb_status sb_watch_resume(struct sb_watch_run *run)
{
    const struct sb_watch_saved *const saved = &run->saved;
    struct sb_watch *const watch = run->watch;
    bool well = sb_snapshot_resume(&saved->seen, &run->tallies);

    for (size_t i = 0; well && i < saved->starts; i++)
        well = read_levels(run, &saved->start[i]);
    if (!well)
        return sb_error_set(
            run->error, SB_IO,
            "'%.200s' is no sound evidence of a watch: its counts are of other statistics, or "
            "of other cells: use the version that wrote it, or name another file",
            run->options->save);
    if (!saved->bookmark.inode && !run->subject->scheme)
        run->tallies.step.begun = false; /* what comes is no step from what came last */
    watch->total = watch->carried = saved->seen.total;
    watch->alarms = saved->alarms;
    watch->alarm_total = saved->alarm_total;
    watch->last = saved->last;
    return SB_OK;
}
