/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report's evidence in its file. Each count is written straight to the stream. */
#include "core/core.h"
#include "core/system.h"
#include "report/result.h"
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char sb_evidence_anew[] = "restore it, or remove it and begin anew with `save`";

/* ---- the counts, as in the JSON of a report ---- */

static void evidence_read_counts(struct sb_json_field_reader *in, const json_t *object,
                                 const struct sb_evidence *evidence)
{
    const json_t *const counts = json_object_get(object, "counts");

    if (evidence->cells == 0 && !json_is_null(counts))
        sb_json_field_fail(in, "counts", "must be null, for orders are too many to be counted");
    if (in->status || evidence->cells == 0)
        return;
    if (json_array_size(counts) != evidence->cells)
        sb_json_field_fail(in, "counts", "must be an array of a count for each order");
    else
        sb_counts_row(in, "counts", counts, 0, evidence->cells, evidence->total, false, evidence->counts.u64);
}

struct evidence_record {
    const char *by, *rng;
    uint64_t total, seed;
    bool interrupted;
    struct sb_evidence *evidence;
};

static void evidence_read_cells(struct sb_json_field_reader *in, const json_t *object, void *record)
{
    evidence_read_counts(in, object, ((const struct evidence_record *)record)->evidence);
}

static void evidence_write_cells(struct sb_json *json, const void *record)
{
    const struct sb_evidence *const evidence = ((const struct evidence_record *)record)->evidence;

    if (evidence->cells == 0) {
        sb_json_null(json, "counts");
        return;
    }
    sb_json_array(json, "counts", true);
    for (size_t rank = 0; rank < evidence->cells && !ferror(json->stream); rank++)
        sb_json_integer(json, NULL, evidence->counts.u64[rank]);
    sb_json_close(json);
}

static const struct sb_store_field evidence_fields[] = {
    { "by", SB_STORE_TEXT, .fixed = true, .at = offsetof(struct evidence_record, by) },
    { "total", SB_STORE_INTEGER, .fixed = true, .at = offsetof(struct evidence_record, total) },
    { "seed", SB_STORE_INTEGER, .at = offsetof(struct evidence_record, seed) },
    { "rng", SB_STORE_TEXT, .fixed = true, .at = offsetof(struct evidence_record, rng) },
    { "interrupted", SB_STORE_BOOL, .fixed = true, .at = offsetof(struct evidence_record, interrupted),
      .what = "must say whether fewer are counted than asked for" },
    { "counts", SB_STORE_PART, .read = evidence_read_cells, .write = evidence_write_cells },
    { .name = NULL },
};

static struct evidence_record evidence_record_of(const struct sb_saved *saved, struct sb_evidence *evidence)
{
    return (struct evidence_record) {
        .by = "sample",
        .rng = saved->scheme.rng.name,
        .total = evidence->total,
        .seed = evidence->seed,
        .interrupted = !sb_saved_done(saved),
        .evidence = evidence,
    };
}

static void evidence_read(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    struct sb_saved *const saved = record;
    struct evidence_record is = evidence_record_of(saved, &saved->evidence);

    sb_store_read(in, "evidence", json_object_get(top, "evidence"), evidence_fields, &is);
    saved->evidence.seed = is.seed;
    saved->evidence.rng = is.rng;
    saved->evidence.interrupted = is.interrupted;
}

static void evidence_write(struct sb_json *json, const void *record)
{
    const struct sb_saved *const saved = record;
    struct sb_evidence evidence = saved->evidence;
    const struct evidence_record is = evidence_record_of(saved, &evidence);

    sb_store_write_object(json, "evidence", evidence_fields, &is);
}

