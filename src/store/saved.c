/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file of evidence, data/schema/evidence-1.json: what a report, a gate or a watch has counted, and all that its run
 * needs to resume. The options of the run stand there as the texts that sb_set() reads, and the object `run` has what
 * only the runs of one command have. The reader trusts no file; the writer sends each count straight to the stream.
 */
#include "store/store.h"

#include "core/system.h"
#include "report/result.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

bool sb_saved_is_scheme(const struct sb_saved *saved)
{
    return strcmp(saved->subject.kind, "scheme") == 0;
}

bool sb_saved_ended(const struct sb_saved *saved)
{
    return saved->asked.of == SB_REPORT ? !saved->evidence.interrupted : saved->verdict != NULL;
}

bool sb_saved_done(const struct sb_saved *saved)
{
    return saved->snapshot.total == sb_shards_decks(&saved->parts, saved->asked.n, saved->asked.samples);
}

/* ---- the subject and the options ---- */

static bool subject_is_command(const void *record)
{
    return strcmp(((const struct sb_saved_subject *)record)->kind, "command") == 0;
}

static const char *const subject_kinds[] = { "scheme", "command", "file", "callback", NULL };

static const struct sb_store_field subject_fields[] = {
    { "kind", SB_STORE_CHOICE, .at = offsetof(struct sb_saved_subject, kind), .choices = subject_kinds },
    { "name", SB_STORE_TEXT, .shown = true, .at = offsetof(struct sb_saved_subject, name) },
    { "words", SB_STORE_HASH, .at = offsetof(struct sb_saved_subject, words), .given = subject_is_command },
    { .name = NULL },
};

static bool options_have(const struct sb_option *row, unsigned of)
{
    return row->saved && row->of & of;
}

/* Reads one option. An option may be missing if a member of 0 means that it was not given. */
static void options_read_one(struct sb_json_field_reader *in, const json_t *value, const struct sb_option *row,
                             struct sb_request *asked)
{
    static const struct sb_request none = { .of = 0 };
    const char *const text = json_string_value(value);
    char room[SB_OPTION_TEXT], name[64];
    struct sb_wrong wrong;

    snprintf(name, sizeof name, "options.%s", row->name);
    if (value ? !text : sb_request_text(&none, row, room) != NULL)
        sb_json_field_fail(in, name, "must be a string");
    else if (value && !sb_request_set(asked, row, text, &wrong))
        sb_json_field_fail(in, name, wrong.why);
}

/* Checks what the table of options does not say. */
static void options_check(struct sb_json_field_reader *in, const struct sb_saved *saved)
{
    const struct sb_request *const asked = &saved->asked;

    if (asked->of == SB_REPORT)
        sb_json_field_within(in, "options.samples", asked->samples, 1, INT64_MAX);
    else
        sb_json_field_within(in, "options.n", asked->n, 2, SB_TALLIED_MOST);
    sb_json_field_within(in, "options.deal", saved->deal, asked->n > 0, asked->n);
    if (asked->of == SB_GATE)
        sb_json_field_within(in, "options.limit", asked->limit, 1, INT64_MAX);
    if (asked->of == SB_GATE && asked->tolerate > asked->exclude)
        sb_json_field_fail(in, "options.tolerate", "must be at most options.max-bias");
}

/* The texts stay in the object, which the record keeps. */
static void options_read(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    struct sb_saved *const saved = record;
    json_t *const object = json_object_get(top, "options");
    size_t known = 0;

    saved->asked.of = sb_request_of(saved->command);
    saved->texts = json_incref(object);
    for (size_t i = 0; i < sb_options_count; i++) {
        const struct sb_option *const row = &sb_options_table[i];

        if (!options_have(row, saved->asked.of))
            continue;
        options_read_one(in, json_object_get(object, row->name), row, &saved->asked);
        known += json_object_get(object, row->name) != NULL;
    }
    if (known != json_object_size(object))
        sb_json_field_fail(in, "options", "must be options that such a run saves");
    saved->snapshot.n = saved->asked.n;
    saved->deal = saved->asked.deal && !sb_grouping_is(&saved->asked.grouping) ? saved->asked.deal : saved->asked.n;
    options_check(in, saved);
}

