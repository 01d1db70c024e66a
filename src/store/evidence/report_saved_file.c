/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads and writes a report's evidence. The reader does not trust the file: every required field must be
 * present, of the right type and in range; there must be no other field; the fields must agree with each
 * other; and the checksum must match.
 */
#include "core/core.h"
#include "core/system.h"
#include "report/json_writer.h"
#include "store/evidence/report_saved.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the scheme: its name, and the parts of the name ---- */

static void file_read_subject(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    static const char *const fields[] = { "name", "shuffle", "draw", "rng", NULL };
    const json_t *const object = json_object_get(top, "subject");
    struct sb_scheme *const scheme = &((struct sb_saved *)record)->scheme;
    struct sb_error error;
    char *name;

    if (!sb_json_field_enter(in, "subject", object, fields))
        return;
    name = sb_json_field_string(in, object, "name", false);
    if (name && sb_scheme_parse(name, NULL, NULL, &error, scheme))
        sb_json_field_fail(in, "name", "must be a scheme that this version knows");
    free(name);
    if (in->status)
        return;
    sb_json_field_same(in, object, "name", scheme->name);
    sb_json_field_same(in, object, "shuffle", scheme->shuffle_name);
    sb_json_field_same(in, object, "draw", scheme->draw_name);
    sb_json_field_same(in, object, "rng", scheme->rng.name);
    sb_json_field_leave(in);
}

static void file_write_subject(struct sb_json *json, const void *record)
{
    const struct sb_scheme *const scheme = &((const struct sb_saved *)record)->scheme;

    sb_json_object(json, "subject");
    sb_json_string(json, "name", scheme->name);
    sb_json_string(json, "shuffle", scheme->shuffle_name);
    sb_json_string(json, "draw", scheme->draw_name);
    sb_json_string(json, "rng", scheme->rng.name);
    sb_json_close(json);
}

/* ---- the shards of a run, and the blocks ---- */

static void file_read_shards(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    struct sb_saved *const saved = record;

    sb_shards_read(in, json_object_get(top, "shards"), saved->evidence.n, saved->samples, &saved->parts);
}

static void file_write_shards(struct sb_json *json, const void *record)
{
    const struct sb_saved *const saved = record;

    if (saved->parts.of)
        sb_shards_write(json, &saved->parts);
}

/* Reads how many blocks are finished. This determines the number of decks, because only the last block may be
 * smaller. */
static void file_read_blocks(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    static const char *const fields[] = { "decks", "done", "all", NULL };
    struct sb_saved *const saved = record;
    const json_t *const object = json_object_get(top, "blocks");
    const size_t n = saved->evidence.n, deal = saved->evidence.deal;
    const uint64_t block = sb_block_decks(n), all = sb_blocks_all(n, saved->samples).count;
    const uint64_t parts = sb_shards_done(&saved->parts);
    uint64_t done;

    if (sb_cells(n, deal) == 0 && n * deal > SB_MATRIX_MOST)
        sb_json_field_fail(in, "n", "is too large for a matrix of items by positions");
    else if (sb_evidence_open(SB_BY_SAMPLE, n, deal, &saved->evidence))
        in->status = sb_error_memory(in->error, "the tallies");
    if (!sb_json_field_enter(in, "blocks", object, fields))
        return;
    sb_json_field_integer(in, object, "decks", block, block);
    sb_json_field_integer(in, object, "all", all, all);
    done =
        sb_json_field_integer(in, object, "done", saved->parts.of ? parts : 0, saved->parts.of ? parts : all);
    saved->evidence.total = saved->parts.of ? sb_shards_counted(&saved->parts, n, saved->samples)
                            : done < all    ? done * block
                                            : saved->samples;
    sb_json_field_leave(in);
}

