/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The start of a run: the run checks that the ledger agrees with the options, and claims its share before it
 * looks at any permutation. */
#define _XOPEN_SOURCE 700 /* for realpath() */

#include "store/ledger/ledger.h"

#include "core/core.h"
#include "core/system.h"
#include "core/text.h"
#include "store/file/file_lock.h"
#include "store/ledger/ledger_decks.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum sb_status claim_no_memory(struct sb_error *error)
{
    return sb_error_memory(error, "the ledger");
}

enum sb_status sb_ledger_begin(const struct sb_gate_options *options, struct sb_error *error,
                               struct sb_ledger_claim *claim)
{
    struct sb_ledger_claim made = { .key = options->key, .alpha = options->alpha, .delta = options->delta };
    struct sb_retry retry = { .began = 0 };
    struct sb_ledger *ledger = NULL;
    enum sb_status status;

    *claim = made;
    if (!options->ledger)
        return SB_OK;
    if (made.key && (!made.key[0] || strlen(made.key) > SB_LEDGER_KEY_MOST))
        return sb_error_set(error, SB_INVALID,
                            "`key`: a key has 1 to %d bytes: name the version of the tested code",
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
        return claim_no_memory(error);
    *claim = made;
    status = sb_ledger_read(made.path, error, &ledger);
    if (status == SB_OK)
        status = sb_ledger_agrees(&made, ledger, error);
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

/* Checks that an entry has the evidence of this test; the error names the difference. */
static enum sb_status claim_fits(const struct sb_ledger_claim *claim, const struct sb_ledger_entry *entry,
                                 const struct sb_ledger_entry *test, struct sb_error *error)
{
    if (entry->n != test->n || entry->deal != test->deal)
        return sb_error_set(
            error, SB_INVALID,
            "key '%s' of '%.160s' stands for %zu of %zu items, not %zu of %zu: use another key", claim->key,
            claim->path, entry->deal, entry->n, test->deal, test->n);
    if (entry->chained != test->chained)
        return sb_error_set(
            error, SB_INVALID,
            "key '%s' of '%.160s' stands for permutations that are %schained: use another key", claim->key,
            claim->path, entry->chained ? "" : "not ");
    if (entry->increments != test->increments)
        return sb_error_set(error, SB_INVALID,
                            "key '%s' of '%.160s' stands for a test with%s increments: use another key",
                            claim->key, claim->path, entry->increments ? "" : "out");
    if (strcmp(entry->profile ? entry->profile : "", test->profile ? test->profile : "") != 0)
        return sb_error_set(
            error, SB_INVALID,
            "key '%s' of '%.160s' stands for a test with %s%.60s, not with %s%.60s: use another key",
            claim->key, claim->path, entry->profile ? "the profile " : "no profile",
            entry->profile ? entry->profile : "", test->profile ? "the profile " : "none",
            test->profile ? test->profile : "");
    return SB_OK;
}

/* Makes an empty entry for this subject; NULL if memory runs out. */
static struct sb_ledger_entry *claim_test(const struct sb_ledger_claim *claim, const struct sb_feed *feed,
                                          const struct sb_subject *subject,
                                          const struct sb_gate_options *options)
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

/* The index of the first entry of the key and subject that is not open and has this identity; entries_count if
 * there is none. */
static size_t claim_find_identity(const struct sb_ledger *ledger, const struct sb_ledger_entry *test,
                                  uint64_t identity)
{
    size_t at = 0;

    while (at < ledger->entries_count &&
           (ledger->entry[at]->open || ledger->entry[at]->identity != identity ||
            strcmp(ledger->entry[at]->key, test->key) != 0 ||
            strcmp(ledger->entry[at]->subject, test->subject) != 0))
        at++;
    return at;
}

/* The index of the entry to continue; entries_count if there is none. An entry of an older version has no
 * identity, and belongs to the first subject of its name that uses it. */
static size_t claim_find(const struct sb_ledger *ledger, const struct sb_ledger_entry *test)
{
    const size_t at = claim_find_identity(ledger, test, test->identity);

    return at < ledger->entries_count ? at : claim_find_identity(ledger, test, 0);
}

/* Adds a new run to the list of runs. A full list loses its oldest run. Takes ownership of the strings. */
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
static enum sb_status claim_enter(struct sb_ledger *ledger, struct sb_ledger_entry **test,
                                  struct sb_error *error, struct sb_ledger_claim *claim)
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
        return claim_no_memory(error);
    }
    claim->run = run.run = ++ledger->runs;
    ledger->shares += !goes_on;
    claim->share = run.share = goes_on ? ledger->entry[at]->share : ledger->shares;
    claim_list(ledger, &run);
    if (!claim->key)
        return SB_OK;
    if (goes_on) {
        ledger->entry[at]->identity = (*test)->identity;
        sb_ledger_entry_free(*test);
        *test = ledger->entry[at];
    }
    (*test)->share = claim->share;
    (*test)->run = claim->run;
    (*test)->open = true;
    ledger->entry[goes_on ? at : sb_ledger_place(ledger, claim->share)] = *test;
    return SB_OK;
}

/* Loads the decks of the entry's earlier runs, if the file has them. */
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
                              const struct sb_gate_options *options, struct sb_error *error,
                              struct sb_ledger_claim *claim)
{
    struct sb_ledger_entry *test = NULL;
    struct sb_ledger_claim taken = *claim;
    struct sb_ledger *ledger = NULL;
    int lock;
    enum sb_status status = claim->path ? sb_file_lock_wait(claim->path, options->stop, error, &lock) : SB_OK;

    if (status || !claim->path)
        return status;
    status = sb_ledger_load(claim, error, &ledger);
    if (status == SB_OK)
        test = claim_test(claim, feed, subject, options);
    if (status == SB_OK)
        status = test ? claim_enter(ledger, &test, error, &taken) : claim_no_memory(error);
    if (status == SB_OK && claim->key)
        status = claim_decks(test, error, &taken);
    if (status == SB_OK)
        status = sb_ledger_write(claim->path, ledger, error);
    close(lock);
    sb_ledger_keep(ledger, test);
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
