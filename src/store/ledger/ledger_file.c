/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads and writes a ledger. A new file replaces the old one atomically. The reader does not trust the file:
 * every field must be present, have its type and be in its range; there must be no other fields; and the
 * fields must agree with each other.
 */
#include "core/core.h"
#include "report/json_writer.h"
#include "store/field_table.h"
#include "store/file/atomic_file.h"
#include "store/ledger/ledger.h"

#include <stdlib.h>
#include <string.h>

static const char file_schema[] = "shufflebias.ledger/2";

/* ---- a run ---- */

static void file_read_outcome(struct sb_json_field_reader *in, const json_t *object, void *record)
{
    struct sb_ledger_run *const run = record;
    const json_t *const value = json_object_get(object, "outcome");
    const char *const text = json_string_value(value);

    for (size_t i = 0; text && i < SB_LEDGER_OUTCOMES; i++)
        if (strcmp(text, sb_ledger_outcomes[i]) == 0)
            run->outcome = sb_ledger_outcomes[i];
    if (!run->outcome && !json_is_null(value))
        sb_json_field_fail(in, "outcome", "must be null or one of those that are counted in outcomes");
}

static void file_write_outcome(struct sb_json *json, const void *record)
{
    const struct sb_ledger_run *const run = record;

    sb_json_string(json, "outcome", run->outcome);
}

static const struct sb_store_field file_run_fields[] = {
    { "run", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger_run, run), .low = 1 },
    { "share", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger_run, share), .low = 1 },
    { "key", SB_STORE_TEXT, .at = offsetof(struct sb_ledger_run, key), .null = true },
    { "subject", SB_STORE_TEXT, .shown = true, .at = offsetof(struct sb_ledger_run, subject) },
    { "outcome", SB_STORE_PART, .read = file_read_outcome, .write = file_write_outcome },
    { "total", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger_run, total) },
    { .name = NULL },
};

/* ---- the evidence of a key ---- */

static void file_read_statistics(struct sb_json_field_reader *in, const json_t *object, void *record)
{
    struct sb_ledger_entry *const entry = record;
    struct sb_snapshot *const snapshot = &entry->snapshot;

    sb_counts_read_list(in, object, "statistics", 64, snapshot->total, &snapshot->counts,
                        &snapshot->counts_count);
    if (snapshot->counts_count == 0 && snapshot->total)
        sb_json_field_fail(in, "total", "must be 0 where there are no statistics");
}

static void file_write_statistics(struct sb_json *json, const void *record)
{
    const struct sb_ledger_entry *const entry = record;

    sb_json_array(json, "statistics", false);
    for (size_t i = 0; i < entry->snapshot.counts_count; i++) {
        const struct sb_counts *const counts = &entry->snapshot.counts[i];
        const struct sb_tally tally = {
            .statistic = counts->statistic,
            .lag = counts->lag,
            .dependence = counts->dependence,
            .members = counts->members,
            .cells = counts->cells,
            .total = counts->total,
            .count = counts->count,
        };

        sb_counts_write(json, &tally);
    }
    sb_json_close(json);
}

