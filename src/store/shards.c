/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sample of a report: its shards, and its run, which saves the evidence when it starts, at intervals, and when it
 * ends. */
#include "core/core.h"
#include "core/system.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool sb_saved_done(const struct sb_saved *saved)
{
    return saved->snapshot.total == sb_shards_decks(&saved->parts, saved->asked.n, saved->asked.samples);
}

static enum sb_status saved_resume(const struct sb_saved *saved, struct sb_error *error,
                                   struct sb_statistics *statistics)
{
    const struct sb_snapshot *const counted = &saved->snapshot;

    return sb_statistics_resume(statistics, counted->counts, counted->counts_count) ? SB_OK
                                                                                    : sb_saved_foreign(saved, error);
}

enum sb_status sb_saved_lend(struct sb_saved *saved, struct sb_error *error, struct sb_statistics *statistics,
                             struct sb_evidence *evidence)
{
    const enum sb_status status = saved_resume(saved, error, statistics);

    if (status)
        return status;
    if (saved->snapshot.watched) {
        statistics->compared = true;
        statistics->tallies.birthday.decks = saved->snapshot.birthday.decks;
        statistics->tallies.birthday.repeats = saved->snapshot.birthday.repeats;
    } else {
        sb_tallies_forget_repeats(&statistics->tallies);
    }
    *evidence = saved->evidence;
    saved->evidence = (struct sb_evidence) { 0 };
    return SB_OK;
}

enum sb_status sb_saved_add(const struct sb_saved *saved, struct sb_error *error, struct sb_statistics *statistics)
{
    const enum sb_status status = sb_saved_current(saved, error);

    return status ? status : saved_resume(saved, error, statistics);
}

enum sb_status sb_saved_go_on(const struct sb_saved *saved, struct sb_error *error, struct sb_statistics *statistics)
{
    if (saved->parts.count > 1)
        return sb_error_set(error, SB_INVALID, "'%.200s' is merged: resume its parts, and merge them again",
                            saved->path);
    return sb_saved_add(saved, error, statistics);
}

/* ---- a run that saves its evidence ---- */

enum sb_status sb_saving_write(struct sb_saving *saving, const struct sb_evidence *evidence, struct sb_error *error)
{
    const struct sb_statistics *const statistics = saving->statistics;
    const struct sb_birthday *const birthday = &statistics->tallies.birthday;
    const char *const chosen = saving->options->statistics;
    char names[SB_STATISTICS_NAMES];
    struct sb_shard one = { 0 };
    struct sb_saved saved = {
        .version = SB_VERSION,
        .command = "report",
        .subject = { .kind = "scheme", .name = saving->scheme->name },
        .asked = *saving->options,
        .evidence = *evidence,
        .parts = *saving->parts,
        .snapshot = {
            .total = evidence->total,
            .watched = saving->ended && statistics->tallies.noted,
            .birthday = { .decks = birthday->decks, .repeats = birthday->repeats },
        },
    };
    struct sb_tally *const tally = calloc(statistics->types + statistics->steps + 1, sizeof *tally);
    const size_t count = tally ? sb_statistics_seen(statistics, tally) : 0;
    enum sb_status status;

    saved.asked.statistics = chosen && chosen[0] ? sb_statistics_names(chosen, names) : chosen;
    saved.snapshot.counts = tally ? sb_counts_borrow(tally, count) : NULL;
    saved.snapshot.counts_count = count;
    free(tally);
    if (!saved.snapshot.counts)
        return sb_error_memory(error, "tallies");
    if (saved.parts.of && saved.parts.count == 1) { /* for a single shard, `done` follows from the evidence */
        one.number = saved.parts.part[0].number;
        one.done = sb_blocks_all(evidence->n, evidence->total).count;
        saved.parts.part = &one;
    }
    status = sb_saved_write(saving->path, &saved, "`save`", &saving->lock, error);
    free(saved.snapshot.counts);
    return status;
}

void sb_saving_end(struct sb_saving *saving)
{
    if (saving->lock >= 0)
        close(saving->lock);
    saving->lock = -1;
}

static bool saving_due(void *state)
{
    const struct sb_saving *const saving = state;

    return sb_clock_now() >= saving->next;
}

static enum sb_status saving_take(void *state, const struct sb_evidence *evidence, struct sb_error *error)
{
    struct sb_saving *const saving = state;
    const enum sb_status status = sb_saving_write(saving, evidence, error);

    saving->next = sb_clock_now() + saving->options->checkpoint;
    return status;
}

struct sb_pause sb_saving_pause(struct sb_saving *saving, const struct sb_evidence *before)
{
    saving->next = sb_clock_now() + saving->options->checkpoint;
    return (struct sb_pause) { .due = saving_due, .take = saving_take, .state = saving, .before = before };
}

enum sb_status sb_saving_begin(struct sb_saving *saving, struct sb_error *error)
{
    const struct sb_request *const options = saving->options;
    struct sb_evidence nothing = { 0 };
    enum sb_status status;