static void file_write_blocks(struct sb_json *json, const void *record)
{
    const struct sb_saved *const saved = record;
    const struct sb_evidence *const evidence = &saved->evidence;

    sb_json_object(json, "blocks");
    sb_json_integer(json, "decks", sb_block_decks(evidence->n));
    sb_json_integer(json, "done",
                    saved->parts.of ? sb_shards_done(&saved->parts)
                                    : sb_blocks_all(evidence->n, evidence->total).count);
    sb_json_integer(json, "all", sb_blocks_all(evidence->n, saved->samples).count);
    sb_json_close(json);
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

    sb_counts_write_list(json, "tallies", saved->tally, saved->tally_count);
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
    if (!saved->compared || !sb_store_enter(in, "repeats", repeats, file_repeats_fields))
        return;
    sb_store_take(in, repeats, file_repeats_fields, saved);
    sb_json_field_within(in, "decks", saved->decks, 0, saved->evidence.total);
    sb_json_field_leave(in);
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
    { "n", SB_STORE_SIZE, .at = offsetof(struct sb_saved, evidence.n), .high = SB_COMPUTED_MOST,
      .same = true },
    { "deal", SB_STORE_SIZE, .at = offsetof(struct sb_saved, evidence.deal), .low = 1, .most = "n",
      .same = true },
    { "samples", SB_STORE_INTEGER, .at = offsetof(struct sb_saved, samples), .low = 1, .same = true },
    { "statistics", SB_STORE_TEXT, .at = offsetof(struct sb_saved, statistics), .null = true },
    { "profile", SB_STORE_TEXT, .at = offsetof(struct sb_saved, profile), .null = true, .same = true },
    { "increments", SB_STORE_BOOL, .at = offsetof(struct sb_saved, increments), .same = true },
    { "cards", SB_STORE_TEXT, .at = offsetof(struct sb_saved, cards), .same = true, .optional = true,
      .omitted = true },
    { "shards", SB_STORE_PART, .optional = true, .read = file_read_shards, .write = file_write_shards },
    { "blocks", SB_STORE_PART, .read = file_read_blocks, .write = file_write_blocks },
    { "evidence", SB_STORE_PART, .read = sb_saved_read_evidence, .write = sb_saved_write_evidence },
    { "matrix", SB_STORE_PART, .read = sb_saved_read_matrix, .write = sb_saved_write_matrix },
    { "tallies", SB_STORE_PART, .read = file_read_tallies, .write = file_write_tallies },
    { "repeats", SB_STORE_PART, .read = file_read_repeats, .write = file_write_repeats },
    { "checksum", .kind = SB_STORE_ELSEWHERE },
    { .name = NULL },
};

static void file_read(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    sb_store_read(in, "", top, sb_saved_fields, record);
}

const struct sb_checksummed_form sb_saved_form = { "shufflebias.evidence/1", file_read };

/* Whether these are the first bytes of saved evidence: an object that is broken into lines, or whose first field is the
 * schema. A line of a log may be an object, too. */
static bool file_begins(const char begins[], size_t length)
{
    static const char schema[] = "{\"schema\"";

    if (length == 0 || begins[0] != '{')
        return false;
    return length == 1 || strchr("\r\n\t", begins[1]) ||
           strncmp(begins, schema, length < sizeof schema ? length : sizeof schema - 1) == 0;
}

bool sb_saved_is(const char *path)
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
    return got > 0 && file_begins(begins, (size_t)got);
}

enum sb_status sb_saved_read(const char *path, const char *remedy, struct sb_error *error,
                             struct sb_saved **saved)
{
    if (!path)
        return sb_error_null(error, "the file");
    struct sb_saved *const made = calloc(1, sizeof *made);
    enum sb_status status;

    if (!made || !(made->path = strdup(path)))
        status = sb_error_memory(error, "saved evidence");
    else
        status = sb_checksummed_read(path, &sb_saved_form, 1, remedy, made, error, &made->checksum);
    if (status)
        sb_saved_free(made);
    else
        *saved = made;
    return status;
}

enum sb_status sb_saved_new(const char *path, struct sb_error *error, struct sb_saved **saved)
{
    return sb_saved_read(path, sb_checksummed_anew, error, saved);
}
