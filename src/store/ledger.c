/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A ledger in memory, and a run's use of it. At its start, the run checks that the ledger agrees with the
 * options, and claims its share before it looks at any permutation. With a key, the run continues the key's
 * evidence. In the end, the run records its outcome and, if it has a key, its evidence.
 */
#define _XOPEN_SOURCE 700 /* for realpath() */

#include "store/ledger.h"

#include "core/core.h"
#include "core/system.h"
#include "core/text.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const sb_ledger_outcomes[SB_LEDGER_OUTCOMES + 1] = { "pass", "fail", "inconclusive", "broken" };

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
        return sb_error_set(error, SB_IO, "'%.200s' was there and is gone: restore it", claim->path);
    }
    if (status == SB_OK && !*ledger) {
        *ledger = calloc(1, sizeof **ledger);
        if (!*ledger)
            return sb_error_memory(error, "a ledger");
        (*ledger)->alpha = claim->alpha;
        (*ledger)->delta = claim->delta;
    }
    return status ? status : ledger_agrees(claim, *ledger, error);
}

/* Returns the index of the entry with this share. If there is no such entry, adds a NULL entry and returns its index.
 * If the ledger is full, the function first drops the entry that was used longest ago; the key of the dropped entry
 * starts again with a new share. */
static size_t ledger_place(struct sb_ledger *ledger, uint64_t share)
{
    size_t at = 0, oldest = 0;

    while (at < ledger->entries_count && ledger->entry[at]->share != share)
        at++;
    if (at < ledger->entries_count)
        return at;
    if (at == SB_LEDGER_ENTRIES) {
        for (size_t i = 1; i < at; i++)
            if (ledger->entry[i]->run < ledger->entry[oldest]->run)
                oldest = i;
        sb_ledger_entry_free(ledger->entry[oldest]);
        at--;
        memmove(&ledger->entry[oldest], &ledger->entry[oldest + 1], (at - oldest) * sizeof ledger->entry[0]);
    }
    ledger->entry[at] = NULL;
    ledger->entries_count = at + 1;
    return at;
}

/* Takes an entry that now has another owner out of the ledger. Call this function only right before
 * sb_ledger_free(). */
static void ledger_keep(struct sb_ledger *ledger, const struct sb_ledger_entry *entry)
{
    for (size_t i = 0; ledger && i < ledger->entries_count; i++)
        if (ledger->entry[i] == entry)
            ledger->entry[i] = NULL;
}

/* ---- the start of a run ---- */

enum sb_status sb_ledger_begin(const struct sb_request *options, struct sb_error *error, struct sb_ledger_claim *claim)
{
    struct sb_ledger_claim made = { .key = options->key, .alpha = options->alpha, .delta = options->delta };
    struct sb_retry retry = { .began = 0 };
    struct sb_ledger *ledger = NULL;
    enum sb_status status;

    *claim = made;
    if (!options->ledger)
        return SB_OK;
    if (made.key && (!made.key[0] || strlen(made.key) > SB_LEDGER_KEY_MOST))
        return sb_error_set(error, SB_INVALID, "`key`: a key has 1 to %d bytes: name the version of the tested code",
                            SB_LEDGER_KEY_MOST);
    for (const char *c = made.key; c && *c; c++)
        if (*c < ' ' || *c > '~')
            return sb_error_set(error, SB_INVALID,
                                "`key`: '%.100s' has characters that are not printable ASCII: leave them out",
                                made.key);
    do /* resolves links, because runs must replace the file itself and not a link */
        made.path = realpath(options->ledger, NULL);
    while (!made.path && sb_retry_again(&retry, errno));
    if (!made.path && sb_fault_kind(errno) != SB_FAULT_ABSENT)
        return sb_error_set(error, SB_IO, "cannot read '%.200s': %s", options->ledger, strerror(errno));
    if (!made.path)
        made.path = strdup(options->ledger);
    if (!made.path)
        return sb_error_memory(error, "the ledger");
    *claim = made;
    status = sb_ledger_read(made.path, error, &ledger);
    if (status == SB_OK)
        status = ledger_agrees(&made, ledger, error);
    claim->next = ledger ? ledger->shares + 1 : 1;
    sb_ledger_free(ledger);
    return status;
}

