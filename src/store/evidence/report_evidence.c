/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fields `evidence` and `matrix` of a report's saved evidence, as in the report's JSON. Each count is
 * written straight to the stream. Cost of writing: O(1) memory. */
#include "report/result.h"
#include "store/evidence/report_saved.h"

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

void sb_saved_read_evidence(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    static const char *const fields[] = { "by", "total", "seed", "rng", "interrupted", "counts", NULL };
    struct sb_saved *const saved = record;
    struct sb_evidence *const evidence = &saved->evidence;
    const json_t *const object = json_object_get(top, "evidence");

    if (!sb_json_field_enter(in, "evidence", object, fields))
        return;
    sb_json_field_same(in, object, "by", "sample");
    sb_json_field_integer(in, object, "total", evidence->total, evidence->total);
    evidence->seed = sb_json_field_integer(in, object, "seed", 0, INT64_MAX);
    sb_json_field_same(in, object, "rng", saved->scheme.rng.name);
    evidence->rng = saved->scheme.rng.name;
    evidence->interrupted = sb_json_field_bool(in, object, "interrupted");
    if (evidence->interrupted != !sb_saved_done(saved))
        sb_json_field_fail(in, "interrupted", "must say whether fewer are counted than asked for");
    evidence_read_counts(in, object, evidence);
    sb_json_field_leave(in);
}

void sb_saved_write_evidence(struct sb_json *json, const void *record)
{
    const struct sb_saved *const saved = record;
    const struct sb_evidence *const evidence = &saved->evidence;

    sb_json_object(json, "evidence");
    sb_json_string(json, "by", "sample");
    sb_json_integer(json, "total", evidence->total);
    sb_json_integer(json, "seed", evidence->seed);
    sb_json_string(json, "rng", saved->scheme.rng.name);
    sb_json_bool(json, "interrupted", !sb_saved_done(saved));
    if (evidence->cells) {
        sb_json_array(json, "counts", true);
        for (size_t rank = 0; rank < evidence->cells && !ferror(json->stream); rank++)
            sb_json_integer(json, NULL, evidence->counts.u64[rank]);
        sb_json_close(json);
    } else {
        sb_json_null(json, "counts");
    }
    sb_json_close(json);
}

void sb_saved_read_matrix(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    struct sb_saved *const saved = record;
    const json_t *const matrix = json_object_get(top, "matrix");
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

/* Writes the matrix as in the report's JSON, unless the counts by rank determine the matrix. */
void sb_saved_write_matrix(struct sb_json *json, const void *record)
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