static void options_write(struct sb_json *json, const void *record)
{
    const struct sb_saved *const saved = record;
    char room[SB_OPTION_TEXT];

    sb_json_object(json, "options");
    for (size_t i = 0; i < sb_options_count; i++) {
        const struct sb_option *const row = &sb_options_table[i];
        const char *const text = options_have(row, saved->asked.of) ? sb_request_text(&saved->asked, row, room) : NULL;

        if (text)
            sb_json_string(json, row->name, text);
    }
    sb_json_close(json);
}

/* ---- the object `run` ---- */

static const struct sb_store_field *run_fields(const struct sb_saved *saved)
{
    return saved->asked.of == SB_REPORT ? sb_saved_report_fields
           : saved->asked.of == SB_GATE ? sb_saved_gate_fields
                                        : sb_saved_watch_fields;
}

/* Opens the evidence. A block is counted completely or not at all, so only some totals are possible. */
static void report_begin(struct sb_json_field_reader *in, struct sb_saved *saved)
{
    const size_t n = saved->asked.n, deal = saved->deal;
    const uint64_t samples = saved->asked.samples, total = saved->snapshot.total,
                   counted = saved->parts.of    ? sb_shards_counted(&saved->parts, n, samples)
                             : total >= samples ? samples
                                                : total - total % sb_block_decks(n);

    sb_json_field_within(in, "total", total, counted, counted);
    if (!sb_saved_is_scheme(saved))
        sb_json_field_fail(in, "subject.kind", "must be scheme for a report");
    if (sb_cells(n, deal) == 0 && n * deal > SB_MATRIX_MOST)
        sb_json_field_fail(in, "options.n", "is too large for a matrix of items by positions");
    if (in->status == SB_OK && sb_evidence_open(SB_BY_SAMPLE, n, deal, &saved->evidence))
        in->status = sb_error_memory(in->error, "the tallies");
    saved->evidence.total = total;
    saved->evidence.seed = saved->asked.seed;
    saved->evidence.rng = saved->scheme.rng.name;
    saved->evidence.interrupted = !sb_saved_done(saved);
}

/* Checks what depends on several fields. */
static void gate_check(struct sb_json_field_reader *in, const struct sb_saved *saved)
{
    const uint64_t total = saved->snapshot.total;

    sb_json_field_within(in, "run.carried", saved->carried, 0, total);
    if (saved->replays && total > saved->asked.limit)
        sb_json_field_fail(in, "total", "must be the limit at most");
    if (saved->snapshot.watched && saved->snapshot.birthday.decks != total)
        sb_json_field_fail(in, "repeats.decks", "must be the total");
    if (sb_saved_is_scheme(saved) && !saved->replays)
        sb_json_field_fail(in, "run.replays", "must be true for a scheme");
}

static void watch_check(struct sb_json_field_reader *in, const struct sb_saved *saved)
{
    sb_json_field_within(in, "total", saved->snapshot.total, 1, INT64_MAX);
    sb_json_field_within(in, "run.alarms", saved->alarms, 0, saved->snapshot.total);
    sb_json_field_within(in, "run.alarm_total", saved->alarm_total, 0, saved->snapshot.total);
}

static void run_read(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    struct sb_saved *const saved = record;
    struct sb_error error;

    if (sb_saved_is_scheme(saved) && (sb_scheme_parse(saved->subject.name, NULL, NULL, &error, &saved->scheme) ||
                                      strcmp(saved->subject.name, saved->scheme.name) != 0))
        sb_json_field_fail(in, "subject.name", "must be a scheme that this version knows");
    if (saved->asked.of == SB_REPORT)
        report_begin(in, saved);
    sb_store_read(in, "run", json_object_get(top, "run"), run_fields(saved), saved);
    if (saved->asked.of == SB_REPORT &&
        !json_object_get(json_object_get(top, "run"), saved->evidence.cells ? "counts" : "matrix"))
        sb_json_field_fail(in, "run", "must have the counts");
}

static void run_write(struct sb_json *json, const void *record)
{
    sb_store_write_object(json, "run", run_fields(record), record);
}

/* ---- the file ---- */

static void shards_read(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    struct sb_saved *const saved = record;
    const struct sb_shards *const parts = &saved->parts;

    if (saved->asked.of != SB_REPORT)
        sb_json_field_fail(in, "shards", "must be missing, for only reports have parts");
    sb_store_read(in, "shards", json_object_get(top, "shards"), sb_shards_fields, &saved->parts);
    for (size_t i = 0; in->status == SB_OK && i < parts->count; i++) {
        const struct sb_blocks blocks = sb_shards_blocks(parts, i, saved->asked.n, saved->asked.samples);
        char name[64];

        snprintf(name, sizeof name, "shards.parts[%zu].done", i);
        sb_json_field_within(in, name, parts->part[i].done, 0, blocks.count);
    }
}