static const struct sb_store_field file_entry_fields[] = {
    { "key", SB_STORE_TEXT, .at = offsetof(struct sb_ledger_entry, key) },
    { "subject", SB_STORE_TEXT, .shown = true, .at = offsetof(struct sb_ledger_entry, subject) },
    { "identity", SB_STORE_HASH, .at = offsetof(struct sb_ledger_entry, identity), .null = true,
      .optional = true }, /* the evidence of older versions lacks this field */
    { "share", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger_entry, share), .low = 1 },
    { "run", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger_entry, run), .low = 1 },
    { "open", SB_STORE_BOOL, .at = offsetof(struct sb_ledger_entry, open) },
    { "n", SB_STORE_SIZE, .at = offsetof(struct sb_ledger_entry, n), .low = 2, .high = SB_TALLIED_MOST },
    { "deal", SB_STORE_SIZE, .at = offsetof(struct sb_ledger_entry, deal), .low = 1, .most = "n" },
    { "chained", SB_STORE_BOOL, .at = offsetof(struct sb_ledger_entry, chained) },
    { "increments", SB_STORE_BOOL, .at = offsetof(struct sb_ledger_entry, increments) },
    { "profile", SB_STORE_TEXT, .at = offsetof(struct sb_ledger_entry, profile), .null = true },
    { "total", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger_entry, snapshot.total) },
    { "statistics", SB_STORE_PART, .read = file_read_statistics, .write = file_write_statistics },
    { "repeats", SB_STORE_PART, .at = offsetof(struct sb_ledger_entry, snapshot),
      .read = sb_snapshot_read_repeats, .write = sb_snapshot_write_repeats },
    { "bettor", SB_STORE_PART, .at = offsetof(struct sb_ledger_entry, snapshot),
      .read = sb_snapshot_read_bettor, .write = sb_snapshot_write_bettor,
      .optional = true }, /* the evidence of older versions lacks this field */
    { "catalogue", SB_STORE_PART, .optional = true, .at = offsetof(struct sb_ledger_entry, snapshot),
      .read = sb_snapshot_read_catalogue, .write = sb_snapshot_write_catalogue },
    { "openings", SB_STORE_PART, .at = offsetof(struct sb_ledger_entry, fingerprints),
      .read = sb_fingerprints_read, .write = sb_fingerprints_write },
    { "uncounted", .kind = SB_STORE_ELSEWHERE },
    { "decks", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger_entry, decks), .most = "run" },
    { .name = NULL },
};

/* ---- the ledger ---- */

/* The rows have the order of sb_ledger_outcomes. */
static const struct sb_store_field file_outcome_fields[] = {
    { "pass", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger, outcome[0]) },
    { "fail", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger, outcome[1]) },
    { "inconclusive", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger, outcome[2]) },
    { "broken", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger, outcome[3]) },
    { .name = NULL },
};

static void file_read_recent(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    struct sb_ledger *const ledger = record;
    const json_t *const recent = sb_json_field_array(in, top, "recent", SB_LEDGER_RECENT);
    uint64_t before = 0;
    char name[32];

    for (size_t i = 0; in->status == SB_OK && i < json_array_size(recent); i++) {
        const json_t *const object = json_array_get(recent, i);
        struct sb_ledger_run *const run = &ledger->recent[ledger->recent_count++];

        snprintf(name, sizeof name, "recent[%zu]", i);
        if (!sb_store_enter(in, name, object, file_run_fields))
            return;
        sb_store_take(in, object, file_run_fields, run);
        sb_json_field_within(in, "run", run->run, 1, ledger->runs);
        sb_json_field_within(in, "share", run->share, 1, ledger->shares);
        if (run->run <= before)
            sb_json_field_fail(in, "run", "must be larger than the one before");
        before = run->run;
        sb_json_field_leave(in);
    }
}

static void file_write_recent(struct sb_json *json, const void *record)
{
    const struct sb_ledger *const ledger = record;

    sb_json_array(json, "recent", false);
    for (size_t i = 0; i < ledger->recent_count; i++)
        sb_store_write_object(json, NULL, file_run_fields, &ledger->recent[i]);
    sb_json_close(json);
}

/*
 * Reads the evidence of the keys. If the ledger has schema 1, the function drops the evidence, and all keys
 * start again with new shares. The reason: in schema 1, runs of fewer than SB_FINGERPRINT_DECKS permutations
 * were dropped, so the evidence is valid only if no run's length depended on the run's permutations. Shares
 * that were spent remain spent.
 */
static void file_read_keys(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    struct sb_ledger *const ledger = record;
    const json_t *const keys =
        in->schema == 1 ? NULL : sb_json_field_array(in, top, "keys", SB_LEDGER_ENTRIES);
    char name[32];

    for (size_t i = 0; in->status == SB_OK && i < json_array_size(keys); i++) {
        const json_t *const object = json_array_get(keys, i);
        struct sb_ledger_entry *const entry = sb_json_field_room(in, 1, sizeof *entry);

        if (!entry)
            return;
        ledger->entry[ledger->entries_count++] = entry;
        snprintf(name, sizeof name, "keys[%zu]", i);
        if (!sb_store_enter(in, name, object, file_entry_fields))
            return;
        sb_store_take(in, object, file_entry_fields, entry);
        sb_json_field_within(in, "share", entry->share, 1, ledger->shares);
        sb_json_field_within(in, "run", entry->run, entry->share, ledger->runs);
        if (entry->snapshot.watched && entry->snapshot.birthday.decks != entry->snapshot.total)
            sb_json_field_fail(in, "repeats.decks", "must be the total");
        for (size_t j = 0; j < i; j++)
            if (ledger->entry[j]->share == entry->share)
                sb_json_field_fail(in, "share", "must differ from those of the other keys");
        sb_json_field_leave(in);
    }
}

