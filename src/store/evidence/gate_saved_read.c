/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A gate's evidence from its file. Nothing in it is believed: every field has to be there, of its type and in
 * its range, no other may be, what they say together has to hold, and so has the checksum: a file that was
 * cut, edited or damaged is read not at all.
 */
#include "core/error.h"
#include "core/permutation.h"
#include "gate/gate.h"
#include "store/checksummed_file.h"
#include "store/evidence/gate_saved.h"
#include "store/evidence/report_saved.h"
#include "store/json_field.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { READ_LOOKS_MOST = 1 << 13 }; /* more than there are up to 2^63 permutations */

/* A text that has to be one of these; its place among them. */
static size_t read_among(struct sb_json_field_reader *in, const json_t *object, const char *field,
                         const char *const names[], size_t count)
{
    const char *const text = json_string_value(json_object_get(object, field));
    char what[96] = "must be one of";
    size_t at = 0;

    while (at < count && !(text && strcmp(text, names[at]) == 0))
        at++;
    if (at < count)
        return at;
    for (size_t i = 0; i < count; i++)
        snprintf(what + strlen(what), sizeof what - strlen(what), " %s", names[i]);
    sb_json_field_fail(in, field, what);
    return 0;
}

static void read_subject(struct sb_json_field_reader *in, const json_t *object, struct sb_gate_saved *saved)
{
    static const char *const fields[] = { "kind",  "name", "words", "seed", "chained",
                                          "input", "base", "cards", "free", NULL };
    static const char *const kinds[] = { "scheme", "command", "file", "callback" };
    const json_t *words;
    struct sb_error error;

    if (!sb_json_field_enter(in, "subject", object, fields))
        return;
    saved->kind = kinds[read_among(in, object, "kind", kinds, sizeof kinds / sizeof kinds[0])];
    saved->name = sb_json_field_string(in, object, "name", false);
    if (strcmp(saved->kind, "scheme") == 0) {
        saved->seed = sb_json_field_integer(in, object, "seed", 0, INT64_MAX);
        if (saved->name && (sb_scheme_parse(saved->name, NULL, NULL, &error, &saved->scheme) ||
                            strcmp(saved->name, saved->scheme.name) != 0))
            sb_json_field_fail(in, "name", "must be a scheme that this version knows");
    } else if (!json_is_null(json_object_get(object, "seed"))) {
        sb_json_field_fail(in, "seed", "must be null");
    }
    words = json_object_get(object, "words");
    if (strcmp(saved->kind, "command") == 0)
        saved->words = sb_json_field_hash(in, "words", words);
    else if (!json_is_null(words))
        sb_json_field_fail(in, "words", "must be null");
    sb_input_format_take(in, object, &saved->reading);
}

static double read_share(struct sb_json_field_reader *in, const json_t *object, const char *field,
                         double most)
{
    const json_t *const value = json_object_get(object, field);
    const double share = json_number_value(value);

    if (!json_is_number(value) || !(share >= 0 && share <= most))
        sb_json_field_fail(in, field, "must be a number from 0 to 1, and tolerate no more than exclude");
    return share;
}

static void read_terms(struct sb_json_field_reader *in, const json_t *object, struct sb_gate_terms *terms)
{
    static const char *const fields[] = { "alpha", "delta", "exclude", "tolerate", "limit", "seeds", NULL };

    if (!sb_json_field_enter(in, "terms", object, fields))
        return;
    terms->alpha = sb_json_field_level(in, object, "alpha");
    terms->delta = sb_json_field_level(in, object, "delta");
    terms->exclude = read_share(in, object, "exclude", 1);
    terms->tolerate = read_share(in, object, "tolerate", terms->exclude);
    terms->limit = sb_json_field_integer(in, object, "limit", 1, INT64_MAX);
    if (json_is_integer(json_object_get(object, "seeds"))) /* nothing of the kind in schema 1 */
        terms->seeds = sb_json_field_integer(in, object, "seeds", 1, INT64_MAX);
    else if (json_object_get(object, "seeds") && !json_is_null(json_object_get(object, "seeds")))
        sb_json_field_fail(in, "seeds", "must be null or an integer");
}

/* A number of a look; null is infinite, where that may be. */
static double read_number(struct sb_json_field_reader *in, const json_t *object, const char *field, size_t i,
                          bool infinite)
{
    const json_t *const value = json_array_get(json_object_get(object, field), i);

    if (infinite && json_is_null(value))
        return HUGE_VAL;
    if (!json_is_number(value))
        sb_json_field_fail(in, field, "must hold a number for each look");
    return json_number_value(value);
}

/* Looks are where every run has them, until the total. */
static void read_looks(struct sb_json_field_reader *in, const json_t *object, struct sb_gate_saved *saved)
{
    static const char *const fields[] = { "total", "ln_e", "tv_low", "tv_high", NULL };
    const json_t *total;
    uint64_t next = sb_gate_next_look(0);

    if (!sb_json_field_enter(in, "looks", object, fields))
        return;
    total = sb_json_field_array(in, object, "total", READ_LOOKS_MOST);
    saved->point = sb_json_field_room(in, json_array_size(total), sizeof saved->point[0]);
    for (size_t i = 1; i < 4; i++)
        if (json_array_size(json_object_get(object, fields[i])) != json_array_size(total))
            sb_json_field_fail(in, fields[i], "must hold a number for each look");
    for (size_t i = 0; in->status == SB_OK && i < json_array_size(total); i++) {
        const json_t *const at = json_array_get(total, i);

        saved->point[saved->points_count++] = (struct sb_gate_point) {
            .total = next,
            .ln_e = read_number(in, object, "ln_e", i, true),
            .tv_low = read_number(in, object, "tv_low", i, false),
            .tv_high = read_number(in, object, "tv_high", i, false),
        };
        if (!json_is_integer(at) || (uint64_t)json_integer_value(at) != next || next > saved->seen.total)
            sb_json_field_fail(in, "total", "must be where a gate looks, up to the total");
        next = sb_gate_next_look(next);
    }
    if (saved->seen.total > next)
        sb_json_field_fail(in, "total", "must go up to the total");
}