static void evidence_read_matrix(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    struct sb_saved *const saved = record;
    const json_t *const matrix = json_object_get(top, "matrix");
    struct sb_evidence *const evidence = &saved->evidence;
    const size_t n = evidence->n, deal = evidence->deal;
    char field[32];

    if (evidence->cells ? !json_is_null(matrix) : json_array_size(matrix) != n)
        sb_json_field_fail(in, "matrix", evidence->cells ? "must be null" : "must be an array of a row for each item");
    for (size_t i = 0; evidence->cells == 0 && i < n && in->status == SB_OK; i++) {
        const json_t *const row = json_array_get(matrix, i);

        snprintf(field, sizeof field, "matrix[%zu]", i);
        if (json_array_size(row) != deal)
            sb_json_field_fail(in, field, "must be an array of a count for each position");
        else
            sb_counts_row(in, field, row, 0, deal, evidence->total, deal < n, evidence->matrix.u64 + i * deal);
    }
    for (size_t j = 0; evidence->cells == 0 && j < deal && in->status == SB_OK; j++) {
        uint64_t left = evidence->total;

        for (size_t i = 0; i < n && left <= evidence->total; i++)
            left -= evidence->matrix.u64[i * deal + j];
        if (left)
            sb_json_field_fail(in, "matrix", "must add up to the total for each position");
    }
}

static void evidence_write_matrix(struct sb_json *json, const void *record)
{
    const struct sb_saved *const saved = record;
    const struct sb_evidence *const evidence = &saved->evidence;

    if (evidence->cells) {
        sb_json_null(json, "matrix");
        return;
    }
    sb_json_array(json, "matrix", false);
    for (size_t item = 0; item < evidence->n && !ferror(json->stream); item++) {
        sb_json_array(json, NULL, true);
        for (size_t position = 0; position < evidence->deal; position++)
            sb_json_integer(json, NULL, evidence->matrix.u64[item * evidence->deal + position]);
        sb_json_close(json);
    }
    sb_json_close(json);
}

/* ---- the scheme ---- */

/* The scheme, as its name, and the parts of the name. */
struct file_scheme {
    const char *name, *shuffle, *draw, *rng;
};

static const struct sb_store_field file_scheme_fields[] = {
    { "name", SB_STORE_TEXT, .fixed = true, .at = offsetof(struct file_scheme, name) },
    { "shuffle", SB_STORE_TEXT, .fixed = true, .at = offsetof(struct file_scheme, shuffle) },
    { "draw", SB_STORE_TEXT, .fixed = true, .at = offsetof(struct file_scheme, draw) },
    { "rng", SB_STORE_TEXT, .fixed = true, .at = offsetof(struct file_scheme, rng) },
    { .name = NULL },
};

static struct file_scheme file_scheme_of(const struct sb_scheme *scheme)
{
    return (struct file_scheme) { scheme->name, scheme->shuffle_name, scheme->draw_name, scheme->rng.name };
}

static void file_read_subject(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    struct sb_scheme *const scheme = &((struct sb_saved *)record)->scheme;
    const json_t *const object = json_object_get(top, "subject");
    const char *const name = json_string_value(json_object_get(object, "name"));
    struct sb_error error;

    if (!name || sb_scheme_parse(name, NULL, NULL, &error, scheme)) {
        sb_json_field_fail(in, "subject.name", "must be a scheme that this version knows");
        return;
    }
    struct file_scheme is = file_scheme_of(scheme);

    sb_store_read(in, "subject", object, file_scheme_fields, &is);
}

static void file_write_subject(struct sb_json *json, const void *record)
{
    const struct file_scheme is = file_scheme_of(&((const struct sb_saved *)record)->scheme);

    sb_store_write_object(json, "subject", file_scheme_fields, &is);
}

/* ---- the shards of a run, and the blocks ---- */

static void file_read_shards(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    struct sb_saved *const saved = record;
    const struct sb_shards *const parts = &saved->parts;

    sb_store_read(in, "shards", json_object_get(top, "shards"), sb_shards_fields, &saved->parts);
    for (size_t i = 0; in->status == SB_OK && i < parts->count; i++) {
        const struct sb_blocks blocks = sb_shards_blocks(parts, i, saved->evidence.n, saved->samples);
        char name[64];

        snprintf(name, sizeof name, "shards.parts[%zu].done", i);
        sb_json_field_within(in, name, parts->part[i].done, 0, blocks.count);
    }
}

static void file_write_shards(struct sb_json *json, const void *record)
{
    const struct sb_saved *const saved = record;

    if (saved->parts.of)
        sb_store_write_object(json, "shards", sb_shards_fields, &saved->parts);
}

