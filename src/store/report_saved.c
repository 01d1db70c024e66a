/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report's evidence in memory: describes the run that recorded the evidence, and resumes it. A run saves
 * its evidence when it starts, at intervals, and when it ends. */
#include "core/core.h"
#include "core/system.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void sb_saved_free(struct sb_saved *saved)
{
    if (!saved)
        return;
    sb_evidence_close(&saved->evidence);
    sb_counts_free(saved->counts, saved->counts_count);
    free(saved->path);
    sb_store_free(sb_saved_fields, saved);
    free(saved->parts.part);
    free(saved);
}

bool sb_saved_done(const struct sb_saved *saved)
{
    return saved->evidence.total == sb_shards_decks(&saved->parts, saved->evidence.n, saved->samples);
}

void sb_saved_options(const struct sb_saved *saved, struct sb_request *options)
{
    options->n = saved->evidence.n;
    options->deal = saved->evidence.deal;
    options->seed = saved->evidence.seed;
    options->samples = saved->samples;
    options->by = SB_BY_SAMPLE;
    options->statistics = saved->statistics;
    options->profile = saved->profile;
    options->cards = saved->cards;
    options->increments = saved->increments;
    options->shard.number = saved->parts.count == 1 ? (unsigned)saved->parts.part[0].number : 0;
    options->shard.of = saved->parts.count == 1 ? (unsigned)saved->parts.of : 0;
    options->draw = NULL;
    options->rng = NULL;
    sb_request_restore(options);
}

static void saved_compare_parts(const struct sb_saved *saved, const struct sb_request *options,
                                struct sb_mismatch *differs)
{
    struct sb_request own = { 0 };
    char was[SB_SHARD_ROOM], is[32];

    sb_saved_options(saved, &own);
    if (options->shard.number == own.shard.number && options->shard.of == own.shard.of)
        return;
    sb_shards_say(&saved->parts, was);
    snprintf(is, sizeof is, "%u/%u", options->shard.number, options->shard.of);
    sb_mismatch_text(differs, "shard", was[0] ? was : "the whole run", is);
}

static void saved_compare_statistics(const char *was, const char *is, struct sb_mismatch *differs)
{
    char names_was[SB_STATISTICS_NAMES], names_is[SB_STATISTICS_NAMES];

    sb_mismatch_text(differs, "statistics", sb_statistics_names(was, names_was), sb_statistics_names(is, names_is));
}

/* Compares the options with the record, except for shards. */
static void saved_compare(const struct sb_saved *saved, const struct sb_request *options, struct sb_mismatch *differs)
{
    const struct sb_saved asked = {
        .evidence = {
            .n = options->n,
            .deal = options->deal ? options->deal : saved->evidence.deal,
        },
        .samples = options->samples ? options->samples : saved->samples,
        .profile = options->profile,
        .cards = options->cards,
        .increments = options->increments,
    };
    const char *const by = options->by == SB_BY_EXACT                        ? "exact"
                           : options->by == SB_BY_SEEDS                      ? "seeds"
                           : options->by == 0 || options->by == SB_BY_SAMPLE ? "sample"
                                                                             : "both";

    sb_store_compare(sb_saved_fields, saved, &asked, differs);
    sb_mismatch_integer(differs, "seed", saved->evidence.seed, options->seed);
    sb_mismatch_text(differs, "by", "sample", by);
    saved_compare_statistics(saved->statistics, options->statistics, differs);
}

void sb_saved_differs(const struct sb_saved *one, const struct sb_saved *other, struct sb_mismatch *differs)
{
    sb_mismatch_text(differs, "version", one->version, other->version);
    sb_mismatch_text(differs, "scheme", one->scheme.name, other->scheme.name);
    sb_mismatch_integer(differs, "shards", one->parts.of, other->parts.of);
    sb_store_compare(sb_saved_fields, one, other, differs);
    sb_mismatch_integer(differs, "seed", one->evidence.seed, other->evidence.seed);
    saved_compare_statistics(one->statistics, other->statistics, differs);
}