void sb_ledger_end(struct sb_ledger_claim *claim)
{
    free(claim->path);
    sb_ledger_entry_free(claim->entry);
    free(claim->decks);
    *claim = (struct sb_ledger_claim) { .path = NULL };
}

static enum sb_status claim_fits(const struct sb_ledger_claim *claim, const struct sb_ledger_entry *entry,
                                 const struct sb_ledger_entry *test, struct sb_error *error)
{
    if (entry->n != test->n || entry->deal != test->deal)
        return sb_error_set(error, SB_INVALID,
                            "key '%s' of '%.160s' stands for %zu of %zu items, not %zu of %zu: use another key",
                            claim->key, claim->path, entry->deal, entry->n, test->deal, test->n);
    if (entry->chained != test->chained)
        return sb_error_set(error, SB_INVALID,
                            "key '%s' of '%.160s' stands for permutations that are %schained: use another key",
                            claim->key, claim->path, entry->chained ? "" : "not ");
    if (entry->increments != test->increments)
        return sb_error_set(error, SB_INVALID,
                            "key '%s' of '%.160s' stands for a test with%s increments: use another key", claim->key,
                            claim->path, entry->increments ? "" : "out");
    if (strcmp(entry->profile ? entry->profile : "", test->profile ? test->profile : "") != 0)
        return sb_error_set(error, SB_INVALID,
                            "key '%s' of '%.160s' stands for a test with %s%.60s, not with %s%.60s: use another key",
                            claim->key, claim->path, entry->profile ? "the profile " : "no profile",
                            entry->profile ? entry->profile : "", test->profile ? "the profile " : "none",
                            test->profile ? test->profile : "");
    return SB_OK;
}

static struct sb_ledger_entry *claim_test(const struct sb_ledger_claim *claim, const struct sb_feed *feed,
                                          const struct sb_subject *subject, const struct sb_request *options)
{
    struct sb_ledger_entry *const made = calloc(1, sizeof *made);

    if (!made)
        return NULL;
    made->key = strdup(claim->key ? claim->key : "");
    made->subject = sb_sanitize_page_text(feed->name, true);
    made->identity = sb_subject_identity(subject);
    made->n = feed->n;
    made->deal = feed->deal;
    made->chained = subject->chained;
    made->increments = options->increments;
    made->profile = options->profile ? strdup(options->profile) : NULL;
    if (made->subject && made->key && (made->profile || !options->profile))
        return made;
    sb_ledger_entry_free(made);
    return NULL;
}

/* The index of the first entry of this key and subject that is not open; entries_count if there is none. */
static size_t claim_find(const struct sb_ledger *ledger, const struct sb_ledger_entry *test)
{
    size_t at = 0;

    while (at < ledger->entries_count &&
           (ledger->entry[at]->open || ledger->entry[at]->identity != test->identity ||
            strcmp(ledger->entry[at]->key, test->key) != 0 || strcmp(ledger->entry[at]->subject, test->subject) != 0))
        at++;
    return at;
}

static void claim_list(struct sb_ledger *ledger, const struct sb_ledger_run *run)
{
    if (ledger->recent_count == SB_LEDGER_RECENT) {
        sb_ledger_run_close(&ledger->recent[0]);
        ledger->recent_count--;
        memmove(&ledger->recent[0], &ledger->recent[1], ledger->recent_count * sizeof ledger->recent[0]);
    }
    ledger->recent[ledger->recent_count++] = *run;
}

/* Adds the run to the ledger. If the run continues an entry of its key, *test becomes this entry; otherwise
 * the run gets a new share. */
static enum sb_status claim_enter(struct sb_ledger *ledger, struct sb_ledger_entry **test, struct sb_error *error,
                                  struct sb_ledger_claim *claim)
{
    const size_t at = claim->key ? claim_find(ledger, *test) : ledger->entries_count;
    const bool goes_on = at < ledger->entries_count;
    const enum sb_status status = goes_on ? claim_fits(claim, ledger->entry[at], *test, error) : SB_OK;
    struct sb_ledger_run run = { .key = NULL };

