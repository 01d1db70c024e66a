/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads and writes a watch's evidence. The reader does not trust the file: every required field must be
 * present, of the right type and in range; there must be no other field; and the checksum must match. Levels
 * that started at the same moment share the tallies of that moment.
 */
#include "store/evidence/watch_saved.h"

#include "core/core.h"
#include "report/json_writer.h"
#include "store/checksummed_file.h"
#include "store/evidence/bettor_saved.h"

#include <stdlib.h>
#include <string.h>

static const char watch_schema[] = "shufflebias.watching/2";

/* ---- the position in a log; null if there is none ---- */

static const struct sb_store_field watch_position_fields[] = {
    { "inode", SB_STORE_HASH, .at = offsetof(struct sb_log_position, inode) },
    { "offset", SB_STORE_INTEGER, .at = offsetof(struct sb_log_position, offset) },
    { "zeros", SB_STORE_INTEGER, .at = offsetof(struct sb_log_position, zeros), .optional = true,
      .most = "offset" },
    { "head", SB_STORE_INTEGER, .at = offsetof(struct sb_log_position, head), .high = SB_LOG_POSITION_HEAD },
    { "hash", SB_STORE_HASH, .at = offsetof(struct sb_log_position, hash) },
    { .name = NULL },
};

static void watch_read_position(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    struct sb_watch_saved *const saved = record;
    const json_t *const object = json_object_get(top, "bookmark");

    if (!json_is_null(object))
        sb_store_read(in, "bookmark", object, watch_position_fields, &saved->position);
}

static void watch_write_position(struct sb_json *json, const void *record)
{
    const struct sb_watch_saved *const saved = record;

    if (saved->position.inode)
        sb_store_write_object(json, "bookmark", watch_position_fields, &saved->position);
    else
        sb_json_null(json, "bookmark");
}

/* ---- the levels that have started ---- */

/* Reads the levels that started at one moment. */
static void watch_read_start(struct sb_json_field_reader *in, const json_t *object, size_t i,
                             const struct sb_watch_saved *saved)
{
    static const char *const fields[] = { "start", "levels", "tallies", "places", "repeats", "bets", NULL };
    struct sb_watch_start *const start = &saved->start[i];
    const json_t *levels;

    if (!sb_json_field_enter_at(in, "starts", i, object, fields))
        return;
    start->snapshot.n = saved->snapshot.n;
    start->snapshot.total = sb_json_field_integer(in, object, "start", 1, saved->snapshot.total);
    levels = sb_json_field_array(in, object, "levels", SB_DETECTOR_LEVELS);
    for (size_t j = 0; j < json_array_size(levels); j++) {
        const json_t *const level = json_array_get(levels, j);
        const json_int_t k = json_is_integer(level) ? json_integer_value(level) : -1;

        if (k < 0 || k >= SB_DETECTOR_LEVELS || start->snapshot.total & ((UINT64_C(1) << k) - 1))
            sb_json_field_fail(in, "levels", "must be levels that start there");
        else
            start->levels |= UINT64_C(1) << k;
    }
    if (in->status == SB_OK)
        sb_snapshot_read(in, object, &start->snapshot);
    if (in->status == SB_OK)
        start->bets = sb_bets_saved_read(in, object, start->bet);
    sb_json_field_leave(in);
}

static void watch_read_starts(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    struct sb_watch_saved *const saved = record;
    const json_t *const starts = sb_json_field_array(in, top, "starts", SB_DETECTOR_LEVELS);

    saved->start = sb_json_field_room(in, json_array_size(starts), sizeof saved->start[0]);
    for (; in->status == SB_OK && saved->starts < json_array_size(starts); saved->starts++)
        watch_read_start(in, json_array_get(starts, saved->starts), saved->starts, saved);
}

/* Writes the tallies at the moment when a level started. */
static void watch_write_level(struct sb_json *json, const struct sb_tallies *tallies,
                              const struct sb_detector_level *level)
{
    struct sb_snapshot then = { .watched = tallies->repeat };
    const double *bet = level->bet;
    struct sb_tally tally;
    size_t from = 0;

    sb_json_array(json, "tallies", false);
    for (size_t i = 0; i < tallies->count && !ferror(json->stream); i++) {
        tally = tallies->tally[i];
        if (tally.ln_e)
            continue;
        tally.total = level->total[i];
        tally.count = level->count + from;
        tally.small = NULL;
        from += tally.members * tally.cells;
        sb_counts_write(json, &tally);
    }
    sb_json_close(json);
    sb_json_null(json, "places");
    if (tallies->repeat) {
        memcpy(then.birthday.ln_e, bet, sizeof then.birthday.ln_e);
        bet += SB_BIRTHDAY_ALTERNATIVES;
    }
    sb_snapshot_write_repeats(json, &then);
    sb_bets_saved_write(json, bet, tallies->bettor ? SB_BETTOR_WEALTHS : 0);
}

