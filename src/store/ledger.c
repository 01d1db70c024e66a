/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of JSON with a checksum (below), and a ledger in its file. At its start, a run checks that the ledger agrees
 * with the options, and claims its share before it looks at any permutation. In the end, the run records its outcome.
 * The reader trusts no file: the fields of a ledger must agree with each other.
 */
#define _XOPEN_SOURCE 700 /* for realpath() */

#include "core/system.h"
#include "core/text.h"
#include "report/result.h"
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

/*
 * Files of JSON, which are read whole. Files of evidence end in the hash of all bytes before it, FNV-1a of 64
 * bits, which detects damage but not tampering. To compute the hash, the writer reads the file back.
 */

enum {
    FILE_END = 48,                /* the most bytes of the end of a file: the checksum and the closing brace */
    FILE_EVIDENCE_MOST = 1 << 30, /* the most bytes of evidence: 16 for each count of the largest matrix */
    FILE_LEDGER_MOST = 1 << 26,
    FILE_BRACKETS_MOST = 1 << 21, /* the most objects and arrays, each of which takes some 200 bytes in memory */
};

static const char *const file_schemas[] = {
    [SB_STORE_EVIDENCE] = "shufflebias.evidence/1",
    [SB_STORE_LEDGER] = "shufflebias.ledger/3",
};

/* Writes the last bytes of a file to end[], with this hash as the checksum. Returns their number, which does
 * not depend on the hash. */
static size_t file_end(uint64_t hash, char end[FILE_END])
{
    return (size_t)snprintf(end, FILE_END, ",\n  \"checksum\": \"%016" PRIx64 "\"\n}\n", hash);
}

/* ---- read ---- */

static void file_unread(struct sb_json_field_reader *in, int number)
{
    in->status = sb_error_set(in->error, SB_IO, "cannot read '%.200s': %s", in->path, strerror(number));
}

/* Whether there is a file to read. If stat() finds no file, there are three cases: there is no file, there is a
 * broken link, or another process is creating the file right now. */
static bool file_is_there(struct sb_json_field_reader *in)
{
    struct stat about;
    bool there, link = false;
    int number = sb_file_status(in->path, false, &there, &about);

    if (number == 0 && !there) {
        number = sb_file_status(in->path, true, &link, &about);
        link = link && S_ISLNK(about.st_mode);
        if (number == 0 && !link)
            number = sb_file_status(in->path, false, &there, &about);
    }
    if (number || link)
        file_unread(in, number ? number : ENOENT);
    else if (there && !S_ISREG(about.st_mode))
        in->status = sb_error_set(in->error, SB_IO, "'%.200s' is no file, and cannot be %s: name another", in->path,
                                  in->article);
    return there && in->status == SB_OK;
}

/* Reads an open file, which may become shorter meanwhile. The caller frees the text. NULL after a fault. */
static char *file_text(struct sb_json_field_reader *in, int descriptor, uint64_t most, size_t *length)
{
    struct sb_retry retry = { .began = 0 };
    struct stat about;
    const int number = sb_file_status_open(descriptor, &about);
    char what[64];
    ssize_t got = 1;

    if (number) {
        file_unread(in, number);
        return NULL;
    }
    if (about.st_size == 0)
        sb_json_field_fail(in, "it is", "empty");
    if ((uint64_t)about.st_size > most) {
        snprintf(what, sizeof what, "larger than %" PRIu64 " bytes", most);
        sb_json_field_fail(in, "it is", what);
    }
    const size_t size = (size_t)about.st_size;
    char *const text = sb_json_field_room(in, size, 1);

    for (*length = 0; text && *length < size && got; *length += got > 0 ? (size_t)got : 0) {
        got = pread(descriptor, text + *length, size - *length, (off_t)*length);
        if (got < 0 && !sb_retry_again(&retry, errno)) {
            file_unread(in, errno);
            free(text);
            return NULL;
        }
    }
    return text;
}

