/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ledger to its file, which has the old one or the new one whole. */
#include "report/json_writer.h"
#include "store/atomic_file.h"
#include "store/ledger/ledger.h"

static void write_counts(struct sb_json *json, const struct sb_counts *counts)
{
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

static void write_entry(struct sb_json *json, const struct sb_ledger_entry *entry)
{
    sb_json_object(json, NULL);
    sb_json_string(json, "key", entry->key);
    sb_json_string(json, "subject", entry->subject);
    sb_json_integer(json, "share", entry->share);
    sb_json_integer(json, "run", entry->run);
    sb_json_bool(json, "open", entry->open);
    sb_json_integer(json, "n", entry->n);
    sb_json_integer(json, "deal", entry->deal);
    sb_json_bool(json, "chained", entry->chained);
    sb_json_bool(json, "increments", entry->increments);
    sb_json_string(json, "profile", entry->profile);
    sb_json_integer(json, "total", entry->seen.total);
    sb_json_array(json, "statistics", false);
    for (size_t i = 0; i < entry->seen.counts_count; i++)
        write_counts(json, &entry->seen.counts[i]);
    sb_json_close(json);
    sb_snapshot_write_repeats(json, entry->seen.watched, &entry->seen.birthday);
    sb_fingerprints_write(json, &entry->openings);
    sb_json_integer(json, "decks", entry->decks);
    sb_json_close(json);
}

static void write_run(struct sb_json *json, const struct sb_ledger_run *run)
{
    sb_json_object(json, NULL);
    sb_json_integer(json, "run", run->run);
    sb_json_integer(json, "share", run->share);
    sb_json_string(json, "key", run->key);
    sb_json_string(json, "subject", run->subject);
    sb_json_string(json, "outcome", run->outcome);
    sb_json_integer(json, "total", run->total);
    sb_json_close(json);
}

static enum sb_status write_all(const void *what, FILE *stream)
{
    const struct sb_ledger *const ledger = what;
    struct sb_json json = { .stream = stream };

    sb_json_object(&json, NULL);
    sb_json_string(&json, "schema", "shufflebias.ledger/2");
    sb_json_real(&json, "alpha", ledger->alpha);
    sb_json_real(&json, "delta", ledger->delta);
    sb_json_integer(&json, "runs", ledger->runs);
    sb_json_integer(&json, "shares", ledger->shares);
    sb_json_object(&json, "outcomes");
    for (size_t i = 0; i < SB_LEDGER_OUTCOMES; i++)
        sb_json_integer(&json, sb_ledger_outcomes[i], ledger->outcome[i]);
    sb_json_close(&json);
    sb_json_array(&json, "recent", false);
    for (size_t i = 0; i < ledger->recent_count; i++)
        write_run(&json, &ledger->recent[i]);
    sb_json_close(&json);
    sb_json_array(&json, "keys", false);
    for (size_t i = 0; i < ledger->entries_count; i++)
        write_entry(&json, ledger->entry[i]);
    sb_json_close(&json);
    sb_json_close(&json);
    fputc('\n', stream);
    return SB_OK;
}

enum sb_status sb_ledger_write(const char *path, const struct sb_ledger *ledger, struct sb_error *error)
{
    return sb_atomic_file_replace(path, write_all, ledger, error);
}
