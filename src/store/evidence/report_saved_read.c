/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Evidence from its file. Nothing in it is believed: every field has to be there, of its type and in its
 * range, no other may be, what they say together has to hold, and so has the checksum: a file that was cut,
 * edited or damaged is read not at all.
 */
#include "core/error.h"
#include "core/permutation.h"
#include "core/system/file_calls.h"
#include "core/system/retry.h"
#include "store/checksummed_file.h"
#include "store/evidence/report_saved.h"
#include "store/json_field.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether a string of the file is this. */
static void read_same(struct sb_json_field_reader *in, const json_t *object, const char *field,
                      const char *is)
{
    const char *const text = json_string_value(json_object_get(object, field));
    char what[SB_SCHEME_ROOM + 32];

    if (text && strcmp(text, is) == 0)
        return;
    snprintf(what, sizeof what, "must be \"%s\"", is);
    sb_json_field_fail(in, field, what);
}

/* Likewise an integer. */
static void read_equal(struct sb_json_field_reader *in, const json_t *object, const char *field, uint64_t is)
{
    sb_json_field_integer(in, object, field, is, is);
}

static void read_subject(struct sb_json_field_reader *in, const json_t *object, struct sb_saved *saved)
{
    static const char *const fields[] = { "name", "shuffle", "draw", "rng", NULL };
    struct sb_error error;
    char *name;

    if (!sb_json_field_enter(in, "subject", object, fields))
        return;
    name = sb_json_field_string(in, object, "name", false);
    if (name && sb_scheme_parse(name, NULL, NULL, &error, &saved->scheme))
        sb_json_field_fail(in, "name", "must be a scheme that this version knows");
    free(name);
    if (in->status)
        return;
    read_same(in, object, "name", saved->scheme.name);
    read_same(in, object, "shuffle", saved->scheme.shuffle_name);
    read_same(in, object, "draw", saved->scheme.draw_name);
    read_same(in, object, "rng", saved->scheme.rng.name);
}

static void read_blocks(struct sb_json_field_reader *in, const json_t *object, struct sb_saved *saved)
{
    static const char *const fields[] = { "decks", "done", "all", NULL };
    const uint64_t block = sb_block_decks(saved->evidence.n);
    const uint64_t all = sb_blocks_all(saved->evidence.n, saved->samples).count;
    const uint64_t parts = sb_shards_done(&saved->parts);
    uint64_t done;

    if (!sb_json_field_enter(in, "blocks", object, fields))
        return;
    read_equal(in, object, "decks", block);
    read_equal(in, object, "all", all);
    done =
        sb_json_field_integer(in, object, "done", saved->parts.of ? parts : 0, saved->parts.of ? parts : all);
    saved->evidence.total = saved->parts.of
                                ? sb_shards_counted(&saved->parts, saved->evidence.n, saved->samples)
                            : done < all ? done * block
                                         : saved->samples;
}

static void read_evidence(struct sb_json_field_reader *in, const json_t *object, struct sb_saved *saved)
{
    static const char *const fields[] = { "by", "total", "seed", "rng", "interrupted", "counts", NULL };
    struct sb_evidence *const evidence = &saved->evidence;
    const json_t *const counts = json_object_get(object, "counts");

    if (!sb_json_field_enter(in, "evidence", object, fields))
        return;
    read_same(in, object, "by", "sample");
    read_equal(in, object, "total", evidence->total);
    evidence->seed = sb_json_field_integer(in, object, "seed", 0, INT64_MAX);
    read_same(in, object, "rng", saved->scheme.rng.name);
    evidence->rng = saved->scheme.rng.name;
    evidence->interrupted = sb_json_field_bool(in, object, "interrupted");
    if (evidence->interrupted != !sb_saved_done(saved))
        sb_json_field_fail(in, "interrupted", "must say whether fewer are counted than asked for");
    if (evidence->cells == 0 && !json_is_null(counts))
        sb_json_field_fail(in, "counts", "must be null, for orders are too many to be counted");
    if (in->status || evidence->cells == 0)
        return;
    if (json_array_size(counts) != evidence->cells)
        sb_json_field_fail(in, "counts", "must be an array of a count for each order");
    else
        sb_counts_row(in, "counts", counts, 0, evidence->cells, evidence->total, false, evidence->counts.u64);
}

static void read_matrix(struct sb_json_field_reader *in, const json_t *matrix, struct sb_saved *saved)
{
    struct sb_evidence *const evidence = &saved->evidence;
    const size_t n = evidence->n, deal = evidence->deal;
    char field[32];

    if (evidence->cells ? !json_is_null(matrix) : json_array_size(matrix) != n)
        sb_json_field_fail(in, "matrix",
                           evidence->cells ? "must be null" : "must be an array of a row for each item");
    for (size_t i = 0; evidence->cells == 0 && i < n && in->status == SB_OK; i++) {
        const json_t *const row = json_array_get(matrix, i);

        snprintf(field, sizeof field, "matrix[%zu]", i);
        if (json_array_size(row) != deal)
            sb_json_field_fail(in, field, "must be an array of a count for each position");
        else
            sb_counts_row(in, field, row, 0, deal, evidence->total, deal < n,
                          evidence->matrix.u64 + i * deal);
    }
    for (size_t j = 0; evidence->cells == 0 && j < deal && in->status == SB_OK; j++) {
        uint64_t left = evidence->total;

        for (size_t i = 0; i < n && left <= evidence->total; i++)
            left -= evidence->matrix.u64[i * deal + j];
        if (left)
            sb_json_field_fail(in, "matrix", "must add up to the total for each position");
    }
}

