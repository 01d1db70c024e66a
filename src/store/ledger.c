/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A ledger in its file, and a run's use of it. At its start, the run checks that the ledger agrees with the options,
 * and claims its share before it looks at any permutation. In the end, the run records its outcome. The reader trusts
 * no file: the fields of a ledger must agree with each other.
 */
#define _XOPEN_SOURCE 700 /* for realpath() */

#include "store/ledger.h"

#include "core/core.h"
#include "core/system.h"
#include "core/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the file ---- */

const char *const sb_ledger_outcomes[SB_LEDGER_OUTCOMES + 1] = { "pass", "fail", "inconclusive", "broken" };

static const struct sb_store_field ledger_run_fields[] = {
    { "run", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger_run, run), .low = 1 },
    { "share", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger_run, share), .low = 1 },
    { "subject", SB_STORE_TEXT, .shown = true, .at = offsetof(struct sb_ledger_run, subject) },
    { "outcome", SB_STORE_CHOICE, .at = offsetof(struct sb_ledger_run, outcome), .null = true,
      .choices = sb_ledger_outcomes },
    { "total", SB_STORE_INTEGER, .at = offsetof(struct sb_ledger_run, total) },
    { .name = NULL },
};

/* The rows have the order of sb_ledger_outcomes. */
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
        snprintf(name, sizeof name, "outcomes.%s", sb_ledger_outcomes[i]);
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
    while (strcmp(sb_ledger_outcomes[which], outcome) != 0)
        which++;
    enum sb_status status = sb_file_lock_wait(claim->path, NULL, error, &lock);

    if (status)
        return status;
    status = ledger_load(claim, error, &ledger);
    if (status == SB_OK) {
        ledger->outcome[which]++;
        for (size_t i = 0; i < ledger->recent_count; i++)
            if (ledger->recent[i].run == claim->run) {
                ledger->recent[i].outcome = sb_ledger_outcomes[which];
                ledger->recent[i].total = total;
            }
        status = sb_ledger_write(claim->path, ledger, error);
    }
    close(lock);
    sb_ledger_free(ledger);
    return status;
}