    status = sb_atomic_file_absent(saving->path, NULL, error);
    if (status == SB_OK)
        status = sb_sample_check(options->n, options->deal, error); /* checked before the file is created */
    if (status)
        return status;
    if (sb_evidence_open(SB_BY_SAMPLE, options->n, options->deal, &nothing))
        return sb_error_memory(error, "the tallies");
    nothing.seed = options->seed;
    nothing.rng = saving->scheme->rng.name;
    status = sb_saving_write(saving, &nothing, error);
    sb_evidence_close(&nothing);
    return status;
}

/* ---- the shards of a run, as numbers, as text and in JSON ---- */

struct sb_blocks sb_shards_blocks(const struct sb_shards *parts, size_t i, size_t n, uint64_t samples)
{
    const struct sb_blocks all = sb_blocks_all(n, samples);

    return parts->of ? sb_blocks_part(all, parts->part[i].number, parts->of) : all;
}

uint64_t sb_shards_decks(const struct sb_shards *parts, size_t n, uint64_t samples)
{
    uint64_t decks = 0;

    for (size_t i = 0; i < parts->count; i++)
        decks += sb_blocks_decks(sb_shards_blocks(parts, i, n, samples), n, samples);
    return parts->of ? decks : samples;
}

uint64_t sb_shards_done(const struct sb_shards *parts)
{
    uint64_t done = 0;

    for (size_t i = 0; i < parts->count; i++)
        done += parts->part[i].done;
    return done;
}

uint64_t sb_shards_counted(const struct sb_shards *parts, size_t n, uint64_t samples)
{
    uint64_t decks = 0;

    for (size_t i = 0; i < parts->count; i++) {
        struct sb_blocks blocks = sb_shards_blocks(parts, i, n, samples);

        blocks.count = parts->part[i].done;
        decks += sb_blocks_decks(blocks, n, samples);
    }
    return decks;
}

/* If part[i] begins a series of three or more shards with consecutive numbers, returns the index of the last
 * shard of the series; else returns i. */
static size_t shards_row(const struct sb_shards *parts, size_t i)
{
    size_t last = i;

    while (last + 1 < parts->count && parts->part[last + 1].number == parts->part[last].number + 1)
        last++;
    return last > i + 1 ? last : i;
}

void sb_shards_say(const struct sb_shards *parts, char text[SB_SHARD_ROOM])
{
    /* A single number or a series takes at most 22 bytes, and the other words take 17 bytes. If there are
     * more numbers and series than fit, the text gives only the number of shards. */
    enum { SHARDS_ROWS_MOST = 6 };
    size_t used, rows = 0;

    text[0] = '\0';
    if (parts->of == 0)
        return;
    for (size_t i = 0; i < parts->count; i = shards_row(parts, i) + 1)
        rows++;
    if (rows > SHARDS_ROWS_MOST) {
        snprintf(text, SB_SHARD_ROOM, "%zu parts of %" PRIu64, parts->count, parts->of);
        return;
    }
    used = (size_t)snprintf(text, SB_SHARD_ROOM, parts->count > 1 ? "parts" : "part");
    for (size_t i = 0, row = 1; i < parts->count; i++, row++) {
        const char *const comma = row == 1 ? "" : row < rows ? "," : " and";

        used += (size_t)snprintf(text + used, SB_SHARD_ROOM - used, "%s %" PRIu64, comma, parts->part[i].number);
        if (shards_row(parts, i) == i)
            continue;
        i = shards_row(parts, i);
        used += (size_t)snprintf(text + used, SB_SHARD_ROOM - used, " to %" PRIu64, parts->part[i].number);
    }
    snprintf(text + used, SB_SHARD_ROOM - used, " of %" PRIu64, parts->of);
}

static const struct sb_store_field shards_part_fields[] = {
    { "part", SB_STORE_INTEGER, .at = offsetof(struct sb_shard, number) },
    { "done", SB_STORE_INTEGER, .at = offsetof(struct sb_shard, done) },
    { .name = NULL },
};

static void shards_check(struct sb_json_field_reader *in, const json_t *object, void *record)
{
    const struct sb_shards *const parts = record;
    uint64_t next = 1;

    for (size_t i = 0; i < parts->count; i++) {
        char name[64];

        snprintf(name, sizeof name, "parts[%zu].part", i);
        sb_json_field_within(in, name, parts->part[i].number, next, parts->of);
        next = parts->part[i].number + 1;
    }
}

const struct sb_store_field sb_shards_fields[] = {
    { "of", SB_STORE_INTEGER, .at = offsetof(struct sb_shards, of), .low = 1, .high = SB_SHARDS_MOST },
    { "parts", SB_STORE_LIST, .item = SB_STORE_OBJECT, .fields = shards_part_fields, .owned = true,
      .at = offsetof(struct sb_shards, part), .count = offsetof(struct sb_shards, count),
      .size = sizeof(struct sb_shard), .low = 1, .high = SB_SHARDS_MOST, .what = "must hold a part",
      .read = shards_check },
    { .name = NULL },
};