struct file_blocks {
    uint64_t decks, done, all;
};

static const struct sb_store_field file_blocks_fields[] = {
    { "decks", SB_STORE_INTEGER, .fixed = true, .at = offsetof(struct file_blocks, decks) },
    { "done", SB_STORE_INTEGER, .at = offsetof(struct file_blocks, done) },
    { "all", SB_STORE_INTEGER, .fixed = true, .at = offsetof(struct file_blocks, all) },
    { .name = NULL },
};

static struct file_blocks file_blocks_of(const struct sb_saved *saved)
{
    const size_t n = saved->evidence.n;

    return (struct file_blocks) {
        .decks = sb_block_decks(n),
        .done = saved->parts.of ? sb_shards_done(&saved->parts) : sb_blocks_all(n, saved->evidence.total).count,
        .all = sb_blocks_all(n, saved->samples).count,
    };
}

/* Reads how many blocks are finished. This determines the number of decks, because only the last block may be
 * smaller. */
static void file_read_blocks(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    struct sb_saved *const saved = record;
    const size_t n = saved->evidence.n, deal = saved->evidence.deal;
    struct file_blocks is = file_blocks_of(saved);
    const uint64_t least = saved->parts.of ? is.done : 0, most = saved->parts.of ? is.done : is.all;

    if (sb_cells(n, deal) == 0 && n * deal > SB_MATRIX_MOST)
        sb_json_field_fail(in, "n", "is too large for a matrix of items by positions");
    else if (sb_evidence_open(SB_BY_SAMPLE, n, deal, &saved->evidence))
        in->status = sb_error_memory(in->error, "the tallies");
    if (in->status)
        return;
    sb_store_read(in, "blocks", json_object_get(top, "blocks"), file_blocks_fields, &is);
    sb_json_field_within(in, "blocks.done", is.done, least, most);
    saved->evidence.total = saved->parts.of    ? sb_shards_counted(&saved->parts, n, saved->samples)
                            : is.done < is.all ? is.done * is.decks
                                               : saved->samples;
}

static void file_write_blocks(struct sb_json *json, const void *record)
{
    const struct file_blocks is = file_blocks_of(record);

    sb_store_write_object(json, "blocks", file_blocks_fields, &is);
}

/* ---- the statistics, and repeated decks ---- */

static void file_read_tallies(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    struct sb_saved *const saved = record;

    sb_counts_read_list(in, top, "tallies", 128, saved->evidence.total, &saved->counts, &saved->counts_count);
}

static void file_write_tallies(struct sb_json *json, const void *record)
{
    const struct sb_saved *const saved = record;

    sb_counts_write_list(json, "tallies", saved->counts, saved->counts_count);
}

static const struct sb_store_field file_repeats_fields[] = {
    { "decks", SB_STORE_INTEGER, .at = offsetof(struct sb_saved, decks) },
    { "repeats", SB_STORE_INTEGER, .at = offsetof(struct sb_saved, repeats), .most = "decks" },
    { .name = NULL },
};

static void file_read_repeats(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    struct sb_saved *const saved = record;
    const json_t *const repeats = json_object_get(top, "repeats");

    saved->compared = !json_is_null(repeats);
    if (saved->compared && saved->parts.of)
        sb_json_field_fail(in, "repeats", "must be null, for parts do not compare their decks");
    if (!saved->compared)
        return;
    sb_store_read(in, "repeats", repeats, file_repeats_fields, saved);
    sb_json_field_within(in, "repeats.decks", saved->decks, 0, saved->evidence.total);
}

static void file_write_repeats(struct sb_json *json, const void *record)
{
    const struct sb_saved *const saved = record;

    if (saved->compared)
        sb_store_write_object(json, "repeats", file_repeats_fields, saved);
    else
        sb_json_null(json, "repeats");
}

/* ---- the file ---- */