/* What the run is. */
static void read_run(struct sb_json_field_reader *in, const json_t *top, struct sb_gate_saved *saved)
{
    static const char *const verdicts[] = {
        [SB_VERDICT_INCONCLUSIVE] = "inconclusive",
        [SB_VERDICT_PASS] = "pass",
        [SB_VERDICT_FAIL] = "fail",
    };
    const size_t count = sizeof verdicts / sizeof verdicts[0];

    saved->version = sb_json_field_string(in, top, "version", false);
    saved->n = sb_json_field_size(in, top, "n", 2, SB_ITEMS_MOST);
    saved->deal = sb_json_field_size(in, top, "deal", 1, saved->n);
    saved->profile = sb_json_field_string(in, top, "profile", true);
    saved->increments = sb_json_field_bool(in, top, "increments");
    saved->seen.total = sb_json_field_integer(in, top, "total", 0, INT64_MAX);
    saved->ended = !json_is_null(json_object_get(top, "verdict"));
    if (saved->ended)
        saved->verdict = (enum sb_verdict)read_among(in, top, "verdict", verdicts, count);
}

/* All but how the runs began; a schema of its own has other fields. */
static void read_whole(struct sb_json_field_reader *in, const json_t *top, const char *const fields[],
                       struct sb_gate_saved *saved)
{
    if (!sb_json_field_enter(in, "", top, fields))
        return;
    read_run(in, top, saved);
    if (in->status == SB_OK)
        read_subject(in, json_object_get(top, "subject"), saved);
    if (in->status == SB_OK)
        read_terms(in, json_object_get(top, "terms"), &saved->terms);
    if (in->status == SB_OK)
        read_looks(in, json_object_get(top, "looks"), saved);
    if (in->status)
        return;
    in->place[0] = '\0';
    if (saved->seen.total > saved->terms.limit)
        sb_json_field_fail(in, "total", "must be the limit at most");
    sb_snapshot_read(in, top, saved->n, saved->seen.total, &saved->seen);
    if (saved->seen.watched && saved->seen.birthday.decks != saved->seen.total)
        sb_json_field_fail(in, "repeats.decks", "must be the total");
}

static const char *const read_fields[] = { "uncounted", "schema",   "version", "subject",    "n",
                                           "deal",      "terms",    "profile", "increments", "verdict",
                                           "total",     "looks",    "tallies", "places",     "repeats",
                                           "openings",  "checksum", NULL };

static void read_top(struct sb_json_field_reader *in, const json_t *top, void *into)
{
    struct sb_gate_saved *const saved = into;

    read_whole(in, top, read_fields, saved);
    if (in->status == SB_OK)
        sb_fingerprints_read(in, top, &saved->openings);
}

/*
 * Schema 1 has no `uncounted`. Its runs counted all of their permutations, and those of fewer than SB_FINGERPRINT_DECKS
 * were dropped, but for the first run. So what several runs added up holds only if no run's length depended
 * on its permutations, which the file cannot show.
 */
static void read_top_1(struct sb_json_field_reader *in, const json_t *top, void *into)
{
    struct sb_gate_saved *const saved = into;

    read_whole(in, top, read_fields + 1, saved);
    if (in->status == SB_OK)
        sb_fingerprints_read_1(in, top, &saved->openings);
    if (saved->openings.count > 1)
        sb_json_field_fail(in, "openings",
                           "of schema 1 adds up several runs, of which short ones were dropped");
}

/* That of a report: what the run is, as a gate has it, and the counts as they are. */
static void read_report(struct sb_json_field_reader *in, const json_t *top, void *into)
{
    struct sb_gate_saved *const saved = into;
    struct sb_saved *const report = saved->report = sb_json_field_room(in, 1, sizeof *report);
    struct sb_options options;

    if (!report)
        return;
    report->path = sb_json_field_copy(in, in->path);
    sb_saved_form.read(in, top, report);
    if (in->status)
        return;
    sb_saved_options(report, &options);
    saved->kind = "scheme";
    saved->name = sb_json_field_copy(in, report->scheme.name);
    saved->scheme = report->scheme;
    saved->version = sb_json_field_copy(in, report->version);
    saved->profile = sb_json_field_copy(in, options.profile);
    saved->seed = options.seed;
    saved->n = options.n;
    saved->deal = options.deal;
    saved->increments = options.increments;
    saved->terms.limit = options.samples;
    saved->ended = !report->evidence.interrupted;
}

enum sb_status sb_gate_saved_new(const char *path, struct sb_error *error, struct sb_gate_saved **saved)
{
    const struct sb_checksummed_form forms[] = {
        { "shufflebias.gate-evidence/2", read_top },
        { "shufflebias.gate-evidence/1", read_top_1 },
        { sb_saved_form.schema, read_report },
    };
    struct sb_gate_saved *const made = calloc(1, sizeof *made);
    enum sb_status status;

    if (!made || !(made->path = strdup(path)))
        status = sb_error_memory(error, "saved evidence");
    else
        status = sb_checksummed_read(path, forms, sizeof forms / sizeof forms[0], sb_checksummed_anew, made,
                                     error, &made->seal);
    if (status)
        sb_gate_saved_free(made);
    else
        *saved = made;
    return status;
}