    if (status)
        return status;
    run.subject = strdup((*test)->subject);
    run.key = claim->key ? strdup(claim->key) : NULL;
    if (!run.subject || (claim->key && !run.key)) {
        sb_ledger_run_close(&run);
        return sb_error_memory(error, "the ledger");
    }
    claim->run = run.run = ++ledger->runs;
    ledger->shares += !goes_on;
    claim->share = run.share = goes_on ? ledger->entry[at]->share : ledger->shares;
    claim_list(ledger, &run);
    if (!claim->key)
        return SB_OK;
    if (goes_on) {
        sb_ledger_entry_free(*test);
        *test = ledger->entry[at];
    }
    (*test)->share = claim->share;
    (*test)->run = claim->run;
    (*test)->open = true;
    ledger->entry[goes_on ? at : ledger_place(ledger, claim->share)] = *test;
    return SB_OK;
}

static enum sb_status claim_decks(const struct sb_ledger_entry *entry, struct sb_error *error,
                                  struct sb_ledger_claim *claim)
{
    struct sb_ledger_decks decks = { .count = 0 };
    const enum sb_status status = sb_ledger_decks_read(claim->path, error, &decks);

    for (size_t i = 0; status == SB_OK && i < decks.count; i++) {
        struct sb_ledger_section *const section = &decks.section[i];

        if (section->share != entry->share || section->run != entry->decks || section->n != entry->n ||
            section->deal != entry->deal)
            continue;
        claim->decks = section->key;
        claim->decks_count = section->count;
        section->key = NULL;
    }
    sb_ledger_decks_close(&decks);
    return status;
}

enum sb_status sb_ledger_take(const struct sb_feed *feed, const struct sb_subject *subject,
                              const struct sb_request *options, struct sb_error *error, struct sb_ledger_claim *claim)
{
    struct sb_ledger_entry *test = NULL;
    struct sb_ledger_claim taken = *claim;
    struct sb_ledger *ledger = NULL;
    int lock;
    enum sb_status status = claim->path ? sb_file_lock_wait(claim->path, options->stop, error, &lock) : SB_OK;

    if (status || !claim->path)
        return status;
    status = ledger_load(claim, error, &ledger);
    if (status == SB_OK)
        test = claim_test(claim, feed, subject, options);
    if (status == SB_OK)
        status = test ? claim_enter(ledger, &test, error, &taken) : sb_error_memory(error, "the ledger");
    if (status == SB_OK && claim->key)
        status = claim_decks(test, error, &taken);
    if (status == SB_OK)
        status = sb_ledger_write(claim->path, ledger, error);
    close(lock);
    ledger_keep(ledger, test);
    sb_ledger_free(ledger);
    if (status || !claim->key)
        sb_ledger_entry_free(test);
    else
        taken.entry = test;
    if (status == SB_OK)
        *claim = taken;
    else
        free(taken.decks);
    return status;
}

enum sb_status sb_ledger_types(const struct sb_ledger_claim *claim, struct sb_error *error,
                               const struct sb_statistic_type *type[], size_t *count)
{
    const struct sb_ledger_entry *const entry = claim->entry;
    const char *const name = sb_snapshot_types(&entry->snapshot, type, count);

    if (!name)
        return SB_OK;
    return sb_error_set(error, SB_INVALID, "key '%s' of '%.200s' has counts of %.60s%s: use another key", entry->key,
                        claim->path, name, sb_statistic_find(name) ? " twice" : ", which is unknown");
}

enum sb_status sb_ledger_resume(const struct sb_ledger_claim *claim, struct sb_error *error, struct sb_tallies *tallies)
{
    const struct sb_ledger_entry *const entry = claim->entry;

    if (sb_snapshot_resume(&entry->snapshot, tallies)) /* the decks are in another file, FILE.decks */
        return SB_OK;
    return sb_error_set(error, SB_INVALID,
                        "key '%s' of '%.200s' has counts of other statistics, or of other cells: use another key",
                        entry->key, claim->path);
}