static void file_write_keys(struct sb_json *json, const void *record)
{
    const struct sb_ledger *const ledger = record;

    sb_json_array(json, "keys", false);
    for (size_t i = 0; i < ledger->entries_count; i++)
        sb_store_write_object(json, NULL, file_entry_fields, ledger->entry[i]);
    sb_json_close(json);
}

static const struct sb_store_field file_fields[] = {
    { "schema", .kind = SB_STORE_ELSEWHERE },
    { "alpha", SB_STORE_LEVEL, .at = offsetof(struct sb_ledger, alpha) },
    { "delta", SB_STORE_LEVEL, .at = offsetof(struct sb_ledger, delta) },
    { "runs", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger, runs), .low = 1, .high = INT64_MAX - 1 },
    { "shares", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger, shares), .low = 1, .most = "runs" },
    { "outcomes", SB_STORE_OBJECT, .fields = file_outcome_fields },
    { "recent", SB_STORE_PART, .read = file_read_recent, .write = file_write_recent },
    { "keys", SB_STORE_PART, .read = file_read_keys, .write = file_write_keys },
    { .name = NULL },
};

/* Checks that there are no more outcomes than runs. */
static void file_check_outcomes(struct sb_json_field_reader *in, const struct sb_ledger *ledger)
{
    uint64_t left = ledger->runs;
    char name[32];

    for (size_t i = 0; in->status == SB_OK && i < SB_LEDGER_OUTCOMES; i++) {
        snprintf(name, sizeof name, "outcomes.%s", sb_ledger_outcomes[i]);
        left -= sb_json_field_within(in, name, ledger->outcome[i], 0, left);
    }
}

enum sb_status sb_ledger_read(const char *path, struct sb_error *error, struct sb_ledger **ledger)
{
    struct sb_json_field_reader in = {
        .path = path,
        .kind = "ledger",
        .article = "a ledger",
        .remedy = "restore it, or begin another elsewhere",
        .error = error,
    };
    json_t *const top = sb_json_field_is_there(&in) ? sb_json_field_load(&in) : NULL;
    struct sb_ledger *made = NULL;

    *ledger = NULL;
    if (!top)
        return in.status;
    in.schema = sb_store_schema(&in, top, file_schema);
    made = sb_json_field_room(&in, 1, sizeof *made);
    if (made) {
        sb_store_read(&in, "", top, file_fields, made);
        file_check_outcomes(&in, made);
    }
    json_decref(top);
    if (in.status)
        sb_ledger_free(made);
    else
        *ledger = made;
    return in.status;
}

static enum sb_status file_write(const void *what, FILE *stream)
{
    struct sb_json json = { .stream = stream };

    sb_json_object(&json, NULL);
    sb_json_string(&json, "schema", file_schema);
    sb_store_write(&json, file_fields, what);
    sb_json_close(&json);
    fputc('\n', stream);
    return SB_OK;
}

enum sb_status sb_ledger_write(const char *path, const struct sb_ledger *ledger, struct sb_error *error)
{
    return sb_atomic_file_replace(path, true, file_write, ledger, error);
}

void sb_ledger_run_close(struct sb_ledger_run *run)
{
    sb_store_free(file_run_fields, run);
}

void sb_ledger_entry_free(struct sb_ledger_entry *entry)
{
    if (!entry)
        return;
    sb_snapshot_close(&entry->snapshot);
    sb_store_free(file_entry_fields, entry);
    free(entry);
}

void sb_ledger_free(struct sb_ledger *ledger)
{
    if (!ledger)
        return;
    for (size_t i = 0; i < ledger->recent_count; i++)
        sb_ledger_run_close(&ledger->recent[i]);
    for (size_t i = 0; i < ledger->entries_count; i++)
        sb_ledger_entry_free(ledger->entry[i]);
    free(ledger);
}
