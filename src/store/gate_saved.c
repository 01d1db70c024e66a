/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A gate's saved evidence: in memory, where it describes the run that recorded it and is compared with a
 * request, and in its file, whose fields must agree with each other. */
#include "core/core.h"
#include "gate/gate.h"
#include "report/result.h"
#include "store/store.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void sb_gate_saved_free(struct sb_gate_saved *saved)
{
    if (!saved)
        return;
    sb_snapshot_close(&saved->snapshot);
    sb_saved_free(saved->report);
    free(saved->point);
    free(saved->decks);
    free(saved->path);
    sb_store_free(sb_gate_saved_fields, saved);
    free(saved);
}

bool sb_gate_saved_done(const struct sb_gate_saved *saved)
{
    return saved->replays && saved->verdict &&
           (strcmp(saved->verdict, "inconclusive") != 0 || saved->snapshot.total >= saved->terms.limit);
}

static bool saved_is_scheme(const struct sb_gate_saved *saved)
{
    return strcmp(saved->subject.kind, "scheme") == 0;
}

void sb_gate_saved_asked(const struct sb_gate_saved *saved, struct sb_subject *subject, struct sb_request *options)
{
    *subject = (struct sb_subject) {
        .scheme = saved_is_scheme(saved) ? saved->scheme.name : NULL,
        .n = saved->snapshot.n,
        .deal = saved->deal < saved->snapshot.n ? saved->deal : 0,
        .name = saved->subject.name,
        .seed = saved->subject.of.seed,
    };
    sb_subject_saved_fill(&saved->subject, subject);
    if (!saved->report) {
        options->alpha = saved->terms.alpha;
        options->delta = saved->terms.delta;
        options->exclude = saved->terms.exclude;
        options->tolerate = saved->terms.tolerate;
    }
    options->seeds = saved->terms.seeds;
    options->limit = saved->report ? 0 : saved->terms.limit;
    options->profile = saved->profile;
    options->increments = saved->increments;
    sb_request_restore(options);
    options->saved = saved;
}

enum sb_status sb_gate_saved_foreign(const struct sb_gate_saved *saved, struct sb_error *error)
{
    return sb_checksummed_foreign(saved->path, saved->version, error);
}

static bool saved_given(const struct sb_subject *subject)
{
    return subject->scheme || subject->command || subject->file || subject->shuffle;
}

static void saved_fill(const struct sb_gate_saved *saved, struct sb_subject *subject)
{
    subject->n = subject->n ? subject->n : saved->snapshot.n;
    subject->deal = subject->deal ? subject->deal : saved->deal < saved->snapshot.n ? saved->deal : 0;
    sb_subject_saved_fill(&saved->subject, subject);
    if (!saved_is_scheme(saved))
        return;
    if (!saved_given(subject))
        subject->scheme = saved->scheme.shuffle_name;
    subject->draw = subject->draw ? subject->draw : saved->scheme.draw_name;
    subject->rng = subject->rng ? subject->rng : saved->scheme.rng.name;
}

static void saved_compare(const struct sb_gate_saved *saved, const struct sb_subject *subject,
                          const struct sb_request *options, struct sb_mismatch *differs)
{
    const struct sb_gate_terms terms = {
        .alpha = options->alpha,
        .delta = options->delta,
        .exclude = options->exclude,
        .tolerate = options->tolerate,
        .limit = saved->replays ? options->limit : saved->terms.limit,
        .seeds = options->seeds,
    };
    struct sb_gate_saved asked = {
        .subject = sb_subject_saved_of(saved->subject.kind, NULL, subject),
        .snapshot = { .n = subject->n },
        .deal = subject->deal ? subject->deal : subject->n,
        .terms = saved->report ? saved->terms : terms,
        .profile = options->profile,
        .increments = options->increments,
    };

    asked.subject.of.seed = saved_is_scheme(saved) ? subject->seed : 0; /* subjects of other kinds have no seed */
    sb_store_compare(sb_gate_saved_fields, saved, &asked, differs);
}