static json_t *file_parse(struct sb_json_field_reader *in, const char text[], size_t length)
{
    json_error_t fault = { .line = 0 };
    size_t brackets = 0;
    char where[64];

    for (size_t i = 0; i < length; i++)
        brackets += text[i] == '{' || text[i] == '[';
    if (brackets > FILE_BRACKETS_MOST)
        sb_json_field_fail(in, "it has", "too many objects and lists");
    FILE *const stream = in->status ? NULL : fmemopen((char *)text, length, "rb");
    json_t *const top = stream ? sb_json_load(stream, &fault) : NULL;
    const int number = errno;

    if (stream)
        fclose(stream);
    if (top || in->status)
        return top;
    errno = number;
    if (errno) {
        file_unread(in, errno);
        return NULL;
    }
    for (char *c = fault.text; *c; c++)
        *c = (char)(*c < ' ' || *c > '~' ? '?' : *c);
    snprintf(where, sizeof where, "line %d, column %d:", fault.line, fault.column);
    sb_json_field_fail(in, where, fault.text);
    return NULL;
}

static void file_check(struct sb_json_field_reader *in, const char text[], size_t length)
{
    char should[FILE_END];
    const size_t end = file_end(0, should), before = length > end ? length - end : 0;
    const uint64_t hash = sb_hash_add(SB_HASH_EMPTY, text, before);

    file_end(hash, should);
    if (before == 0 || memcmp(text + before, should, end) != 0)
        sb_json_field_fail(in, "checksum", "is not that of the file, which was edited, cut or damaged");
}

enum sb_status sb_store_file_read(const char *path, enum sb_store_file kind, const char *remedy, sb_store_reader *read,
                                  void *record, struct sb_error *error, bool *exists)
{
    const bool sealed = kind == SB_STORE_EVIDENCE;
    struct sb_json_field_reader in = {
        .path = path,
        .kind = sealed ? "evidence" : "ledger",
        .article = sealed ? "saved evidence" : "a ledger",
        .remedy = remedy,
        .error = error,
    };
    const bool there = file_is_there(&in);
    const int descriptor = there ? sb_file_open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0) : -1;
    char what[64];
    size_t length = 0;

    if (there ? descriptor < 0 : sealed && in.status == SB_OK)
        file_unread(&in, there ? errno : ENOENT);
    char *const text =
        descriptor < 0 ? NULL : file_text(&in, descriptor, sealed ? FILE_EVIDENCE_MOST : FILE_LEDGER_MOST, &length);
    json_t *const top = text ? file_parse(&in, text, length) : NULL;
    const char *const schema = json_string_value(json_object_get(top, "schema"));

    snprintf(what, sizeof what, "must be \"%s\"", file_schemas[kind]);
    if (top && (!schema || strcmp(schema, file_schemas[kind]) != 0))
        sb_json_field_fail(&in, "schema", what);
    if (top && in.status == SB_OK)
        read(&in, top, record);
    json_decref(top);
    if (sealed && in.status == SB_OK)
        file_check(&in, text, length);
    *exists = text && in.status == SB_OK;
    free(text);
    if (descriptor >= 0)
        close(descriptor);
    return in.status;
}

/* ---- write ---- */

enum sb_status sb_checksummed_end(FILE *stream)
{
    unsigned char bytes[4096];
    char end[FILE_END];
    uint64_t hash = SB_HASH_EMPTY;

    if (fflush(stream) || ferror(stream) || fseek(stream, 0, SEEK_SET))
        return SB_IO;
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, stream)) > 0;)
        hash = sb_hash_add(hash, bytes, got);
    if (ferror(stream) || fseek(stream, 0, SEEK_END))
        return SB_IO;
    file_end(hash, end);
    return fputs(end, stream) < 0 ? SB_IO : SB_OK;
}

/* The content of a file to write. */
struct file_source {
    enum sb_store_file kind;
    const struct sb_store_field *fields;
    const void *record;
};

static enum sb_status file_write(const void *what, FILE *stream)
{
    const struct file_source *const source = what;
    struct sb_json json = { .stream = stream };

