/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads and writes a gate's evidence. The reader does not trust the file: every required field must be
 * present, of the right type and in range; there must be no other field; the fields must agree with each
 * other; and the checksum must match.
 */
#include "core/core.h"
#include "gate/gate.h"
#include "report/json_writer.h"
#include "store/checksummed_file.h"
#include "store/evidence/gate_saved.h"
#include "store/evidence/report_saved.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_LOOKS_MOST = 1 << 13 }; /* more than the number of looks at up to 2^63 permutations */

static const char file_schema[] = "shufflebias.gate-evidence/2";

const struct sb_store_field sb_gate_terms_fields[] = {
    { "alpha", SB_STORE_LEVEL, .at = offsetof(struct sb_gate_terms, alpha), .same = true },
    { "delta", SB_STORE_LEVEL, .at = offsetof(struct sb_gate_terms, delta), .same = true },
    { "exclude", SB_STORE_SHARE, .at = offsetof(struct sb_gate_terms, exclude), .same = true },
    { "tolerate", SB_STORE_SHARE, .at = offsetof(struct sb_gate_terms, tolerate), .most = "exclude",
      .same = true },
    { "limit", SB_STORE_INTEGER, .at = offsetof(struct sb_gate_terms, limit), .low = 1, .same = true },
    { "seeds", SB_STORE_INTEGER, .at = offsetof(struct sb_gate_terms, seeds), .low = 1, .null = true,
      .optional = true, .same = true }, /* schema 1 lacks this field */
    { .name = NULL },
};

static const char *const file_verdicts[] = { "inconclusive", "pass", "fail", NULL };

/* ---- the looks ---- */

/* Reads the number for look i from the array `field`. If `infinite` is true, null is allowed and means
 * infinity. */
static double file_read_number(struct sb_json_field_reader *in, const json_t *object, const char *field,
                               size_t i, bool infinite)
{
    const json_t *const value = json_array_get(json_object_get(object, field), i);

    if (infinite && json_is_null(value))
        return HUGE_VAL;
    if (!json_is_number(value))
        sb_json_field_fail(in, field, "must hold a number for each look");
    return json_number_value(value);
}

/* Reads the looks up to the total. The looks of all runs come after the same numbers of permutations. Each
 * look in the file must come after one of these numbers. */
static void file_read_looks(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    static const char *const fields[] = { "total", "ln_e", "tv_low", "tv_high", NULL };
    const json_t *const object = json_object_get(top, "looks"), *total;
    struct sb_gate_saved *const saved = record;
    uint64_t next = sb_gate_next_look(0);

    if (!sb_json_field_enter(in, "looks", object, fields))
        return;
    total = sb_json_field_array(in, object, "total", FILE_LOOKS_MOST);
    saved->point = sb_json_field_room(in, json_array_size(total), sizeof saved->point[0]);
    for (size_t i = 1; i < 4; i++)
        if (json_array_size(json_object_get(object, fields[i])) != json_array_size(total))
            sb_json_field_fail(in, fields[i], "must hold a number for each look");
    for (size_t i = 0; in->status == SB_OK && i < json_array_size(total); i++) {
        const json_t *const at = json_array_get(total, i);

        saved->point[saved->points_count++] = (struct sb_gate_point) {
            .total = next,
            .ln_e = file_read_number(in, object, "ln_e", i, true),
            .tv_low = file_read_number(in, object, "tv_low", i, false),
            .tv_high = file_read_number(in, object, "tv_high", i, false),
        };
        if (!json_is_integer(at) || (uint64_t)json_integer_value(at) != next || next > saved->snapshot.total)
            sb_json_field_fail(in, "total", "must be where a gate looks, up to the total");
        next = sb_gate_next_look(next);
    }
    if (saved->snapshot.total > next)
        sb_json_field_fail(in, "total", "must go up to the total");
    sb_json_field_leave(in);
}

