/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads and writes a ledger and the file of its decks. A new file replaces the old one atomically. The
 * readers trust no file: the fields of a ledger must agree with each other.
 */
#include "core/core.h"
#include "core/system.h"
#include "report/result.h"
#include "store/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char file_schema[] = "shufflebias.ledger/2";

static const struct sb_store_field file_run_fields[] = {
    { "run", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger_run, run), .low = 1 },
    { "share", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger_run, share), .low = 1 },
    { "key", SB_STORE_TEXT, .at = offsetof(struct sb_ledger_run, key), .null = true },
    { "subject", SB_STORE_TEXT, .shown = true, .at = offsetof(struct sb_ledger_run, subject) },
    { "outcome", SB_STORE_CHOICE, .at = offsetof(struct sb_ledger_run, outcome), .null = true,
      .choices = sb_ledger_outcomes },
    { "total", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger_run, total) },
    { .name = NULL },
};

/* ---- the evidence of a key ---- */

static void file_read_statistics(struct sb_json_field_reader *in, const json_t *object, void *record)
{
    struct sb_ledger_entry *const entry = record;
    struct sb_snapshot *const snapshot = &entry->snapshot;

    sb_counts_read_list(in, object, "statistics", 64, snapshot->total, &snapshot->counts, &snapshot->counts_count);
    if (snapshot->counts_count == 0 && snapshot->total)
        sb_json_field_fail(in, "total", "must be 0 where there are no statistics");
}

static void file_write_statistics(struct sb_json *json, const void *record)
{
    const struct sb_ledger_entry *const entry = record;

    sb_counts_write_list(json, "statistics", entry->snapshot.counts, entry->snapshot.counts_count);
}

static const struct sb_store_field file_entry_fields[] = {
    { "key", SB_STORE_TEXT, .at = offsetof(struct sb_ledger_entry, key) },
    { "subject", SB_STORE_TEXT, .shown = true, .at = offsetof(struct sb_ledger_entry, subject) },
    { "identity", SB_STORE_HASH, .at = offsetof(struct sb_ledger_entry, identity), .null = true,
      .optional = true }, /* the evidence of older versions lacks this field */
    { "share", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger_entry, share), .low = 1 },
    { "run", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger_entry, run), .low = 1 },
    { "open", SB_STORE_BOOL, .at = offsetof(struct sb_ledger_entry, open) },
    { "n", SB_STORE_SIZE, .at = offsetof(struct sb_ledger_entry, n), .low = 2, .high = SB_TALLIED_MOST },
    { "deal", SB_STORE_SIZE, .at = offsetof(struct sb_ledger_entry, deal), .low = 1, .most = "n" },
    { "chained", SB_STORE_BOOL, .at = offsetof(struct sb_ledger_entry, chained) },
    { "increments", SB_STORE_BOOL, .at = offsetof(struct sb_ledger_entry, increments) },
    { "profile", SB_STORE_TEXT, .at = offsetof(struct sb_ledger_entry, profile), .null = true },
    { "total", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger_entry, snapshot.total) },
    { "statistics", SB_STORE_PART, .read = file_read_statistics, .write = file_write_statistics },
    { "repeats", SB_STORE_PART, .at = offsetof(struct sb_ledger_entry, snapshot), .read = sb_snapshot_read_repeats,
      .write = sb_snapshot_write_repeats },
    { "bettor", SB_STORE_PART, .at = offsetof(struct sb_ledger_entry, snapshot), .read = sb_snapshot_read_bettor,
      .write = sb_snapshot_write_bettor, .optional = true },
    { "catalogue", SB_STORE_PART, .optional = true, .at = offsetof(struct sb_ledger_entry, snapshot),
      .read = sb_snapshot_read_catalogue, .write = sb_snapshot_write_catalogue },
    SB_FINGERPRINTS_FIELDS(struct sb_ledger_entry),
    { "decks", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger_entry, decks), .most = "run" },
    { .name = NULL },
};

/* ---- the ledger ---- */

/* The rows have the order of sb_ledger_outcomes. */
static const struct sb_store_field file_outcome_fields[] = {
    { "pass", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger, outcome[0]) },
    { "fail", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger, outcome[1]) },
    { "inconclusive", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger, outcome[2]) },
    { "broken", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger, outcome[3]) },
    { .name = NULL },
};