    sb_json_object(&json, NULL);
    sb_json_string(&json, "schema", file_schemas[source->kind]);
    sb_store_write(&json, source->fields, source->record);
    if (source->kind == SB_STORE_EVIDENCE)
        return sb_checksummed_end(stream);
    sb_json_close(&json);
    fputc('\n', stream);
    return SB_OK;
}

enum sb_status sb_store_file_write(const char *path, bool secret, enum sb_store_file kind,
                                   const struct sb_store_field fields[], const void *record, int *lock,
                                   const char *again, struct sb_error *error)
{
    const struct file_source source = { kind, fields, record };

    return sb_atomic_file_replace(path, secret, file_write, &source, lock, again, error);
}

/* ---- the file ---- */

/* The outcomes: "pass", "fail", "inconclusive", and "broken" for a subject that violated the protocol; then NULL. */
static const char *const ledger_outcomes[SB_LEDGER_OUTCOMES + 1] = { "pass", "fail", "inconclusive", "broken" };

static const struct sb_store_field ledger_run_fields[] = {
    { "run", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger_run, run), .low = 1 },
    { "share", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger_run, share), .low = 1 },
    { "subject", SB_STORE_TEXT, .shown = true, .at = offsetof(struct sb_ledger_run, subject) },
    { "outcome", SB_STORE_CHOICE, .at = offsetof(struct sb_ledger_run, outcome), .null = true,
      .choices = ledger_outcomes },
    { "total", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger_run, total) },
    { .name = NULL },
};

/* The rows have the order of ledger_outcomes. */
static const struct sb_store_field ledger_outcome_fields[] = {
    { "pass", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger, outcome[0]) },
    { "fail", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger, outcome[1]) },
    { "inconclusive", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger, outcome[2]) },
    { "broken", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger, outcome[3]) },
    { .name = NULL },
};

static void ledger_check_recent(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    const struct sb_ledger *const ledger = record;
    uint64_t before = 0;
    char name[48];

    for (size_t i = 0; i < ledger->recent_count; i++) {
        const struct sb_ledger_run *const run = &ledger->recent[i];

        snprintf(name, sizeof name, "recent[%zu].run", i);
        sb_json_field_within(in, name, run->run, 1, ledger->runs);
        if (run->run <= before)
            sb_json_field_fail(in, name, "must be larger than the one before");
        before = run->run;
        snprintf(name, sizeof name, "recent[%zu].share", i);
        sb_json_field_within(in, name, run->share, 1, ledger->shares);
    }
}

static const struct sb_store_field ledger_fields[] = {
    { "schema", .kind = SB_STORE_ELSEWHERE },
    { "alpha", SB_STORE_LEVEL, .at = offsetof(struct sb_ledger, alpha) },
    { "delta", SB_STORE_LEVEL, .at = offsetof(struct sb_ledger, delta) },
    { "runs", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger, runs), .low = 1, .high = INT64_MAX - 1 },
    { "shares", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger, shares), .low = 1, .most = "runs" },
    { "outcomes", SB_STORE_OBJECT, .fields = ledger_outcome_fields },
    { "recent", SB_STORE_LIST, .item = SB_STORE_OBJECT, .fields = ledger_run_fields,
      .at = offsetof(struct sb_ledger, recent), .count = offsetof(struct sb_ledger, recent_count),
      .size = sizeof(struct sb_ledger_run), .high = SB_LEDGER_RECENT, .read = ledger_check_recent },
    { .name = NULL },
};

static void ledger_read_file(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    struct sb_ledger *const ledger = record;
    char name[32];

    sb_store_read(in, "", top, ledger_fields, record);
    uint64_t left = ledger->runs;

    for (size_t i = 0; in->status == SB_OK && i < SB_LEDGER_OUTCOMES; i++) {
        snprintf(name, sizeof name, "outcomes.%s", ledger_outcomes[i]);
        left -= sb_json_field_within(in, name, ledger->outcome[i], 0, left);
    }
}