static void watch_write_starts(struct sb_json *json, const void *record)
{
    const struct sb_watch_saved *const saved = record;
    const struct sb_detector_level *const level = saved->detector ? saved->detector->level : NULL;

    sb_json_array(json, "starts", false);
    for (unsigned k = 0; level && k < SB_DETECTOR_LEVELS; k++) {
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
        watch_write_level(json, saved->snapshot.tallies, &level[k]);
        sb_json_close(json);
    }
    sb_json_close(json);
}

/* ---- the file ---- */

const struct sb_store_field sb_watch_saved_fields[] = {
    { "schema", .kind = SB_STORE_ELSEWHERE },
    { "version", SB_STORE_TEXT, .shown = true, .at = offsetof(struct sb_watch_saved, version) },
    { "subject", SB_STORE_OBJECT, .at = offsetof(struct sb_watch_saved, subject),
      .fields = sb_subject_saved_fields },
    { "n", SB_STORE_SIZE, .at = offsetof(struct sb_watch_saved, snapshot.n), .low = 2,
      .high = SB_TALLIED_MOST, .same = true },
    { "deal", SB_STORE_SIZE, .at = offsetof(struct sb_watch_saved, deal), .low = 1, .most = "n",
      .same = true },
    { "alpha", SB_STORE_LEVEL, .at = offsetof(struct sb_watch_saved, alpha), .same = true },
    { "delta", SB_STORE_LEVEL, .at = offsetof(struct sb_watch_saved, delta), .same = true },
    { "profile", SB_STORE_TEXT, .at = offsetof(struct sb_watch_saved, profile), .null = true, .same = true },
    { "increments", SB_STORE_BOOL, .at = offsetof(struct sb_watch_saved, increments), .same = true },
    { "window", SB_STORE_BOOL, .at = offsetof(struct sb_watch_saved, window), .same = true },
    { "total", SB_STORE_INTEGER, .at = offsetof(struct sb_watch_saved, snapshot.total), .low = 1 },
    { "alarms", SB_STORE_INTEGER, .at = offsetof(struct sb_watch_saved, alarms), .most = "total" },
    { "alarm_total", SB_STORE_INTEGER, .at = offsetof(struct sb_watch_saved, alarm_total), .most = "total" },
    { "last", SB_STORE_INTEGER, .at = offsetof(struct sb_watch_saved, last) },
    { "bookmark", SB_STORE_PART, .read = watch_read_position, .write = watch_write_position },
    { "openings", SB_STORE_PART, .at = offsetof(struct sb_watch_saved, fingerprints),
      .read = sb_fingerprints_read, .write = sb_fingerprints_write },
    { "uncounted", SB_STORE_ELSEWHERE, .since = 2 },
    { "tallies", SB_STORE_PART, .at = offsetof(struct sb_watch_saved, snapshot), .read = sb_snapshot_read,
      .write = sb_snapshot_write },
    { "places", .kind = SB_STORE_ELSEWHERE },
    { "repeats", .kind = SB_STORE_ELSEWHERE },
    { "bettor", SB_STORE_PART, .at = offsetof(struct sb_watch_saved, snapshot),
      .read = sb_snapshot_read_bettor, .write = sb_snapshot_write_bettor,
      .optional = true }, /* evidence of older versions lacks this field */
    { "starts", SB_STORE_PART, .read = watch_read_starts, .write = watch_write_starts },
    { "checksum", .kind = SB_STORE_ELSEWHERE },
    { .name = NULL },
};

/*
 * In schema 1, each run in the list `openings` counted all of its permutations, and runs of fewer than
 * SB_FINGERPRINT_DECKS permutations were dropped. So the total of several runs is valid evidence only if no
 * run's length depended on its permutations. The file does not show whether this is true.
 */
static void watch_read(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    const struct sb_watch_saved *const saved = record;

    sb_store_read(in, "", top, sb_watch_saved_fields, record);
    if (in->schema == 1 && saved->fingerprints.count)
        sb_json_field_fail(in, "openings", "of schema 1 adds up runs of which short ones were dropped");
}

enum sb_status sb_watch_saved_read(const char *path, struct sb_error *error, struct sb_watch_saved *saved)
{
    const struct sb_checksummed_form form = { watch_schema, watch_read };
    const enum sb_status status =
        sb_checksummed_read(path, &form, 1, "restore it, or delete it to begin anew", saved, error, NULL);

    saved->there = status == SB_OK;
    return status;
}

enum sb_status sb_watch_saved_write(const char *path, const struct sb_watch_saved *saved, int *lock,
                                    struct sb_error *error)
{
    return sb_checksummed_replace(path, sb_subject_saved_is_command(&saved->subject), watch_schema,
                                  sb_watch_saved_fields, saved, lock, NULL, error);
}

void sb_watch_saved_close(struct sb_watch_saved *saved)
{
    for (size_t i = 0; i < saved->starts; i++)
        sb_snapshot_close(&saved->start[i].snapshot);
    free(saved->start);
    sb_snapshot_close(&saved->snapshot);
    sb_store_free(sb_watch_saved_fields, saved);
    *saved = (struct sb_watch_saved) { .there = false };
}