static void file_check_recent(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    const struct sb_ledger *const ledger = record;
    uint64_t before = 0;
    char name[32];

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

static void file_read_keys(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    struct sb_ledger *const ledger = record;
    const json_t *const keys = sb_json_field_array(in, top, "keys", SB_LEDGER_ENTRIES);
    char name[32], field[64];

    for (size_t i = 0; in->status == SB_OK && i < json_array_size(keys); i++) {
        struct sb_ledger_entry *const entry = sb_json_field_room(in, 1, sizeof *entry);

        if (!entry)
            return;
        ledger->entry[ledger->entries_count++] = entry;
        snprintf(name, sizeof name, "keys[%zu]", i);
        sb_store_read(in, name, json_array_get(keys, i), file_entry_fields, entry);
        snprintf(field, sizeof field, "%s.share", name);
        sb_json_field_within(in, field, entry->share, 1, ledger->shares);
        for (size_t j = 0; j < i; j++)
            if (ledger->entry[j]->share == entry->share)
                sb_json_field_fail(in, field, "must differ from those of the other keys");
        snprintf(field, sizeof field, "%s.run", name);
        sb_json_field_within(in, field, entry->run, entry->share, ledger->runs);
        snprintf(field, sizeof field, "%s.repeats.decks", name);
        if (entry->snapshot.watched && entry->snapshot.birthday.decks != entry->snapshot.total)
            sb_json_field_fail(in, field, "must be the total");
    }
}

static void file_write_keys(struct sb_json *json, const void *record)
{
    const struct sb_ledger *const ledger = record;

    sb_json_array(json, "keys", false);
    for (size_t i = 0; i < ledger->entries_count; i++)
        sb_store_write_object(json, NULL, file_entry_fields, ledger->entry[i]);
    sb_json_close(json);
}

static const struct sb_store_field file_fields[] = {
    { "schema", .kind = SB_STORE_ELSEWHERE },
    { "alpha", SB_STORE_LEVEL, .at = offsetof(struct sb_ledger, alpha) },
    { "delta", SB_STORE_LEVEL, .at = offsetof(struct sb_ledger, delta) },
    { "runs", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger, runs), .low = 1, .high = INT64_MAX - 1 },
    { "shares", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger, shares), .low = 1, .most = "runs" },
    { "outcomes", SB_STORE_OBJECT, .fields = file_outcome_fields },
    { "recent", SB_STORE_LIST, .item = SB_STORE_OBJECT, .fields = file_run_fields,
      .at = offsetof(struct sb_ledger, recent), .count = offsetof(struct sb_ledger, recent_count),
      .size = sizeof(struct sb_ledger_run), .high = SB_LEDGER_RECENT, .read = file_check_recent },
    { "keys", SB_STORE_PART, .read = file_read_keys, .write = file_write_keys },
    { .name = NULL },
};

static void file_check_outcomes(struct sb_json_field_reader *in, const struct sb_ledger *ledger)
{
    uint64_t left = ledger->runs;
    char name[32];

    for (size_t i = 0; in->status == SB_OK && i < SB_LEDGER_OUTCOMES; i++) {
        snprintf(name, sizeof name, "outcomes.%s", sb_ledger_outcomes[i]);
        left -= sb_json_field_within(in, name, ledger->outcome[i], 0, left);
    }
}

static void file_read(struct sb_json_field_reader *in, const json_t *top, void *record)
{
    sb_store_read(in, "", top, file_fields, record);
    file_check_outcomes(in, record);
}

enum sb_status sb_ledger_read(const char *path, struct sb_error *error, struct sb_ledger **ledger)
{
    static const struct sb_store_form forms[] = { { file_schema, file_read }, { .schema = NULL } };
    struct sb_ledger *const made = calloc(1, sizeof *made);
    uint64_t there = 0;
    const enum sb_status status =
        made ? sb_store_file_read(path, SB_STORE_LEDGER, "restore it, or begin another elsewhere", forms, made, error,
                                  &there)
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
    return sb_store_file_write(path, true, file_schema, file_fields, ledger, NULL, NULL, error);
}

void sb_ledger_run_close(struct sb_ledger_run *run)
{
    sb_store_free(file_run_fields, run);
}

void sb_ledger_entry_free(struct sb_ledger_entry *entry)
{
    if (!entry)
        return;
    sb_snapshot_close(&entry->snapshot);
    sb_store_free(file_entry_fields, entry);
    free(entry);
}