enum sb_status sb_ledger_read(const char *path, struct sb_error *error, struct sb_ledger **ledger)
{
    struct sb_ledger *const made = calloc(1, sizeof *made);
    bool there = false;
    const enum sb_status status =
        made ? sb_store_file_read(path, SB_STORE_LEDGER, "restore it, or begin another elsewhere", ledger_read_file,
                                  made, error, &there)
             : sb_error_memory(error, "a ledger");

    *ledger = NULL;
    if (status || !there)
        sb_ledger_free(made);
    else
        *ledger = made;
    return status;
}

enum sb_status sb_ledger_write(const char *path, const struct sb_ledger *ledger, struct sb_error *error)
{
    return sb_store_file_write(path, true, SB_STORE_LEDGER, ledger_fields, ledger, NULL, NULL, error);
}

void sb_ledger_free(struct sb_ledger *ledger)
{
    if (ledger)
        sb_store_free(ledger_fields, ledger);
    free(ledger);
}

/* ---- the start of a run ---- */

/* Checks that the ledger has the claim's levels. If `ledger` is NULL, there is nothing to check. Error: SB_INVALID. */
static enum sb_status ledger_agrees(const struct sb_ledger_claim *claim, const struct sb_ledger *ledger,
                                    struct sb_error *error)
{
    const bool alpha = ledger && ledger->alpha != claim->alpha;

    if (!ledger || (!alpha && ledger->delta == claim->delta))
        return SB_OK;
    return sb_error_set(error, SB_INVALID, "'%.200s' is a ledger for %s = %g, not %g: ask for that, or name another",
                        claim->path, alpha ? "alpha" : "delta", alpha ? ledger->alpha : ledger->delta,
                        alpha ? claim->alpha : claim->delta);
}

/* Loads the current ledger; the caller must hold the lock. If there is no file, makes a new ledger. But if the run was
 * already claimed, a missing file is an error. Errors: SB_INVALID, and those of sb_ledger_read(). */
static enum sb_status ledger_load(const struct sb_ledger_claim *claim, struct sb_error *error,
                                  struct sb_ledger **ledger)
{
    enum sb_status status = sb_ledger_read(claim->path, error, ledger);

    if (status == SB_OK && !*ledger && claim->run) {
        errno = ENOENT;
        sb_error_set(error, SB_IO, "'%.200s' was there and is gone: restore it", claim->path);
        return SB_IO;
    }
    if (status == SB_OK && !*ledger) {
        *ledger = calloc(1, sizeof **ledger);
        if (!*ledger) {
            sb_error_memory(error, "a ledger");
            return SB_NO_MEMORY;
        }
        (*ledger)->alpha = claim->alpha;
        (*ledger)->delta = claim->delta;
    }
    return status ? status : ledger_agrees(claim, *ledger, error);
}

enum sb_status sb_ledger_begin(const struct sb_request *options, struct sb_error *error, struct sb_ledger_claim *claim)
{
    struct sb_retry retry = { .began = 0 };
    struct sb_ledger *ledger = NULL;
    enum sb_status status;

    *claim = (struct sb_ledger_claim) { .alpha = options->alpha, .delta = options->delta };
    if (!options->ledger)
        return SB_OK;
    do /* resolves links, because runs must replace the file itself and not a link */
        claim->path = realpath(options->ledger, NULL);
    while (!claim->path && sb_retry_again(&retry, errno));
    if (!claim->path && sb_fault_kind(errno) != SB_FAULT_ABSENT)
        return sb_error_set(error, SB_IO, "cannot read '%.200s': %s", options->ledger, strerror(errno));
    if (!claim->path)
        claim->path = strdup(options->ledger);
    if (!claim->path)
        return sb_error_memory(error, "the ledger");
    status = sb_ledger_read(claim->path, error, &ledger);
    if (status == SB_OK)
        status = ledger_agrees(claim, ledger, error);
    claim->next = ledger ? ledger->shares + 1 : 1;
    sb_ledger_free(ledger);
    return status;
}

void sb_ledger_end(struct sb_ledger_claim *claim)
{
    free(claim->path);
    *claim = (struct sb_ledger_claim) { .path = NULL };
}

