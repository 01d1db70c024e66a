/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Saved evidence of reports, shards, gates and watches, behind a checksum that the target computes. Evidence
 * that is accepted, and whose counts fit this version's tallies, is written from these tallies again: this
 * says the same, can be read, and is then written to the same bytes. The input is a file without its checksum.
 */
#include "fuzz/fuzz.h"
#include "fuzz/json_same.h"
#include "fuzz/scratch.h"

#include "core/hash.h"
#include "core/permutation.h"
#include "statistic/statistic.h"
#include "store/checksummed_file.h"
#include "store/evidence/gate_saved.h"
#include "store/evidence/report_saved.h"
#include "store/evidence/watch_saved.h"
#include "study/results.h"

#include <inttypes.h>
#include <string.h>

enum { EVIDENCE_ITEMS = 20 }; /* larger decks are only read, because their tallies take much time */

/* Replaces the brace at the end by the checksum of all bytes before it. NULL without a brace. */
static const char *evidence_file(const char *name, const char *text, size_t size)
{
    if (size == 0)
        return NULL;
    size--;
    char *const file = malloc(size + 64);

    if (!file)
        abort();
    memcpy(file, text, size);
    const int end = snprintf(file + size, 64, ",\n  \"checksum\": \"%016" PRIx64 "\"\n}\n",
                             sb_hash_add(SB_HASH_EMPTY, file, size));
    const char *const path = scratch_write(name, file, size + (size_t)end);

    free(file);
    return path;
}

/* Returns the size without the bytes after the last brace. */
static size_t evidence_size(const char *text, size_t size)
{
    while (size > 0 && text[size - 1] != '}')
        size--;
    return size;
}

/* Makes tallies with the counts of a snapshot. False if they do not fit; then there is nothing to close. */
static bool evidence_tallies(const struct sb_snapshot *snapshot, size_t deal, bool increments, bool rounds,
                             struct sb_tallies *tallies)
{
    const struct sb_statistic_type **const type = calloc(sb_statistic_types_count + 1, sizeof *type);
    unsigned what = increments ? SB_TALLIES_INCREMENTS : 0;
    bool fits = false;
    size_t count;

    if (!type)
        abort();
    for (size_t i = 0; i < snapshot->counts_count; i++)
        what |= snapshot->counts[i].dependence ? SB_TALLIES_LAGS : 0;
    if (snapshot->watched)
        what |= rounds ? SB_TALLIES_REPEATS_PART : SB_TALLIES_REPEATS;
    if (snapshot->bet && snapshot->n >= SB_BETTOR_LEAST && snapshot->n <= SB_BETTOR_MOST)
        what |= rounds ? SB_TALLIES_BETTOR_ROUNDS : SB_TALLIES_BETTOR;
    if (deal < snapshot->n)
        what &= ~(unsigned)(SB_TALLIES_INCREMENTS | SB_TALLIES_LAGS | SB_TALLIES_BETTOR |
                            SB_TALLIES_BETTOR_ROUNDS);
    if (snapshot->n <= EVIDENCE_ITEMS && !sb_snapshot_types(snapshot, type, &count) && count > 0) {
        const enum sb_status status = sb_tallies_open(snapshot->n, deal, type, count, what, NULL, tallies);

        fits = status == SB_OK && sb_snapshot_resume(snapshot, tallies);
        if (!fits)
            sb_tallies_close(tallies);
    }
    free(type);
    return fits;
}

/* Makes the text of a record after it was read; NULL if its counts do not fit. */
static char *evidence_of_gate(const char *path)
{
    struct sb_error error = { .status = SB_OK };
    struct sb_gate_saved *saved;
    struct sb_tallies tallies;
    char *text = NULL;

    if (sb_gate_saved_new(path, &error, &saved)) {
        fuzz_check(error.status == SB_IO && error.text[0], "a fault has a line");
        return NULL;
    }
    if (!saved->report &&
        evidence_tallies(&saved->snapshot, saved->deal, saved->increments, false, &tallies)) {
        saved->snapshot.tallies = &tallies;
        text = json_record("shufflebias.gate-evidence/2", sb_gate_saved_fields, saved);
        saved->snapshot.tallies = NULL;
        sb_tallies_close(&tallies);
    }
    sb_gate_saved_free(saved);
    return text;
}