static void read_repeats(struct sb_json_field_reader *in, const json_t *repeats, struct sb_saved *saved)
{
    static const char *const fields[] = { "decks", "repeats", NULL };

    saved->compared = !json_is_null(repeats);
    if (saved->compared && saved->parts.of)
        sb_json_field_fail(in, "repeats", "must be null, for parts do not compare their decks");
    if (!saved->compared || !sb_json_field_enter(in, "repeats", repeats, fields))
        return;
    saved->decks = sb_json_field_integer(in, repeats, "decks", 0, saved->evidence.total);
    saved->repeats = sb_json_field_integer(in, repeats, "repeats", 0, saved->decks);
    in->place[0] = '\0';
}

/* What the run is. */
static void read_run(struct sb_json_field_reader *in, const json_t *top, struct sb_saved *saved)
{
    size_t n, deal;

    saved->version = sb_json_field_string(in, top, "version", false);
    n = sb_json_field_size(in, top, "n", 0, SB_ITEMS_MOST);
    deal = sb_json_field_size(in, top, "deal", n > 0, n);
    saved->samples = sb_json_field_integer(in, top, "samples", 1, INT64_MAX);
    saved->statistics = sb_json_field_string(in, top, "statistics", true);
    saved->profile = sb_json_field_string(in, top, "profile", true);
    saved->increments = sb_json_field_bool(in, top, "increments");
    if (in->status == SB_OK && sb_cells(n, deal) == 0 && n * deal > SB_MATRIX_MOST)
        sb_json_field_fail(in, "n", "is too large for a matrix of items by positions");
    if (in->status == SB_OK && sb_evidence_open(SB_BY_SAMPLE, n, deal, &saved->evidence))
        in->status = sb_error_memory(in->error, "the tallies");
}

static void read_top(struct sb_json_field_reader *in, const json_t *top, void *into)
{
    static const char *const fields[] = { "schema",   "version",    "subject", "n",          "deal",
                                          "samples",  "statistics", "profile", "increments", "shards",
                                          "blocks",   "evidence",   "matrix",  "tallies",    "repeats",
                                          "checksum", NULL };
    struct sb_saved *const saved = into;

    if (!sb_json_field_enter(in, "", top, fields))
        return;
    read_run(in, top, saved);
    if (in->status == SB_OK)
        read_subject(in, json_object_get(top, "subject"), saved);
    if (in->status == SB_OK && json_object_get(top, "shards"))
        sb_shards_read(in, json_object_get(top, "shards"), saved->evidence.n, saved->samples, &saved->parts);
    if (in->status == SB_OK)
        read_blocks(in, json_object_get(top, "blocks"), saved);
    if (in->status == SB_OK)
        read_evidence(in, json_object_get(top, "evidence"), saved);
    if (in->status)
        return;
    in->place[0] = '\0';
    read_matrix(in, json_object_get(top, "matrix"), saved);
    if (in->status == SB_OK)
        sb_counts_read_list(in, top, "tallies", 128, saved->evidence.total, &saved->counts,
                            &saved->counts_count);
    if (in->status == SB_OK)
        read_repeats(in, json_object_get(top, "repeats"), saved);
}

const struct sb_checksummed_form sb_saved_form = { "shufflebias.evidence/1", read_top };

bool sb_saved_is(const char *path)
{
    struct sb_retry retry = { .began = 0 };
    char begins[2] = "";
    struct stat about;
    bool there = false;
    ssize_t got;

    if (strcmp(path, "-") == 0 || sb_file_status(path, false, &there, &about) || !there ||
        !S_ISREG(about.st_mode))
        return false;
    const int descriptor = sb_file_open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0);

    if (descriptor < 0)
        return false;
    do
        got = read(descriptor, begins, sizeof begins);
    while (got < 0 && sb_retry_again(&retry, errno));
    close(descriptor);
    return got > 0 && begins[0] == '{' && (got == 1 || strchr("\r\n\t\"", begins[1]));
}

enum sb_status sb_saved_read(const char *path, const char *remedy, struct sb_error *error,
                             struct sb_saved **saved)
{
    struct sb_saved *const made = calloc(1, sizeof *made);
    enum sb_status status;

    if (!made || !(made->path = strdup(path)))
        status = sb_error_memory(error, "saved evidence");
    else
        status = sb_checksummed_read(path, &sb_saved_form, 1, remedy, made, error, &made->seal);
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