static enum sb_status saved_check_report(const struct sb_gate_saved *saved, const struct sb_request *options,
                                         struct sb_error *error)
{
    if (options->save)
        return sb_error_set(
            error, SB_INVALID,
            "'%.200s' is a report's evidence, which a gate cannot resume: resume it with 'shufflebias report', "
            "and judge it then",
            saved->path);
    if (options->limit)
        return sb_error_set(error, SB_INVALID,
                            "`limit=%llu`: '%.200s' is a report's evidence, and all that was counted is "
                            "looked at, once: leave it out",
                            (unsigned long long)options->limit, saved->path);
    if (saved->snapshot.n < 2)
        return sb_error_set(error, SB_INVALID,
                            "'%.200s' is evidence of `n = %zu`: there is only one order, and nothing to test",
                            saved->path, saved->snapshot.n);
    return SB_OK;
}

enum sb_status sb_gate_saved_agrees(const struct sb_gate_saved *saved, const struct sb_request *options,
                                    struct sb_error *error, struct sb_subject *subject)
{
    struct sb_mismatch differs = { 0 };
    char again[64];
    const char *remedy = "leave it out";
    enum sb_status status = saved->report ? saved_check_report(saved, options, error) : SB_OK;

    if (status)
        return status;
    saved_fill(saved, subject);
    saved_compare(saved, subject, options, &differs);
    if (!differs.field && saved_given(subject)) {
        status = sb_subject_differs(subject, saved->subject.kind, saved->subject.name, saved->subject.words, error,
                                    &differs);
        if (!saved_is_scheme(saved)) { /* the caller must name the subject again */
            snprintf(again, sizeof again, "say the %s of that run again", saved->subject.kind);
            remedy = again;
        }
    }
    if (status == SB_OK)
        status = sb_mismatch_say(&differs, saved->path, remedy, error);
    if (status || !options->save || sb_gate_saved_done(saved))
        return status;
    if (!saved_given(subject))
        return sb_error_set(error, SB_INVALID, "'%.200s' is evidence of the %s '%.100s': %s", saved->path,
                            saved->subject.kind, saved->subject.name,
                            strcmp(saved->subject.kind, "command") == 0 ? "give it again, after '--'"
                                                                        : "name it again");
    return sb_checksummed_version(saved->path, saved->version, error);
}

/* ---- the terms ---- */

enum { FILE_LOOKS_MOST = 1 << 13 }; /* more than the number of looks at up to 2^63 permutations */

static const char file_schema[] = "shufflebias.gate-evidence/3";

const struct sb_store_field sb_gate_terms_fields[] = {
    { "alpha", SB_STORE_LEVEL, .at = offsetof(struct sb_gate_terms, alpha), .same = true },
    { "delta", SB_STORE_LEVEL, .at = offsetof(struct sb_gate_terms, delta), .same = true },
    { "exclude", SB_STORE_SHARE, .at = offsetof(struct sb_gate_terms, exclude), .same = true },
    { "tolerate", SB_STORE_SHARE, .at = offsetof(struct sb_gate_terms, tolerate), .most = "exclude", .same = true },
    { "limit", SB_STORE_INTEGER, .at = offsetof(struct sb_gate_terms, limit), .low = 1, .same = true },
    { "seeds", SB_STORE_INTEGER, .at = offsetof(struct sb_gate_terms, seeds), .low = 1, .null = true, .same = true },
    { .name = NULL },
};

static const char *const file_verdicts[] = { "inconclusive", "pass", "fail", NULL };

/* ---- the looks: four arrays, each with one element per look, which plotting programs can read directly ---- */

enum { FILE_LOOK_REALS = 3 };

static const struct sb_store_field file_looks_fields[] = {
    { "total", .kind = SB_STORE_ELSEWHERE },
    { "ln_e", SB_STORE_ELSEWHERE, .at = offsetof(struct sb_gate_point, ln_e), .null = true },
    { "tv_low", SB_STORE_ELSEWHERE, .at = offsetof(struct sb_gate_point, tv_low) },
    { "tv_high", SB_STORE_ELSEWHERE, .at = offsetof(struct sb_gate_point, tv_high) },
    { .name = NULL },
};

/* Reads one of the three numbers of each look. If the row allows null, null means infinity. */
static void file_read_numbers(struct sb_json_field_reader *in, const json_t *object, const struct sb_store_field *field,
                              const struct sb_gate_saved *saved)
{
    const json_t *const array = json_object_get(object, field->name);
    bool well = json_array_size(array) == saved->points_count;

    for (size_t i = 0; well && i < saved->points_count; i++) {
        const json_t *const value = json_array_get(array, i);
        const double number = json_is_number(value) ? json_number_value(value) : HUGE_VAL;

        well = json_is_number(value) || (field->null && json_is_null(value));
        memcpy((char *)&saved->point[i] + field->at, &number, sizeof number);
    }
    if (!well)
        sb_json_field_fail(in, field->name, "must hold a number for each look");
}