/* Writes an array with one number for each look: the number at `offset` in the struct of the look. */
static void file_write_numbers(struct sb_json *json, const char *key, const struct sb_gate_point point[],
                               size_t count, size_t offset)
{
    sb_json_array(json, key, true);
    for (size_t i = 0; i < count; i++) {
        double number;

        memcpy(&number, (const char *)&point[i] + offset, sizeof number);
        sb_json_real(json, NULL, number);
    }
    sb_json_close(json);
}

/* Writes four arrays, each with one element per look. Plotting programs can read these arrays directly. */
void sb_gate_looks_write(struct sb_json *json, const struct sb_gate_point point[], size_t count)
{
    sb_json_object(json, "looks");
    sb_json_array(json, "total", true);
    for (size_t i = 0; i < count; i++)
        sb_json_integer(json, NULL, point[i].total);
    sb_json_close(json);
    file_write_numbers(json, "ln_e", point, count, offsetof(struct sb_gate_point, ln_e));
    file_write_numbers(json, "tv_low", point, count, offsetof(struct sb_gate_point, tv_low));
    file_write_numbers(json, "tv_high", point, count, offsetof(struct sb_gate_point, tv_high));
    sb_json_close(json);
}

static void file_write_looks(struct sb_json *json, const void *record)
{
    const struct sb_gate_saved *const saved = record;

    sb_gate_looks_write(json, saved->point, saved->points_count);
}

/* ---- the file ---- */

const struct sb_store_field sb_gate_saved_fields[] = {
    { "schema", .kind = SB_STORE_ELSEWHERE },
    { "version", SB_STORE_TEXT, .shown = true, .at = offsetof(struct sb_gate_saved, version) },
    { "subject", SB_STORE_OBJECT, .at = offsetof(struct sb_gate_saved, subject),
      .fields = sb_subject_saved_fields },
    { "n", SB_STORE_SIZE, .at = offsetof(struct sb_gate_saved, snapshot.n), .low = 2, .high = SB_TALLIED_MOST,
      .same = true },
    { "deal", SB_STORE_SIZE, .at = offsetof(struct sb_gate_saved, deal), .low = 1, .most = "n",
      .same = true },
    { "terms", SB_STORE_OBJECT, .at = offsetof(struct sb_gate_saved, terms), .fields = sb_gate_terms_fields },
    { "profile", SB_STORE_TEXT, .at = offsetof(struct sb_gate_saved, profile), .null = true, .same = true },
    { "increments", SB_STORE_BOOL, .at = offsetof(struct sb_gate_saved, increments), .same = true },
    { "items", SB_STORE_TEXT, .at = offsetof(struct sb_gate_saved, items), .optional = true,
      .omitted = true },
    { "verdict", SB_STORE_CHOICE, .at = offsetof(struct sb_gate_saved, verdict), .null = true,
      .choices = file_verdicts },
    { "total", SB_STORE_INTEGER, .at = offsetof(struct sb_gate_saved, snapshot.total) },
    { "looks", SB_STORE_PART, .read = file_read_looks, .write = file_write_looks },
    { "tallies", SB_STORE_PART, .at = offsetof(struct sb_gate_saved, snapshot), .read = sb_snapshot_read,
      .write = sb_snapshot_write },
    { "places", .kind = SB_STORE_ELSEWHERE },
    { "repeats", .kind = SB_STORE_ELSEWHERE },
    { "bettor", SB_STORE_PART, .at = offsetof(struct sb_gate_saved, snapshot),
      .read = sb_snapshot_read_bettor, .write = sb_snapshot_write_bettor,
      .optional = true }, /* evidence of older versions lacks this field */
    { "catalogue", SB_STORE_PART, .optional = true, .at = offsetof(struct sb_gate_saved, snapshot),
      .read = sb_snapshot_read_catalogue, .write = sb_snapshot_write_catalogue },
    { "openings", SB_STORE_PART, .at = offsetof(struct sb_gate_saved, fingerprints),
      .read = sb_fingerprints_read, .write = sb_fingerprints_write },
    { "uncounted", SB_STORE_ELSEWHERE, .since = 2 },
    { "checksum", .kind = SB_STORE_ELSEWHERE },
    { .name = NULL },
};