const struct sb_store_field sb_saved_fields[] = {
    { "schema", .kind = SB_STORE_ELSEWHERE },
    { "version", SB_STORE_TEXT, .shown = true, .at = offsetof(struct sb_saved, version) },
    { "subject", SB_STORE_PART, .read = file_read_subject, .write = file_write_subject },
    { "n", SB_STORE_SIZE, .at = offsetof(struct sb_saved, evidence.n), .high = SB_COMPUTED_MOST, .same = true },
    { "deal", SB_STORE_SIZE, .at = offsetof(struct sb_saved, evidence.deal), .low = 1, .most = "n", .same = true },
    { "samples", SB_STORE_INTEGER, .at = offsetof(struct sb_saved, samples), .low = 1, .same = true },
    { "statistics", SB_STORE_TEXT, .at = offsetof(struct sb_saved, statistics), .null = true },
    { "profile", SB_STORE_TEXT, .at = offsetof(struct sb_saved, profile), .null = true, .same = true },
    { "increments", SB_STORE_BOOL, .at = offsetof(struct sb_saved, increments), .same = true },
    { "cards", SB_STORE_TEXT, .at = offsetof(struct sb_saved, cards), .same = true, .optional = true, .omitted = true },
    { "shards", SB_STORE_PART, .optional = true, .read = file_read_shards, .write = file_write_shards },
    { "blocks", SB_STORE_PART, .read = file_read_blocks, .write = file_write_blocks },
    { "evidence", SB_STORE_PART, .read = evidence_read, .write = evidence_write },
    { "matrix", SB_STORE_PART, .read = evidence_read_matrix, .write = evidence_write_matrix },
    { "tallies", SB_STORE_PART, .read = file_read_tallies, .write = file_write_tallies },
    { "repeats", SB_STORE_PART, .read = file_read_repeats, .write = file_write_repeats },
    { "checksum", .kind = SB_STORE_ELSEWHERE },
    { .name = NULL },
};

static void file_read(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    sb_store_read(in, "", top, sb_saved_fields, record);
}

const struct sb_store_form sb_saved_form = { "shufflebias.evidence/1", file_read };

/* Whether these are the first bytes of saved evidence: an object that is broken into lines, or whose first
 * field is the schema. A line of a log may be an object, too. */
static bool file_begins(const char begins[], size_t length)
{
    static const char schema[] = "{\"schema\"";

    if (length == 0 || begins[0] != '{')
        return false;
    return length == 1 || strchr("\r\n\t", begins[1]) ||
           strncmp(begins, schema, length < sizeof schema ? length : sizeof schema - 1) == 0;
}

static bool file_is_saved(const char *path, bool unread)
{
    struct sb_retry retry = { .began = 0 };
    char begins[16] = "";
    struct stat about;
    bool there = false;
    ssize_t got;

    if (!path || strcmp(path, "-") == 0 || sb_file_status(path, false, &there, &about) || !there ||
        !S_ISREG(about.st_mode))
        return false;
    const int descriptor = sb_file_open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0);

    if (descriptor < 0)
        return false;
    do
        got = read(descriptor, begins, sizeof begins);
    while (got < 0 && sb_retry_again(&retry, errno));
    close(descriptor);
    return got < 0 ? unread : file_begins(begins, (size_t)got);
}

bool sb_saved_is(const char *path)
{
    return file_is_saved(path, false);
}

bool sb_saved_resumes(const char *path)
{
    return file_is_saved(path, true);
}

enum sb_status sb_saved_read(const char *path, const char *remedy, struct sb_error *error, struct sb_saved **saved)
{
    if (!path)
        return sb_error_null(error, "the file");
    const struct sb_store_form forms[] = { sb_saved_form, { .schema = NULL } };
    struct sb_saved *const made = calloc(1, sizeof *made);
    enum sb_status status;

    if (!made || !(made->path = strdup(path)))
        status = sb_error_memory(error, "saved evidence");
    else
        status = sb_store_file_read(path, SB_STORE_EVIDENCE, remedy, forms, made, error, &made->checksum);
    if (status)
        sb_saved_free(made);
    else
        *saved = made;
    return status;
}

enum sb_status sb_saved_new(const char *path, struct sb_error *error, struct sb_saved **saved)
{
    return sb_saved_read(path, sb_evidence_anew, error, saved);
}
