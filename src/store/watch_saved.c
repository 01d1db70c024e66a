/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and writes a watch's evidence. Levels that started at the same moment share the tallies of that moment. */
#include "core/core.h"
#include "report/result.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

static const char watch_schema[] = "shufflebias.watching/2";

/* ---- the position in a log; null if there is none ---- */

static const struct sb_store_field watch_position_fields[] = {
    { "inode", SB_STORE_HASH, .at = offsetof(struct sb_log_position, inode) },
    { "offset", SB_STORE_INTEGER, .at = offsetof(struct sb_log_position, offset) },
    { "zeros", SB_STORE_INTEGER, .at = offsetof(struct sb_log_position, zeros), .optional = true, .most = "offset" },
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

static void watch_read_levels(struct sb_json_field_reader *in, const json_t *object, void *record)
{
    struct sb_watch_start *const start = record;
    const json_t *const levels = sb_json_field_array(in, object, "levels", SB_DETECTOR_LEVELS);

    for (size_t j = 0; j < json_array_size(levels); j++) {
        const json_t *const level = json_array_get(levels, j);
        const json_int_t k = json_is_integer(level) ? json_integer_value(level) : -1;

        if (k < 0 || k >= SB_DETECTOR_LEVELS || start->snapshot.total & ((UINT64_C(1) << k) - 1))
            sb_json_field_fail(in, "levels", "must be levels that start there");
        else
            start->levels |= UINT64_C(1) << k;
    }
}

static const struct sb_store_field watch_start_fields[] = {
    { "start", SB_STORE_INTEGER, .at = offsetof(struct sb_watch_start, snapshot.total), .low = 1 },
    { "levels", SB_STORE_PART, .read = watch_read_levels },
    { "tallies", SB_STORE_PART, .at = offsetof(struct sb_watch_start, snapshot), .read = sb_snapshot_read },
    { "places", .kind = SB_STORE_ELSEWHERE },
    { "repeats", .kind = SB_STORE_ELSEWHERE },
    { "bets", SB_STORE_LIST, .item = SB_STORE_REAL, .optional = true, .size = sizeof(double), .high = SB_BETTOR_WEALTHS,
      .at = offsetof(struct sb_watch_start, bet), .count = offsetof(struct sb_watch_start, bets) },
    { .name = NULL },
};

static void watch_read_starts(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    struct sb_watch_saved *const saved = record;
    const json_t *const starts = sb_json_field_array(in, top, "starts", SB_DETECTOR_LEVELS);
    char name[32];

    saved->start = sb_json_field_room(in, json_array_size(starts), sizeof saved->start[0]);
    while (in->status == SB_OK && saved->starts < json_array_size(starts)) {
        struct sb_watch_start *const start = &saved->start[saved->starts];

        snprintf(name, sizeof name, "starts[%zu]", saved->starts);
        start->snapshot.n = saved->snapshot.n;
        sb_store_read(in, name, json_array_get(starts, saved->starts++), watch_start_fields, start);
        snprintf(name + strlen(name), sizeof name - strlen(name), ".start");
        sb_json_field_within(in, name, start->snapshot.total, 1, saved->snapshot.total);
    }
}

static void watch_write_level(struct sb_json *json, const struct sb_snapshot *now,
                              const struct sb_detector_level *level)
{
    struct sb_counts then[SB_SNAPSHOT_STATISTICS_MOST];
    struct sb_snapshot start = { .counts = then, .counts_count = now->counts_count, .watched = now->watched };
    const double *bet = level->bet;
    size_t from = 0;

    for (size_t i = 0; i < now->counts_count; i++) {
        then[i] = now->counts[i];
        then[i].total = level->total[i];
        then[i].count = level->count + from;
        from += then[i].members * then[i].cells;
    }
    if (now->watched) {
        memcpy(start.birthday.ln_e, bet, sizeof start.birthday.ln_e);
        bet += SB_BIRTHDAY_ALTERNATIVES;
    }
    sb_snapshot_write(json, &start);
    if (!now->bet)
        return;
    sb_json_array(json, "bets", true);
    for (size_t i = 0; i < SB_BETTOR_WEALTHS; i++)
        sb_json_real(json, NULL, bet[i]);
    sb_json_close(json);
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
        watch_write_level(json, &saved->snapshot, &level[k]);
        sb_json_close(json);
    }
    sb_json_close(json);
}

/* ---- the file ---- */

const struct sb_store_field sb_watch_saved_fields[] = {
    { "schema", .kind = SB_STORE_ELSEWHERE },
    { "version", SB_STORE_TEXT, .shown = true, .at = offsetof(struct sb_watch_saved, version) },
    { "subject", SB_STORE_OBJECT, .at = offsetof(struct sb_watch_saved, subject), .fields = sb_subject_saved_fields },
    { "n", SB_STORE_SIZE, .at = offsetof(struct sb_watch_saved, snapshot.n), .low = 2, .high = SB_TALLIED_MOST,
      .same = true },
    { "deal", SB_STORE_SIZE, .at = offsetof(struct sb_watch_saved, deal), .low = 1, .most = "n", .same = true },
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
    SB_FINGERPRINTS_FIELDS(struct sb_watch_saved),
    { "tallies", SB_STORE_PART, .at = offsetof(struct sb_watch_saved, snapshot), .read = sb_snapshot_read,
      .write = sb_snapshot_write },
    { "places", .kind = SB_STORE_ELSEWHERE },
    { "repeats", .kind = SB_STORE_ELSEWHERE },
    { "bettor", SB_STORE_PART, .at = offsetof(struct sb_watch_saved, snapshot), .read = sb_snapshot_read_bettor,
      .write = sb_snapshot_write_bettor, .optional = true },
    { "starts", SB_STORE_PART, .read = watch_read_starts, .write = watch_write_starts },
    { "checksum", .kind = SB_STORE_ELSEWHERE },
    { .name = NULL },
};

static void watch_read(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    sb_store_read(in, "", top, sb_watch_saved_fields, record);
}

enum sb_status sb_watch_saved_read(const char *path, struct sb_error *error, struct sb_watch_saved *saved)
{
    static const struct sb_store_form forms[] = { { watch_schema, watch_read }, { .schema = NULL } };
    uint64_t checksum;
    const enum sb_status status = sb_store_file_read(path, SB_STORE_EVIDENCE, "restore it, or delete it to begin anew",
                                                     forms, saved, error, &checksum);

    saved->there = status == SB_OK;
    return status;
}

enum sb_status sb_watch_saved_write(const char *path, const struct sb_watch_saved *saved, int *lock,
                                    struct sb_error *error)
{
    return sb_store_file_write(path, sb_subject_saved_is_command(&saved->subject), watch_schema, sb_watch_saved_fields,
                               saved, lock, NULL, error);
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