static void shards_write(struct sb_json *json, const void *record)
{
    const struct sb_saved *const saved = record;

    if (saved->parts.of)
        sb_store_write_object(json, "shards", sb_shards_fields, &saved->parts);
}

static const char *const file_commands[] = { "report", "gate", "watch", NULL };

const struct sb_store_field sb_saved_fields[] = {
    { "schema", .kind = SB_STORE_ELSEWHERE },
    { "version", SB_STORE_TEXT, .shown = true, .at = offsetof(struct sb_saved, version) },
    { "command", SB_STORE_CHOICE, .at = offsetof(struct sb_saved, command), .choices = file_commands },
    { "subject", SB_STORE_OBJECT, .at = offsetof(struct sb_saved, subject), .fields = subject_fields },
    { "options", SB_STORE_PART, .read = options_read, .write = options_write },
    { "shards", SB_STORE_PART, .optional = true, .read = shards_read, .write = shards_write },
    { "total", SB_STORE_INTEGER, .at = offsetof(struct sb_saved, snapshot.total) },
    { "run", SB_STORE_PART, .read = run_read, .write = run_write },
    { "tallies", SB_STORE_PART, .at = offsetof(struct sb_saved, snapshot), .read = sb_snapshot_read,
      .write = sb_snapshot_write },
    { "places", .kind = SB_STORE_ELSEWHERE },
    { "repeats", .kind = SB_STORE_ELSEWHERE },
    { "bettor", SB_STORE_PART, .at = offsetof(struct sb_saved, snapshot), .read = sb_snapshot_read_bettor,
      .write = sb_snapshot_write_bettor, .optional = true },
    { "catalogue", SB_STORE_PART, .optional = true, .at = offsetof(struct sb_saved, snapshot),
      .read = sb_snapshot_read_catalogue, .write = sb_snapshot_write_catalogue },
    { "outliers", SB_STORE_PART, .optional = true, .at = offsetof(struct sb_saved, snapshot),
      .read = sb_snapshot_read_outliers, .write = sb_snapshot_write_outliers },
    { "checksum", .kind = SB_STORE_ELSEWHERE },
    { .name = NULL },
};

static void file_read(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    struct sb_saved *const saved = record;

    sb_store_read(in, "", top, sb_saved_fields, saved);
    if (in->status)
        return;
    if (saved->asked.of == SB_GATE)
        gate_check(in, saved);
    else if (saved->asked.of == SB_WATCH)
        watch_check(in, saved);
    else if (saved->snapshot.watched && saved->parts.of)
        sb_json_field_fail(in, "repeats", "must be missing, for parts do not compare their decks");
}

static const char file_anew[] = "restore it, or remove it and begin anew with `save`";

/* Reads the file, which another run may have locked. */
static enum sb_status file_load(struct sb_saved *made, unsigned of, bool resumes, const char *remedy,
                                struct sb_error *error)
{
    bool exists;
    enum sb_status status = resumes ? sb_file_lock_open(made->path, error, &made->lock) : SB_OK;

    if (status && errno != EWOULDBLOCK)
        return status;
    status =
        sb_store_file_read(made->path, SB_STORE_EVIDENCE, remedy ? remedy : file_anew, file_read, made, error, &exists);
    if (status || made->asked.of & of)
        return status;
    errno = EBADMSG;
    return sb_error_set(error, SB_IO, "'%.200s' is evidence of a %s: %s 'shufflebias %s'", made->path, made->command,
                        made->asked.of == SB_WATCH ? "save to it with" : "give it to", made->command);
}

enum sb_status sb_saved_new(const char *path, unsigned of, bool resumes, const char *remedy, struct sb_error *error,
                            struct sb_saved **saved)
{
    struct sb_saved *const made = calloc(1, sizeof *made);

    if (!made)
        return sb_error_memory(error, "saved evidence");
    made->lock = -1;
    made->path = strdup(path);
    const enum sb_status status =
        made->path ? file_load(made, of, resumes, remedy, error) : sb_error_memory(error, "saved evidence");

    if (status)
        sb_saved_free(made);
    else
        *saved = made;
    return status;
}

enum sb_status sb_saved_hold(struct sb_saved *saved, struct sb_error *error, int *lock)
{
    if (saved->lock < 0)
        return sb_file_lock_busy(saved->path, error);
    sb_atomic_file_clean(saved->path);
    *lock = saved->lock;
    saved->lock = -1;
    return SB_OK;
}