enum sb_status sb_ledger_continues(const struct sb_ledger_claim *claim, const struct sb_saved *saved,
                                   struct sb_error *error, bool *anew)
{
    const struct sb_ledger_run *last = NULL;
    struct sb_ledger *ledger = NULL;
    const enum sb_status status = sb_ledger_read(claim->path, error, &ledger);

    for (size_t i = 0; ledger && i < ledger->recent_count; i++)
        if (ledger->recent[i].share == saved->share)
            last = &ledger->recent[i];
    const bool own = last && last->run == saved->run, killed = own && !last->outcome;

    sb_ledger_free(ledger);
    *anew = killed && !saved->replays;
    if (status || own)
        return status;
    return sb_error_set(error, SB_INVALID,
                        "'%.130s' is not the evidence of the last run with its share on '%.130s': restore both, or "
                        "remove the evidence, and the next run claims a new share",
                        saved->path, claim->path);
}

/* The run to drop from a full list: the oldest that is not the last run of its share, which evidence may continue; if
 * each is the last of its share, the oldest. */
static size_t claim_dropped(const struct sb_ledger *ledger)
{
    for (size_t i = 0; i < ledger->recent_count; i++)
        for (size_t later = i + 1; later < ledger->recent_count; later++)
            if (ledger->recent[later].share == ledger->recent[i].share)
                return i;
    return 0;
}

static void claim_list(struct sb_ledger *ledger, const struct sb_ledger_run *run)
{
    if (ledger->recent_count == SB_LEDGER_RECENT) {
        struct sb_ledger_run *const dropped = &ledger->recent[claim_dropped(ledger)];

        sb_store_free(ledger_run_fields, dropped);
        ledger->recent_count--;
        memmove(dropped, dropped + 1, (size_t)(&ledger->recent[ledger->recent_count] - dropped) * sizeof *dropped);
    }
    ledger->recent[ledger->recent_count++] = *run;
}

enum sb_status sb_ledger_take(const char *name, const volatile sig_atomic_t *stop, struct sb_error *error,
                              struct sb_ledger_claim *claim)
{
    struct sb_ledger *ledger = NULL;
    struct sb_ledger_run run = { .share = claim->share };
    int lock;
    enum sb_status status = claim->path ? sb_file_lock_wait(claim->path, stop, error, &lock) : SB_OK;

    if (status || !claim->path)
        return status;
    status = ledger_load(claim, error, &ledger);
    if (status == SB_OK && !(run.subject = sb_sanitize_page_text(name, true)))
        status = sb_error_memory(error, "the ledger");
    if (status == SB_OK) {
        run.run = ++ledger->runs;
        run.share = run.share ? run.share : ++ledger->shares;
        claim_list(ledger, &run);
        status = sb_ledger_write(claim->path, ledger, error);
    }
    close(lock);
    sb_ledger_free(ledger);
    if (status)
        return status;
    claim->run = run.run;
    claim->share = run.share;
    return SB_OK;
}

/* ---- the end of a run ---- */

enum sb_status sb_ledger_record(const struct sb_ledger_claim *claim, const char *outcome, uint64_t total,
                                struct sb_error *error)
{
    struct sb_ledger *ledger = NULL;
    size_t which = 0;
    int lock;

    if (!claim->run)
        return SB_OK;
    while (strcmp(ledger_outcomes[which], outcome) != 0)
        which++;
    enum sb_status status = sb_file_lock_wait(claim->path, NULL, error, &lock);

    if (status)
        return status;
    status = ledger_load(claim, error, &ledger);
    if (status == SB_OK) {
        ledger->outcome[which]++;
        for (size_t i = 0; i < ledger->recent_count; i++)
            if (ledger->recent[i].run == claim->run) {
                ledger->recent[i].outcome = ledger_outcomes[which];
                ledger->recent[i].total = total;
            }
        status = sb_ledger_write(claim->path, ledger, error);
    }
    close(lock);
    sb_ledger_free(ledger);
    return status;
}