/* ---- the end of a run ---- */

static enum sb_status record_add(const struct sb_ledger_claim *claim, const struct sb_tallies *tallies, uint64_t total,
                                 const struct sb_fingerprint *fingerprint)
{
    struct sb_ledger_entry *const entry = claim->entry;

    entry->open = false;
    if (!tallies || total == 0)
        return SB_OK;
    if (sb_snapshot_take(tallies, total, &entry->snapshot))
        return SB_NO_MEMORY;
    entry->snapshot.places = NULL; /* there is no step from one run to the next */
    sb_fingerprints_add(&entry->fingerprints, fingerprint);
    return SB_OK;
}

static enum sb_status record_decks(const struct sb_ledger_claim *claim, const struct sb_ledger *ledger,
                                   const struct sb_repeats_stream *repeat, struct sb_error *error)
{
    struct sb_ledger_section section = {
        .share = claim->share,
        .run = claim->run,
        .n = claim->entry->n,
        .deal = claim->entry->deal,
        .key = calloc(SB_REPEATS_CARRIED, sizeof section.key[0]),
    };
    struct sb_ledger_decks decks = { .count = 0 };
    enum sb_status status;

    if (!section.key)
        return sb_error_memory(error, "the decks of a ledger");
    section.count = sb_repeats_stream_newest(repeat, section.key);
    status = sb_ledger_decks_read(claim->path, error, &decks);
    if (status) {
        free(section.key);
    } else {
        sb_ledger_decks_prune(&decks, ledger);
        sb_ledger_decks_put(&decks, &section);
        status = sb_ledger_decks_write(claim->path, &decks, error);
    }
    sb_ledger_decks_close(&decks);
    return status;
}

static void record_put(struct sb_ledger *ledger, const struct sb_ledger_claim *claim, size_t outcome, uint64_t total)
{
    ledger->outcome[outcome]++;
    for (size_t i = 0; i < ledger->recent_count; i++)
        if (ledger->recent[i].run == claim->run) {
            ledger->recent[i].outcome = sb_ledger_outcomes[outcome];
            ledger->recent[i].total = total;
        }
    if (claim->entry) {
        const size_t at = ledger_place(ledger, claim->share);

        sb_ledger_entry_free(ledger->entry[at]);
        ledger->entry[at] = claim->entry;
    }
}

enum sb_status sb_ledger_record(struct sb_ledger_claim *claim, const char *outcome, const struct sb_tallies *tallies,
                                uint64_t total, const struct sb_fingerprint *fingerprint, struct sb_error *error)
{
    struct sb_ledger *ledger = NULL;
    const bool adds = claim->entry && tallies && tallies->repeat && total > 0;
    struct sb_error unkept = { 0 };
    size_t which = 0;
    int lock;
    enum sb_status status, kept = SB_OK;

    if (!claim->run)
        return SB_OK;
    if (claim->entry && record_add(claim, tallies, total, fingerprint))
        return sb_error_memory(error, "the ledger");
    while (strcmp(sb_ledger_outcomes[which], outcome) != 0)
        which++;
    status = sb_file_lock_wait(claim->path, NULL, error, &lock);
    if (status)
        return status;
    status = ledger_load(claim, error, &ledger);
    if (status == SB_OK && adds) { /* a failure to save the decks must not lose the evidence */
        kept = record_decks(claim, ledger, tallies->repeat, &unkept);
        claim->entry->decks = kept ? 0 : claim->run;
    }
    if (status == SB_OK) {
        record_put(ledger, claim, which, claim->entry ? claim->entry->snapshot.total : total);
        status = sb_ledger_write(claim->path, ledger, error);
    }
    close(lock);
    ledger_keep(ledger, claim->entry);
    sb_ledger_free(ledger);
    if (status || kept == SB_OK)
        return status;
    return sb_error_set(error, kept, "%.300s (the evidence is in the ledger, without the decks)", unkept.text);
}