enum sb_status sb_saved_write(const char *path, const struct sb_saved *saved, const char *again, int *lock,
                              struct sb_error *error)
{
    return sb_store_file_write(path, subject_is_command(&saved->subject), SB_STORE_EVIDENCE, sb_saved_fields, saved,
                               lock, again, error);
}

void sb_saved_free(struct sb_saved *saved)
{
    if (!saved)
        return;
    if (saved->lock >= 0)
        close(saved->lock);
    sb_evidence_close(&saved->evidence);
    for (size_t i = 0; i < saved->starts; i++) {
        sb_snapshot_close(&saved->start[i].snapshot);
        free(saved->start[i].bet);
    }
    free(saved->start);
    sb_snapshot_close(&saved->snapshot);
    sb_store_free(run_fields(saved), saved);
    sb_store_free(sb_saved_fields, saved);
    free(saved->parts.part);
    free(saved->point);
    free(saved->decks);
    json_decref(saved->texts);
    free(saved->path);
    free(saved);
}

enum sb_status sb_saved_foreign(const struct sb_saved *saved, struct sb_error *error)
{
    return sb_error_set(error, SB_IO,
                        "'%.200s' is no sound evidence: tallies are of other statistics than version %s has, "
                        "or of other cells: use version %.20s",
                        saved->path, SB_VERSION, saved->version);
}

enum sb_status sb_saved_current(const struct sb_saved *saved, struct sb_error *error)
{
    if (strcmp(saved->version, SB_VERSION) == 0)
        return SB_OK;
    return sb_error_set(
        error, SB_INVALID,
        "'%.200s' is of version %.20s, and version %s may shuffle or look otherwise: resume it with that version",
        saved->path, saved->version, SB_VERSION);
}

/* ---- whether there is a file of evidence ---- */

/* Whether these are the first bytes of saved evidence: an object whose first field is the schema. A line of a log may
 * be an object, too, and so may a user's JSON. In a file to `resume`, which would be replaced, any object that is
 * broken into lines is evidence, even damaged; elsewhere the first letters of the field are enough. */
static bool file_begins(const char begins[], size_t length, bool resume)
{
    static const char schema[] = "\"sche";

    if (length == 0 || begins[0] != '{')
        return false;
    if (resume && length > 1 && strchr("\r\n\t", begins[1]))
        return true;
    const size_t at = 1 + strspn(begins + 1, " \r\n\t"), left = length - at;

    return strncmp(begins + at, schema, left < sizeof schema ? left : sizeof schema - 1) == 0;
}

static bool file_is_saved(const char *path, bool unread)
{
    struct sb_retry retry = { .began = 0 };
    char begins[33] = "";
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
        got = read(descriptor, begins, sizeof begins - 1);
    while (got < 0 && sb_retry_again(&retry, errno));
    close(descriptor);
    return got < 0 ? unread : file_begins(begins, (size_t)got, unread);
}

bool sb_saved_is(const char *path)
{
    return file_is_saved(path, false);
}

bool sb_saved_resumes(const char *path)
{
    return file_is_saved(path, true);
}

/* ---- whether evidence belongs to a request ---- */

struct sb_request sb_saved_request(const struct sb_request *options, const struct sb_subject *subject, size_t n,
                                   size_t deal)
{
    struct sb_request asked = *options;

    asked.n = n;
    asked.deal = subject->grouping.sets ? subject->deal : deal; /* the deck of sets and hands has all items */
    asked.grouping = subject->grouping;
    asked.seed = subject->scheme ? subject->seed : 0;
    asked.input = subject->input && strcmp(subject->input, "text") != 0 ? subject->input : NULL;
    asked.base = subject->base;
    asked.cards = subject->cards;
    asked.match = subject->match;
    asked.json_path = subject->json_path;
    asked.field = subject->field;
    asked.separator = subject->separator;
    asked.free = subject->free;
    asked.chained = subject->chained;
    return asked;
}

bool sb_subject_given(const struct sb_subject *subject)
{
    return subject->scheme || subject->command || subject->file || subject->shuffle;
}