void sb_ledger_free(struct sb_ledger *ledger)
{
    if (!ledger)
        return;
    sb_store_free(file_fields, ledger);
    for (size_t i = 0; i < ledger->entries_count; i++)
        sb_ledger_entry_free(ledger->entry[i]);
    free(ledger);
}

/* ---- the decks of the ledger's keys ---- */

static const char decks_line[] = "shufflebias.ledger-decks/1\n";

void sb_ledger_decks_close(struct sb_ledger_decks *decks)
{
    for (size_t i = 0; i < decks->count; i++)
        free(decks->section[i].key);
    decks->count = 0;
}

static void decks_drop(struct sb_ledger_decks *decks, size_t at)
{
    free(decks->section[at].key);
    decks->count--;
    memmove(&decks->section[at], &decks->section[at + 1], (decks->count - at) * sizeof decks->section[0]);
}

void sb_ledger_decks_put(struct sb_ledger_decks *decks, const struct sb_ledger_section *section)
{
    size_t total = section->count;

    for (size_t i = 0; i < decks->count; i++)
        if (decks->section[i].share == section->share)
            decks_drop(decks, i--);
    for (size_t i = 0; i < decks->count; i++)
        total += decks->section[i].count;
    while (decks->count && (total > SB_REPEATS_CARRIED || decks->count == SB_LEDGER_ENTRIES)) {
        struct sb_ledger_section *const oldest = &decks->section[0];
        const size_t over = total > SB_REPEATS_CARRIED ? total - SB_REPEATS_CARRIED : oldest->count;

        if (over >= oldest->count) {
            total -= oldest->count;
            decks_drop(decks, 0);
            continue;
        }
        oldest->count -= over;
        total -= over;
        memmove(oldest->key, oldest->key + over, oldest->count * sizeof oldest->key[0]);
    }
    decks->section[decks->count++] = *section;
}

void sb_ledger_decks_prune(struct sb_ledger_decks *decks, const struct sb_ledger *ledger)
{
    for (size_t i = 0; i < decks->count; i++) {
        bool there = false;

        for (size_t j = 0; j < ledger->entries_count; j++)
            there = there || ledger->entry[j]->share == decks->section[i].share;
        if (!there)
            decks_drop(decks, i--);
    }
}

/* ---- the file ---- */

/* A stream of words, and the hash of all words so far. */
struct decks_words {
    FILE *stream;
    uint64_t hash;
    bool well; /* all words so far were read and are in range */
};

static void decks_put_word(struct decks_words *words, uint64_t word)
{
    unsigned char byte[8];

    for (unsigned i = 0; i < 8; i++)
        byte[i] = (unsigned char)(word >> 8 * i);
    words->hash = sb_hash_add(words->hash, byte, sizeof byte);
    fwrite(byte, 1, sizeof byte, words->stream);
}

static uint64_t decks_get_word(struct decks_words *words)
{
    unsigned char byte[8] = { 0 };
    uint64_t word = 0;

    words->well = words->well && fread(byte, 1, sizeof byte, words->stream) == sizeof byte;
    words->hash = sb_hash_add(words->hash, byte, sizeof byte);
    for (unsigned i = 0; i < 8; i++)
        word |= (uint64_t)byte[i] << 8 * i;
    return word;
}

static uint64_t decks_get(struct decks_words *words, uint64_t low, uint64_t high)
{
    const uint64_t word = decks_get_word(words);

    words->well = words->well && word >= low && word <= high;
    return words->well ? word : 0;
}

static size_t decks_get_size(struct decks_words *words, size_t low, size_t high)
{
    return (size_t)decks_get(words, low, high); /* fits, because the value is at most `high` */
}

static enum sb_status decks_write(const void *what, FILE *stream)
{
    const struct sb_ledger_decks *const decks = what;
    struct decks_words words = { .stream = stream, .hash = sb_hash_add(SB_HASH_EMPTY, decks_line, strlen(decks_line)) };

    fputs(decks_line, stream);
    decks_put_word(&words, decks->count);
    for (size_t i = 0; i < decks->count && !ferror(stream); i++) {
        const struct sb_ledger_section *const section = &decks->section[i];

        decks_put_word(&words, section->share);
        decks_put_word(&words, section->run);
        decks_put_word(&words, section->n);
        decks_put_word(&words, section->deal);
        decks_put_word(&words, section->count);
        for (size_t j = 0; j < section->count && !ferror(stream); j++) {
            decks_put_word(&words, section->key[j].high);
            decks_put_word(&words, section->key[j].low);
        }
    }
    decks_put_word(&words, words.hash);
    return SB_OK;
}