/* Reads the looks up to the total. The looks of all runs come after the same numbers of permutations. Each
 * look in the file must come after one of these numbers. */
static void file_read_looks(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    const json_t *const object = json_object_get(top, "looks"), *total;
    struct sb_gate_saved *const saved = record;
    uint64_t next = sb_gate_next_look(0);

    if (!sb_store_enter(in, "looks", object, file_looks_fields))
        return;
    total = sb_json_field_array(in, object, "total", FILE_LOOKS_MOST);
    saved->point = sb_json_field_room(in, json_array_size(total), sizeof saved->point[0]);
    saved->points_count = saved->point ? json_array_size(total) : 0;
    for (size_t i = 1; i <= FILE_LOOK_REALS; i++)
        file_read_numbers(in, object, &file_looks_fields[i], saved);
    for (size_t i = 0; in->status == SB_OK && i < saved->points_count; i++) {
        const json_t *const at = json_array_get(total, i);

        saved->point[i].total = next;
        if (!json_is_integer(at) || (uint64_t)json_integer_value(at) != next || next > saved->snapshot.total)
            sb_json_field_fail(in, "total", "must be where a gate looks, up to the total");
        next = sb_gate_next_look(next);
    }
    if (saved->snapshot.total > next)
        sb_json_field_fail(in, "total", "must go up to the total");
    sb_store_leave(in);
}

void sb_gate_looks_write(struct sb_json *json, const struct sb_gate_point point[], size_t count)
{
    sb_json_object(json, "looks");
    sb_json_array(json, "total", true);
    for (size_t i = 0; i < count; i++)
        sb_json_integer(json, NULL, point[i].total);
    sb_json_close(json);
    for (size_t k = 1; k <= FILE_LOOK_REALS; k++) {
        sb_json_array(json, file_looks_fields[k].name, true);
        for (size_t i = 0; i < count; i++)
            sb_json_real(json, NULL,
                         *(const double *)(const void *)((const char *)&point[i] + file_looks_fields[k].at));
        sb_json_close(json);
    }
    sb_json_close(json);
}

static void file_write_looks(struct sb_json *json, const void *record)
{
    const struct sb_gate_saved *const saved = record;

    sb_gate_looks_write(json, saved->point, saved->points_count);
}

/* ---- the decks: 32 hexadecimal digits for each ---- */

enum { FILE_DECK = 32 };

static void file_read_decks(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    const json_t *const value = json_object_get(top, "decks");
    const char *const text = json_is_string(value) ? json_string_value(value) : "-";
    const size_t length = strlen(text);
    struct sb_gate_saved *const saved = record;
    char digits[FILE_DECK / 2 + 1] = "";
    bool well = length && strspn(text, "0123456789abcdef") == length && length % FILE_DECK == 0 &&
                length / FILE_DECK <= SB_REPEATS_CARRIED;

    saved->decks = sb_json_field_room(in, well ? length / FILE_DECK : 0, sizeof saved->decks[0]);
    for (size_t i = 0; saved->decks && well && i < length / FILE_DECK; i++) {
        struct sb_deck_key *const key = &saved->decks[saved->decks_count++];

        memcpy(digits, text + i * FILE_DECK, FILE_DECK / 2);
        key->high = strtoull(digits, NULL, 16);
        memcpy(digits, text + i * FILE_DECK + FILE_DECK / 2, FILE_DECK / 2);
        key->low = strtoull(digits, NULL, 16);
        well = key->high | key->low; /* a key is never zero: tally/order.h */
    }
    if (!well)
        sb_json_field_fail(in, "decks", "must be 32 hexadecimal digits for each deck");
}

static void file_write_decks(struct sb_json *json, const void *record)
{
    const struct sb_gate_saved *const saved = record;
    FILE *const stream = saved->decks_count ? sb_json_value(json, "decks") : NULL;

    if (!stream)
        return;
    fputc('"', stream);
    for (size_t i = 0; i < saved->decks_count && !ferror(stream); i++)
        fprintf(stream, "%016" PRIx64 "%016" PRIx64, saved->decks[i].high, saved->decks[i].low);
    fputc('"', stream);
}

/* ---- the file ---- */