static void agrees_fill(const struct sb_saved *saved, struct sb_subject *subject)
{
    const struct sb_request *const asked = &saved->asked;
    const struct {
        const char **text, *saved;
    } texts[] = {
        { &subject->input, asked->input },
        { &subject->base, asked->base },
        { &subject->cards, asked->cards },
        { &subject->match, asked->match },
        { &subject->field, asked->field },
        { &subject->json_path, asked->json_path },
        { &subject->separator, asked->separator },
        { &subject->grouping.hands, asked->grouping.hands },
        { &subject->grouping.kinds, asked->grouping.kinds },
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (!*texts[i].text)
            *texts[i].text = texts[i].saved;
    subject->free = subject->free || asked->free;
    subject->chained = subject->chained || asked->chained;
    subject->grouping.sets = subject->grouping.sets || asked->grouping.sets;
    subject->grouping.unordered = subject->grouping.unordered || asked->grouping.unordered;
    subject->n = subject->n ? subject->n : asked->n;
    if (!subject->deal && (asked->grouping.sets || saved->deal < asked->n))
        subject->deal = asked->deal;
    if (!sb_saved_is_scheme(saved))
        return;
    if (!sb_subject_given(subject))
        subject->scheme = saved->scheme.shuffle_name;
    subject->draw = subject->draw ? subject->draw : saved->scheme.draw_name;
    subject->rng = subject->rng ? subject->rng : saved->scheme.rng.name;
}

void sb_saved_compare(const struct sb_request *was, const struct sb_request *is, struct sb_mismatch *differs)
{
    char room[2][SB_STATISTICS_NAMES];

    for (size_t i = 0; i < sb_options_count; i++) {
        const struct sb_option *const row = &sb_options_table[i];

        if (!options_have(row, is->of) || !sb_option_saved(was, row))
            continue;
        const bool names = row->kind == SB_KIND_STATISTICS, flag = row->kind == SB_KIND_FLAG;
        const char *const then =
            names ? sb_statistics_names(was->statistics, room[0]) : sb_request_text(was, row, room[0]);
        const char *const now =
            names ? sb_statistics_names(is->statistics, room[1]) : sb_request_text(is, row, room[1]);

        sb_mismatch_text(differs, row->field ? row->field : row->name, flag && then ? "given" : then,
                         flag && now ? "given" : now);
    }
}

/* A report resumes the shard that the file has, and resumes a sample alone. */
static void agrees_sample(const struct sb_saved *saved, const struct sb_request *options, struct sb_mismatch *differs)
{
    const struct sb_shards *const parts = &saved->parts;
    const bool one = parts->count == 1;
    const struct sb_option_shard own = { one ? (unsigned)parts->part[0].number : 0, one ? (unsigned)parts->of : 0 };
    char was[SB_SHARD_ROOM], is[32];
    const char *const by = sb_request_given(options, "by");

    if (options->shard.of && (options->shard.number != own.number || options->shard.of != own.of)) {
        sb_shards_say(parts, was);
        snprintf(is, sizeof is, "%u/%u", options->shard.number, options->shard.of);
        sb_mismatch_text(differs, "shard", was[0] ? was : "the whole run", is);
    }
    if (options->by && options->by != SB_BY_SAMPLE)
        sb_mismatch_text(differs, "by", "sample", by ? by : "another");
}

enum sb_status sb_saved_agrees(const struct sb_saved *saved, const struct sb_request *options, const char *remedy,
                               struct sb_error *error, struct sb_subject *subject)
{
    struct sb_mismatch differs = { 0 };
    char again[64];
    enum sb_status status = SB_OK;

    agrees_fill(saved, subject);
    struct sb_request asked =
        sb_saved_request(options, subject, subject->n,
                         subject->deal && !sb_grouping_is(&subject->grouping) ? subject->deal : subject->n);

    asked.seed = sb_saved_is_scheme(saved) ? subject->seed : saved->asked.seed;
    if (!saved->replays)
        asked.limit = saved->asked.limit; /* each run has its own */
    sb_saved_compare(&saved->asked, &asked, &differs);
    if (options->of == SB_REPORT)
        agrees_sample(saved, options, &differs);
    if (!differs.field && sb_subject_given(subject)) {
        status = sb_subject_differs(subject, saved->subject.kind, saved->subject.name, saved->subject.words, error,
                                    &differs);
        if (!remedy && !sb_saved_is_scheme(saved)) { /* the caller must name the subject again */
            snprintf(again, sizeof again, "say the %s of that run again", saved->subject.kind);
            remedy = again;
        }
    }
    return status ? status : sb_mismatch_say(&differs, saved->path, remedy ? remedy : "leave it out", error);
}