enum sb_status sb_saved_unused(const struct sb_saved *saved, struct sb_error *error)
{
    if (!saved->used)
        return SB_OK;
    return sb_error_set(error, SB_INVALID, "the evidence of '%.200s' is in another report already: read it again",
                        saved->path);
}

enum sb_status sb_saved_agrees(const struct sb_saved *saved, const char *scheme, const struct sb_request *options,
                               struct sb_error *error)
{
    const struct sb_scheme *const own = &saved->scheme;
    struct sb_mismatch differs = { 0 };
    struct sb_scheme asked;
    enum sb_status status = sb_saved_unused(saved, error);

    if (status == SB_OK)
        status = sb_scheme_parse(scheme ? scheme : own->shuffle_name, options->draw ? options->draw : own->draw_name,
                                 options->rng ? options->rng : own->rng.name, error, &asked);

    if (status)
        return status;
    saved_compare(saved, options, &differs);
    saved_compare_parts(saved, options, &differs);
    sb_mismatch_scheme(&differs, own, &asked, scheme);
    return sb_mismatch_say(&differs, saved->path, "leave it out", error);
}

static enum sb_status saved_resume(const struct sb_saved *saved, struct sb_error *error,
                                   struct sb_statistics *statistics)
{
    if (sb_statistics_resume(statistics, saved->counts, saved->counts_count))
        return SB_OK;
    return sb_checksummed_foreign(saved->path, saved->version, error);
}

enum sb_status sb_saved_lend(struct sb_saved *saved, struct sb_error *error, struct sb_statistics *statistics,
                             struct sb_evidence *evidence)
{
    const enum sb_status status = saved_resume(saved, error, statistics);

    if (status)
        return status;
    if (saved->compared) {
        statistics->compared = true;
        statistics->tallies.birthday.decks = saved->decks;
        statistics->tallies.birthday.repeats = saved->repeats;
    } else {
        sb_tallies_forget_repeats(&statistics->tallies);
    }
    *evidence = saved->evidence;
    saved->evidence = (struct sb_evidence) { 0 };
    saved->used = true;
    return SB_OK;
}

enum sb_status sb_saved_add(const struct sb_saved *saved, struct sb_error *error, struct sb_statistics *statistics)
{
    const enum sb_status status = sb_checksummed_version(saved->path, saved->version, error);

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
    const struct sb_request *const options = saving->options;
    const char *const chosen = options->statistics;
    char names[SB_STATISTICS_NAMES];
    struct sb_shard one = { 0 };
    struct sb_saved saved = {
        .version = SB_VERSION,
        .scheme = *saving->scheme,
        .samples = options->samples,
        .statistics = chosen && chosen[0] ? sb_statistics_names(chosen, names) : chosen,
        .profile = options->profile,
        .cards = options->cards,
        .increments = options->increments,
        .evidence = *evidence,
        .parts = *saving->parts,
        .compared = saving->ended && statistics->tallies.noted,
        .decks = statistics->tallies.birthday.decks,
        .repeats = statistics->tallies.birthday.repeats,
    };
    struct sb_tally *const tally = calloc(statistics->types + statistics->steps + 1, sizeof *tally);
    const size_t count = tally ? sb_statistics_seen(statistics, tally) : 0;
    enum sb_status status;

    saved.counts = tally ? sb_counts_borrow(tally, count) : NULL;
    saved.counts_count = count;
    free(tally);
    if (!saved.counts)
        return sb_error_memory(error, "tallies");
    if (saved.parts.of && saved.parts.count == 1) { /* for a single shard, `done` follows from the evidence */
        one.number = saved.parts.part[0].number;
        one.done = sb_blocks_all(evidence->n, evidence->total).count;
        saved.parts.part = &one;
    }
    status = sb_store_file_write(saving->path, false, sb_saved_form.schema, sb_saved_fields, &saved, &saving->lock,
                                 "`save`", error);
    free(saved.counts);
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