const struct sb_store_field sb_gate_saved_fields[] = {
    { "schema", .kind = SB_STORE_ELSEWHERE },
    { "version", SB_STORE_TEXT, .shown = true, .at = offsetof(struct sb_gate_saved, version) },
    { "subject", SB_STORE_OBJECT, .at = offsetof(struct sb_gate_saved, subject), .fields = sb_subject_saved_fields },
    { "n", SB_STORE_SIZE, .at = offsetof(struct sb_gate_saved, snapshot.n), .low = 2, .high = SB_TALLIED_MOST,
      .same = true },
    { "deal", SB_STORE_SIZE, .at = offsetof(struct sb_gate_saved, deal), .low = 1, .most = "n", .same = true },
    { "terms", SB_STORE_OBJECT, .at = offsetof(struct sb_gate_saved, terms), .fields = sb_gate_terms_fields },
    { "profile", SB_STORE_TEXT, .at = offsetof(struct sb_gate_saved, profile), .null = true, .same = true },
    { "increments", SB_STORE_BOOL, .at = offsetof(struct sb_gate_saved, increments), .same = true },
    { "items", SB_STORE_TEXT, .at = offsetof(struct sb_gate_saved, items), .optional = true, .omitted = true },
    { "replays", SB_STORE_BOOL, .at = offsetof(struct sb_gate_saved, replays) },
    { "run", SB_STORE_INTEGER, .at = offsetof(struct sb_gate_saved, run), .low = 1, .null = true },
    { "share", SB_STORE_INTEGER, .at = offsetof(struct sb_gate_saved, share), .low = 1, .most = "run", .null = true },
    { "verdict", SB_STORE_CHOICE, .at = offsetof(struct sb_gate_saved, verdict), .null = true,
      .choices = file_verdicts },
    { "total", SB_STORE_INTEGER, .at = offsetof(struct sb_gate_saved, snapshot.total) },
    { "carried", SB_STORE_INTEGER, .at = offsetof(struct sb_gate_saved, carried), .most = "total" },
    { "looks", SB_STORE_PART, .read = file_read_looks, .write = file_write_looks },
    { "tallies", SB_STORE_PART, .at = offsetof(struct sb_gate_saved, snapshot), .read = sb_snapshot_read,
      .write = sb_snapshot_write },
    { "places", .kind = SB_STORE_ELSEWHERE },
    { "repeats", .kind = SB_STORE_ELSEWHERE },
    { "bettor", SB_STORE_PART, .at = offsetof(struct sb_gate_saved, snapshot), .read = sb_snapshot_read_bettor,
      .write = sb_snapshot_write_bettor, .optional = true },
    { "catalogue", SB_STORE_PART, .optional = true, .at = offsetof(struct sb_gate_saved, snapshot),
      .read = sb_snapshot_read_catalogue, .write = sb_snapshot_write_catalogue },
    SB_FINGERPRINTS_FIELDS(struct sb_gate_saved),
    { "decks", SB_STORE_PART, .optional = true, .read = file_read_decks, .write = file_write_decks },
    { "checksum", .kind = SB_STORE_ELSEWHERE },
    { .name = NULL },
};

static void file_read(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    struct sb_gate_saved *const saved = record;
    struct sb_error error;

    sb_store_read(in, "", top, sb_gate_saved_fields, saved);
    if (in->status)
        return;
    saved->ended = saved->verdict;
    if (saved->replays && saved->snapshot.total > saved->terms.limit)
        sb_json_field_fail(in, "total", "must be the limit at most");
    if (saved->snapshot.watched && saved->snapshot.birthday.decks != saved->snapshot.total)
        sb_json_field_fail(in, "repeats.decks", "must be the total");
    if (saved_is_scheme(saved) && !saved->replays)
        sb_json_field_fail(in, "replays", "must be true for a scheme");
    if (saved_is_scheme(saved) && (sb_scheme_parse(saved->subject.name, NULL, NULL, &error, &saved->scheme) ||
                                   strcmp(saved->subject.name, saved->scheme.name) != 0))
        sb_json_field_fail(in, "subject.name", "must be a scheme that this version knows");
}

enum sb_status sb_gate_saved_write(const char *path, const struct sb_gate_saved *saved, int *lock,
                                   struct sb_error *error)
{
    return sb_store_file_write(path, sb_subject_saved_is_command(&saved->subject), file_schema, sb_gate_saved_fields,
                               saved, lock, "`save`", error);
}

