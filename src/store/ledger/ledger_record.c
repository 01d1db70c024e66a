/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The end of a run: the run records its outcome and, if it has a key, its evidence. */
#include "store/ledger/ledger.h"

#include "core/core.h"
#include "store/file/file_lock.h"
#include "store/ledger/ledger_decks.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Updates the key's entry: sets the counts, and adds the run's fingerprint. */
static enum sb_status record_add(const struct sb_ledger_claim *claim, const struct sb_tallies *tallies,
                                 uint64_t total, const struct sb_fingerprint *fingerprint)
{
    struct sb_ledger_entry *const entry = claim->entry;

    entry->open = false;
    if (!tallies || total == 0)
        return SB_OK;
    if (sb_snapshot_take(tallies, total, &entry->snapshot))
        return SB_NO_MEMORY;
    /* drops the last permutation, because there is no step from one run to the next */
    free(entry->snapshot.places);
    entry->snapshot.places = NULL;
    sb_fingerprints_add(&entry->fingerprints, fingerprint);
    return SB_OK;
}

/* Saves the decks of the key's runs in the file beside the ledger. */
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

static void record_put(struct sb_ledger *ledger, const struct sb_ledger_claim *claim, size_t outcome,
                       uint64_t total)
{
    ledger->outcome[outcome]++;
    for (size_t i = 0; i < ledger->recent_count; i++)
        if (ledger->recent[i].run == claim->run) {
            ledger->recent[i].outcome = sb_ledger_outcomes[outcome];
            ledger->recent[i].total = total;
        }
    if (claim->entry) {
        const size_t at = sb_ledger_place(ledger, claim->share);

        sb_ledger_entry_free(ledger->entry[at]);
        ledger->entry[at] = claim->entry;
    }
}

enum sb_status sb_ledger_record(struct sb_ledger_claim *claim, const char *outcome,
                                const struct sb_tallies *tallies, uint64_t total,
                                const struct sb_fingerprint *fingerprint, struct sb_error *error)
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
    status = sb_ledger_load(claim, error, &ledger);
    if (status == SB_OK && adds) { /* a failure to save the decks must not lose the evidence */
        kept = record_decks(claim, ledger, tallies->repeat, &unkept);
        claim->entry->decks = kept ? 0 : claim->run;
    }
    if (status == SB_OK) {
        record_put(ledger, claim, which, claim->entry ? claim->entry->snapshot.total : total);
        status = sb_ledger_write(claim->path, ledger, error);
    }
    close(lock);
    sb_ledger_keep(ledger, claim->entry);
    sb_ledger_free(ledger);
    if (status || kept == SB_OK)
        return status;
    return sb_error_set(error, kept, "%.300s (the evidence is in the ledger, without the decks)",
                        unkept.text);
}
