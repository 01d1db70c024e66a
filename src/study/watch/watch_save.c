/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A watch to its file: evidence, levels and bookmark together, so that they are of one moment, whatever ends
 * the program. Levels that started at the same place share what was there then. Numbers of 64 bits that are
 * no counts are in hexadecimal.
 */
#include "study/watch/watch.h"

#include "report/json_writer.h"
#include "store/atomic_file.h"
#include "store/checksummed_file.h"
#include "store/file_lock.h"

#include <string.h>

/* Where in a file it is; null where it is in none. */
static void save_bookmark(struct sb_json *json, const struct sb_feed *feed)
{
    struct sb_log_position bookmark = { .inode = 0 };

    if (feed->bookmark)
        feed->bookmark(feed, &bookmark);
    if (!bookmark.inode) {
        sb_json_null(json, "bookmark");
        return;
    }
    sb_json_object(json, "bookmark");
    sb_json_hash(json, "inode", bookmark.inode);
    sb_json_integer(json, "offset", bookmark.offset);
    sb_json_integer(json, "head", bookmark.head);
    sb_json_hash(json, "hash", bookmark.hash);
    sb_json_close(json);
}

/* What was there when a level started. */
static void save_level(struct sb_json *json, const struct sb_watch_run *run,
                       const struct sb_detector_level *level)
{
    struct sb_birthday then = { .decks = 0 };
    struct sb_tally tally;
    size_t from = 0;

    sb_json_array(json, "tallies", false);
    for (size_t i = 0; i < run->tallies.count && !ferror(json->stream); i++) {
        tally = run->tallies.tally[i];
        if (tally.ln_e)
            continue;
        tally.total = level->total[i];
        tally.count = level->count + from;
        from += tally.members * tally.cells;
        sb_counts_write(json, &tally);
    }
    sb_json_close(json);
    sb_json_null(json, "places");
    memcpy(then.ln_e, level->repeat, sizeof then.ln_e);
    sb_snapshot_write_repeats(json, run->tallies.repeat, &then);
}

/* The levels that have started, those with one start together. */
static void save_levels(struct sb_json *json, const struct sb_watch_run *run)
{
    const struct sb_detector_level *const level = run->detector.level;

    sb_json_array(json, "starts", false);
    for (unsigned k = 0; run->options->window && k < SB_DETECTOR_LEVELS; k++) {
        bool first = level[k].start > 0;

        for (unsigned j = 0; j < k; j++)
            first = first && level[j].start != level[k].start;
        if (!first)
            continue;
        sb_json_object(json, NULL);
        sb_json_integer(json, "start", level[k].start);
        sb_json_array(json, "levels", true);
        for (unsigned j = k; j < SB_DETECTOR_LEVELS; j++)
            if (level[j].start == level[k].start)
                sb_json_integer(json, NULL, j);
        sb_json_close(json);
        save_level(json, run, &level[k]);
        sb_json_close(json);
    }
    sb_json_close(json);
}

static enum sb_status save_write(const void *what, FILE *stream)
{
    const struct sb_watch_run *const run = what;
    const struct sb_watch *const watch = run->watch;
    struct sb_fingerprints openings = run->saved.openings;
    struct sb_json json = { .stream = stream };

    sb_fingerprints_add(&openings, &run->opening);
    sb_json_object(&json, NULL);
    sb_json_string(&json, "schema", "shufflebias.watching/2");
    sb_json_string(&json, "version", SB_VERSION);
    sb_input_format_write(&json, watch->gate.kind, watch->gate.name, run->subject);
    sb_json_integer(&json, "n", watch->gate.n);
    sb_json_integer(&json, "deal", watch->gate.deal);
    sb_json_real(&json, "alpha", run->terms.alpha);
    sb_json_real(&json, "delta", run->terms.delta);
    sb_json_string(&json, "profile", run->options->profile);
    sb_json_bool(&json, "increments", run->options->increments);
    sb_json_bool(&json, "window", run->options->window);
    sb_json_integer(&json, "total", watch->total);
    sb_json_integer(&json, "alarms", watch->alarms);
    sb_json_integer(&json, "alarm_total", watch->alarm_total);
    sb_json_integer(&json, "last", (uint64_t)watch->last);
    save_bookmark(&json, run->feed);
    sb_fingerprints_write(&json, &openings);
    sb_snapshot_write(&json, &run->tallies);
    save_levels(&json, run);
    return sb_checksummed_end(stream);
}

enum sb_status sb_watch_save(struct sb_watch_run *run, struct sb_error *error)
{
    const bool first = run->held < 0;
    enum sb_status status;

    sb_tallies_read(&run->tallies);
    status = sb_atomic_file_replace_held(run->options->save, save_write, run, &run->held, NULL, error);
    return status == SB_INVALID && first ? sb_file_lock_busy(run->options->save, error) : status;
}