/*
 * In schema 1, a run counted all of its permutations, and the gate dropped later runs of fewer than
 * SB_FINGERPRINT_DECKS permutations. So the total of several runs is valid evidence only if no run's length
 * depended on its permutations. The file does not show whether this is true.
 */
static void file_read(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    struct sb_gate_saved *const saved = record;
    struct sb_error error;

    sb_store_read(in, "", top, sb_gate_saved_fields, saved);
    if (in->status)
        return;
    saved->ended = saved->verdict;
    if (saved->snapshot.total > saved->terms.limit)
        sb_json_field_fail(in, "total", "must be the limit at most");
    if (saved->snapshot.watched && saved->snapshot.birthday.decks != saved->snapshot.total)
        sb_json_field_fail(in, "repeats.decks", "must be the total");
    if (in->schema == 1 && saved->fingerprints.count > 1)
        sb_json_field_fail(in, "openings",
                           "of schema 1 adds up several runs, of which short ones were dropped");
    if (strcmp(saved->subject.kind, "scheme") == 0 &&
        (sb_scheme_parse(saved->subject.name, NULL, NULL, &error, &saved->scheme) ||
         strcmp(saved->subject.name, saved->scheme.name) != 0))
        sb_json_field_fail(in, "subject.name", "must be a scheme that this version knows");
}

enum sb_status sb_gate_saved_write(const char *path, const struct sb_gate_saved *saved, int *lock,
                                   struct sb_error *error)
{
    return sb_checksummed_replace(path, sb_subject_saved_is_command(&saved->subject), file_schema,
                                  sb_gate_saved_fields, saved, lock, "`saved`", error);
}

/* Reads a report's evidence. Describes the report's run as if it were a gate's, and keeps the counts
 * unchanged. */
static void file_read_report(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    struct sb_gate_saved *const saved = record;
    struct sb_saved *const report = saved->report = sb_json_field_room(in, 1, sizeof *report);
    struct sb_options options;

    if (!report)
        return;
    report->path = sb_json_field_copy(in, in->path);
    sb_saved_form.read(in, top, report);
    if (in->status)
        return;
    sb_saved_options(report, &options);
    saved->subject.kind = "scheme";
    saved->subject.name = sb_json_field_copy(in, report->scheme.name);
    saved->scheme = report->scheme;
    saved->version = sb_json_field_copy(in, report->version);
    saved->profile = sb_json_field_copy(in, options.profile);
    saved->subject.cards = report->cards ? sb_json_field_copy(in, report->cards) : NULL;
    saved->subject.seed = options.seed;
    saved->snapshot.n = options.n;
    saved->deal = options.deal;
    saved->increments = options.increments;
    saved->terms.limit = options.samples;
    saved->ended = !report->evidence.interrupted;
}

enum sb_status sb_gate_saved_new(const char *path, struct sb_error *error, struct sb_gate_saved **saved)
{
    if (!path)
        return sb_error_null(error, "the file");
    const struct sb_checksummed_form forms[] = {
        { file_schema, file_read },
        { sb_saved_form.schema, file_read_report },
    };
    struct sb_gate_saved *const made = calloc(1, sizeof *made);
    enum sb_status status;

    if (!made || !(made->path = strdup(path)))
        status = sb_error_memory(error, "saved evidence");
    else
        status = sb_checksummed_read(path, forms, sizeof forms / sizeof forms[0], sb_checksummed_anew, made,
                                     error, &made->checksum);
    if (status)
        sb_gate_saved_free(made);
    else
        *saved = made;
    return status;
}
