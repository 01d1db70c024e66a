/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Evidence to its file. Counts go straight to the stream, a write per number; then what was written is read
 * once more for the hash at its end. Cost: O(1) memory.
 */
#include "core/error.h"

#include "core/system/clock.h"
#include "report/json_writer.h"
#include "store/atomic_file.h"
#include "store/checksummed_file.h"
#include "store/evidence/report_saved.h"

#include <stdlib.h>
#include <unistd.h>

/* What is written. */
struct saved_whole {
    const struct sb_saving *saving;
    const struct sb_evidence *evidence;
    struct sb_tally *tally; /* [count] */
    size_t count;
};

static void write_subject(struct sb_json *json, const struct sb_scheme *scheme)
{
    sb_json_object(json, "subject");
    sb_json_string(json, "name", scheme->name);
    sb_json_string(json, "shuffle", scheme->shuffle_name);
    sb_json_string(json, "draw", scheme->draw_name);
    sb_json_string(json, "rng", scheme->rng.name);
    sb_json_close(json);
}

/* The parts of a run that was divided, and its blocks. */
static void write_blocks(struct sb_json *json, const struct sb_shards *parts, size_t n, uint64_t total,
                         uint64_t samples)
{
    const uint64_t counted = sb_blocks_all(n, total).count; /* as a range that ends with the last one */
    struct sb_shard one = { .number = parts->of ? parts->part[0].number : 0, .done = counted };
    const struct sb_shards alone = { .of = parts->of, .count = 1, .part = &one };
    const struct sb_shards *const here = parts->count == 1 ? &alone : parts;

    if (parts->of)
        sb_shards_write(json, here);
    sb_json_object(json, "blocks");
    sb_json_integer(json, "decks", sb_block_decks(n));
    sb_json_integer(json, "done", parts->of ? sb_shards_done(here) : counted);
    sb_json_integer(json, "all", sb_blocks_all(n, samples).count);
    sb_json_close(json);
}

/* As in the report's JSON. */
static void write_evidence(struct sb_json *json, const struct sb_evidence *evidence, uint64_t asked)
{
    sb_json_object(json, "evidence");
    sb_json_string(json, "by", "sample");
    sb_json_integer(json, "total", evidence->total);
    sb_json_integer(json, "seed", evidence->seed);
    sb_json_string(json, "rng", evidence->rng);
    sb_json_bool(json, "interrupted", evidence->total < asked);
    if (evidence->cells) {
        sb_json_array(json, "counts", true);
        for (size_t rank = 0; rank < evidence->cells && !ferror(json->stream); rank++)
            sb_json_integer(json, NULL, evidence->count[rank]);
        sb_json_close(json);
    } else {
        sb_json_null(json, "counts");
    }
    sb_json_close(json);
}

/* As in the report's JSON, where it does not follow from the counts. */
static void write_matrix(struct sb_json *json, const struct sb_evidence *evidence)
{
    if (evidence->cells) {
        sb_json_null(json, "matrix");
        return;
    }
    sb_json_array(json, "matrix", false);
    for (size_t item = 0; item < evidence->n && !ferror(json->stream); item++) {
        sb_json_array(json, NULL, true);
        for (size_t position = 0; position < evidence->deal; position++)
            sb_json_integer(json, NULL, evidence->matrix[item * evidence->deal + position]);
        sb_json_close(json);
    }
    sb_json_close(json);
}

/* Decks that came up again: null where they were not compared, or not yet. */
static void write_repeats(struct sb_json *json, const struct sb_saving *saving)
{
    const struct sb_statistics *const statistics = saving->statistics;

    if (!saving->ended || !statistics->tallies.noted) {
        sb_json_null(json, "repeats");
        return;
    }
    sb_json_object(json, "repeats");
    sb_json_integer(json, "decks", statistics->tallies.birthday.decks);
    sb_json_integer(json, "repeats", statistics->tallies.birthday.repeats);
    sb_json_close(json);
}

static enum sb_status write_whole(const void *what, FILE *stream)
{
    const struct saved_whole *const whole = what;
    const struct sb_options *const options = whole->saving->options;
    const struct sb_shards *const parts = whole->saving->parts;
    const char *const chosen = options->statistics;
    char names[SB_STATISTICS_NAMES];
    const size_t n = whole->evidence->n;
    struct sb_json json = { .stream = stream };

    sb_json_object(&json, NULL);
    sb_json_string(&json, "schema", "shufflebias.evidence/1");
    sb_json_string(&json, "version", SB_VERSION);
    write_subject(&json, whole->saving->scheme);
    sb_json_integer(&json, "n", n);
    sb_json_integer(&json, "deal", whole->evidence->deal);
    sb_json_integer(&json, "samples", options->samples);
    sb_json_string(&json, "statistics", chosen && chosen[0] ? sb_statistics_names(chosen, names) : chosen);
    sb_json_string(&json, "profile", options->profile);
    sb_json_bool(&json, "increments", options->increments);
    write_blocks(&json, parts, n, whole->evidence->total, options->samples);
    write_evidence(&json, whole->evidence, sb_shards_decks(parts, n, options->samples));
    write_matrix(&json, whole->evidence);
    sb_counts_write_list(&json, "tallies", whole->tally, whole->count);
    write_repeats(&json, whole->saving);
    return sb_checksummed_end(stream);
}

enum sb_status sb_saving_write(struct sb_saving *saving, const struct sb_evidence *evidence,
                               struct sb_error *error)
{
    const struct sb_statistics *const statistics = saving->statistics;
    struct saved_whole whole = { .saving = saving, .evidence = evidence };
    enum sb_status status;

    whole.tally = calloc(statistics->types + statistics->steps + 1, sizeof *whole.tally);
    if (!whole.tally)
        return sb_error_memory(error, "tallies");
    whole.count = sb_statistics_seen(statistics, whole.tally);
    status = sb_atomic_file_replace_held(saving->path, write_whole, &whole, &saving->held, "--resume", error);
    free(whole.tally);
    return status;
}

void sb_saving_end(struct sb_saving *saving)
{
    if (saving->held >= 0)
        close(saving->held);
    saving->held = -1;
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
    const struct sb_options *const options = saving->options;
    struct sb_evidence nothing = { 0 };
    enum sb_status status;

    status = sb_checksummed_fresh(saving->path, sb_checksummed_go_on, error);
    if (status == SB_OK)
        status = sb_sample_check(options->n, options->deal, error); /* before there is a file */
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