static bool decks_name(const char *path, char name[PATH_MAX])
{
    if (snprintf(name, PATH_MAX, "%s.decks", path) < PATH_MAX)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

static enum sb_status decks_complain(const char *path, struct sb_error *error)
{
    const int number = errno;

    return sb_error_set(error, SB_IO, "cannot read '%.200s.decks': %s: make it readable, or delete it", path,
                        strerror(number));
}

/* Opens the file of decks. Sets *stream to NULL if there is no file. O_NONBLOCK prevents a named pipe from
 * blocking open(). */
static enum sb_status decks_open(const char *path, const char *name, struct sb_error *error, FILE **stream)
{
    const int descriptor = sb_file_open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0);
    struct stat about = { .st_mode = S_IFREG };
    enum sb_status status = SB_OK;

    *stream = NULL;
    if (descriptor < 0)
        return errno == ENOENT ? SB_OK : decks_complain(path, error);
    errno = sb_file_status_open(descriptor, &about);
    if (!S_ISREG(about.st_mode))
        status = sb_error_set(error, SB_IO, "'%.200s.decks' is not a file of decks: name another ledger", path);
    else if (errno || !(*stream = fdopen(descriptor, "r")))
        status = decks_complain(path, error);
    if (!*stream)
        close(descriptor);
    return status;
}

enum sb_status sb_ledger_decks_write(const char *path, const struct sb_ledger_decks *decks, struct sb_error *error)
{
    char name[PATH_MAX];

    return decks_name(path, name) ? sb_atomic_file_replace(name, false, decks_write, decks, NULL, NULL, error)
                                  : decks_complain(path, error);
}

static enum sb_status decks_read_section(struct decks_words *words, size_t room, struct sb_error *error,
                                         struct sb_ledger_section *section)
{
    section->share = decks_get(words, 1, INT64_MAX);
    section->run = decks_get(words, section->share, INT64_MAX);
    section->n = decks_get_size(words, 2, SB_TALLIED_MOST);
    section->deal = decks_get_size(words, 1, section->n);
    section->count = decks_get_size(words, 0, room);
    section->key = calloc(section->count + 1, sizeof section->key[0]);
    if (!section->key)
        return sb_error_memory(error, "the decks of a ledger");
    for (size_t i = 0; words->well && i < section->count; i++) {
        struct sb_deck_key *const key = &section->key[i];

        key->high = decks_get_word(words);
        key->low = decks_get_word(words);
        words->well = words->well && (key->high | key->low); /* a key is never zero: tally/order.h */
    }
    return SB_OK;
}

static enum sb_status decks_read(struct decks_words *words, struct sb_error *error, struct sb_ledger_decks *decks)
{
    char line[sizeof decks_line] = "";
    size_t room = SB_REPEATS_CARRIED, sections;
    enum sb_status status = SB_OK;
    uint64_t hash;

    words->well = fgets(line, sizeof line, words->stream) && strcmp(line, decks_line) == 0;
    words->hash = sb_hash_add(SB_HASH_EMPTY, line, strlen(line));
    sections = decks_get_size(words, 0, SB_LEDGER_ENTRIES);
    while (status == SB_OK && words->well && decks->count < sections) {
        struct sb_ledger_section *const section = &decks->section[decks->count++];

        status = decks_read_section(words, room, error, section);
        room -= section->count;
    }
    hash = words->hash;
    if (status == SB_OK)
        words->well = decks_get_word(words) == hash && words->well && fgetc(words->stream) == EOF;
    return status;
}

enum sb_status sb_ledger_decks_read(const char *path, struct sb_error *error, struct sb_ledger_decks *decks)
{
    struct decks_words words = { .stream = NULL };
    char name[PATH_MAX];
    enum sb_status status;
    bool failed;

    decks->count = 0;
    if (!decks_name(path, name))
        return decks_complain(path, error);
    status = decks_open(path, name, error, &words.stream);
    if (status || !words.stream)
        return status;
    errno = 0;
    status = decks_read(&words, error, decks);
    failed = ferror(words.stream);
    if (status == SB_OK && failed)
        status = decks_complain(path, error);
    fclose(words.stream);
    if (status || words.well)
        return status;
    return sb_error_set(error, SB_IO,
                        "'%.200s.decks' was truncated, edited or damaged: restore it, or delete it, and later "
                        "runs compare their decks with new ones only",
                        path);
}