/* Reads a report's evidence. Describes the report's run as if it were a gate's, and keeps the counts unchanged. */
static void file_read_report(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    struct sb_gate_saved *const saved = record;
    struct sb_saved *const report = saved->report = sb_json_field_room(in, 1, sizeof *report);
    struct sb_request options;

    if (!report)
        return;
    report->path = sb_json_field_copy(in, in->path);
    sb_saved_form.read(in, top, report);
    if (in->status)
        return;
    sb_request_init(&options, SB_REPORT);
    sb_saved_options(report, &options);
    saved->subject.kind = "scheme";
    saved->subject.name = sb_json_field_copy(in, report->scheme.name);
    saved->scheme = report->scheme;
    saved->version = sb_json_field_copy(in, report->version);
    saved->profile = sb_json_field_copy(in, options.profile);
    saved->subject.of.cards = report->cards ? sb_json_field_copy(in, report->cards) : NULL;
    saved->subject.of.seed = options.seed;
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
    const struct sb_store_form forms[] = {
        { file_schema, file_read },
        { sb_saved_form.schema, file_read_report },
        { .schema = NULL },
    };
    struct sb_gate_saved *const made = calloc(1, sizeof *made);
    enum sb_status status;

    if (!made || !(made->path = strdup(path)))
        status = sb_error_memory(error, "saved evidence");
    else
        status = sb_store_file_read(path, SB_STORE_EVIDENCE, sb_evidence_anew, forms, made, error, &made->checksum);
    if (status)
        sb_gate_saved_free(made);
    else
        *saved = made;
    return status;
}

/* ---- a subject in memory and in a file of evidence ---- */

bool sb_subject_saved_is_command(const struct sb_subject_saved *saved)
{
    return strcmp(saved->kind, "command") == 0;
}

static bool subject_is_command(const void *record)
{
    return sb_subject_saved_is_command(record);
}

static bool subject_is_scheme(const void *record)
{
    const struct sb_subject_saved *const saved = record;

    return strcmp(saved->kind, "scheme") == 0;
}

static const char *const subject_kinds[] = { "scheme", "command", "file", "callback", NULL };

/* A text about the stream, which is a member of struct sb_subject. */
#define SUBJECT_TEXT(member)                                                                                  \
    .name = #member, .kind = SB_STORE_TEXT, .at = offsetof(struct sb_subject_saved, of.member), .null = true, \
    .same = true

const struct sb_store_field sb_subject_saved_fields[] = {
    { "kind", SB_STORE_CHOICE, .at = offsetof(struct sb_subject_saved, kind), .choices = subject_kinds },
    { "name", SB_STORE_TEXT, .shown = true, .at = offsetof(struct sb_subject_saved, name) },
    { "words", SB_STORE_HASH, .at = offsetof(struct sb_subject_saved, words), .given = subject_is_command },
    { "seed", SB_STORE_INTEGER, .at = offsetof(struct sb_subject_saved, of.seed), .given = subject_is_scheme,
      .same = true },
    { "chained", SB_STORE_BOOL, .at = offsetof(struct sb_subject_saved, of.chained), .same = true },
    { SUBJECT_TEXT(input), .usual = "text" },
    { SUBJECT_TEXT(base) },
    { SUBJECT_TEXT(cards) },
    { "free", SB_STORE_BOOL, .at = offsetof(struct sb_subject_saved, of.free), .same = true },
    { SUBJECT_TEXT(match) },
    { SUBJECT_TEXT(json_path) },
    { SUBJECT_TEXT(field) },
    { SUBJECT_TEXT(separator) },
    { .name = NULL },
};

struct sb_subject_saved sb_subject_saved_of(const char *kind, const char *name, const struct sb_subject *subject)
{
    struct sb_subject_saved made = { kind, name, sb_subject_words(subject), *subject };

    if (!subject->scheme)
        made.of.seed = 0;
    return made;
}

void sb_subject_saved_fill(const struct sb_subject_saved *saved, struct sb_subject *subject)
{
    for (const struct sb_store_field *field = sb_subject_saved_fields; field->name; field++) {
        if (field->kind != SB_STORE_TEXT || !field->null) /* not a text about the stream */
            continue;
        const size_t at = field->at - offsetof(struct sb_subject_saved, of);
        const char **const text = (const char **)(void *)((char *)subject + at);

        if (!*text)
            *text = *(const char *const *)(const void *)((const char *)&saved->of + at);
    }
    subject->chained = subject->chained || saved->of.chained;
    subject->free = subject->free || saved->of.free;
}