static char *evidence_of_watch(const char *path)
{
    struct sb_error error = { .status = SB_OK };
    struct sb_watch_saved saved = { .there = false };
    struct sb_tallies tallies;
    char *text = NULL;

    if (sb_watch_saved_read(path, &error, &saved)) {
        fuzz_check(error.status == SB_IO && error.text[0], "a fault has a line");
    } else if (saved.starts == 0 &&
               evidence_tallies(&saved.snapshot, saved.deal, saved.increments, true, &tallies)) {
        saved.snapshot.tallies = &tallies;
        text = json_record("shufflebias.watching/2", sb_watch_saved_fields, &saved);
        saved.snapshot.tallies = NULL;
        sb_tallies_close(&tallies);
    }
    sb_watch_saved_close(&saved);
    return text;
}

static char *evidence_of_report(const char *path)
{
    struct sb_error error = { .status = SB_OK };
    struct sb_saved *saved;

    if (sb_saved_new(path, &error, &saved)) {
        fuzz_check(error.status == SB_IO && error.text[0], "a fault has a line");
        return NULL;
    }
    struct sb_tally *const tally = calloc(saved->counts_count + 1, sizeof *tally);

    if (!tally)
        abort();
    for (size_t i = 0; i < saved->counts_count; i++) {
        const struct sb_counts *const counts = &saved->counts[i];

        tally[i] = (struct sb_tally) {
            .statistic = counts->statistic,
            .lag = counts->lag,
            .dependence = counts->dependence,
            .members = counts->members,
            .cells = counts->cells,
            .total = counts->total,
            .count = counts->count,
        };
    }
    saved->tally = tally;
    saved->tally_count = saved->counts_count;
    char *const text = json_record("shufflebias.evidence/1", sb_saved_fields, saved);

    free(tally);
    sb_saved_free(saved);
    return text;
}

/* A kind of evidence: a part of its schema's name, and how to copy it. */
static const struct kind {
    const char *schema;
    char *(*copy)(const char *path);
} evidence_kinds[] = {
    { "shufflebias.gate-evidence/2", evidence_of_gate },
    { "shufflebias.watching/2", evidence_of_watch },
    { "shufflebias.evidence/1", evidence_of_report },
};

static void evidence_compare(const struct kind *kind, const char *was, size_t size, const char *is)
{
    /* that of laws that would have to be computed; an optional member, which is 0 where it is missing */
    static const char *const ignored[] = { "catalogue", "zeros", NULL };
    json_t *const one = json_loadb(was, size, JSON_REJECT_DUPLICATES, NULL);
    json_t *const other = json_loads(is, JSON_REJECT_DUPLICATES, NULL);
    const char *const path = evidence_file("again", is, evidence_size(is, strlen(is)));
    char *const again = path ? kind->copy(path) : NULL;

    fuzz_check(one && other, "evidence is JSON");
    if (strcmp(json_string_value(json_object_get(one, "schema")), kind->schema) == 0)
        fuzz_check(json_same(one, other, ignored), "evidence that is written again says the same");
    fuzz_check(again && strcmp(again, is) == 0, "evidence that was written is written to the same bytes");
    free(again);
    json_decref(one);
    json_decref(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *const text = (const char *)data;

    size = evidence_size(text, size);
    const char *const path = evidence_file("evidence", text, size);

    for (size_t i = 0; path && i < sizeof evidence_kinds / sizeof evidence_kinds[0]; i++) {
        char *const copy = evidence_kinds[i].copy(path);

        if (copy)
            evidence_compare(&evidence_kinds[i], text, size, copy);
        free(copy);
    }
    return 0;
}
