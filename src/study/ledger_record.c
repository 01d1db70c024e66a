/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run ends: what came of it is put down, and with a key all that it saw. */
#include "study/ledger.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

enum sb_status sb_ledger_see(struct sb_ledger_claim *claim, const sb_item items[], size_t count, size_t deal,
                             struct sb_error *error)
{
    const struct sb_ledger_entry *const entry = claim->entry;

    if (!entry || sb_opening_see(&claim->opening, &entry->openings, items, count, deal))
        return SB_OK;
    return sb_error_set(
        error, SB_SUBJECT,
        "%.100s: its first %d permutations are those of an earlier run with key '%s', and would "
        "count twice: seed it anew in each run, or leave the key out",
        entry->subject, SB_OPENING, claim->key);
}

/* What the run's key has seen now, and how the run began. */
static enum sb_status record_add(const struct sb_ledger_claim *claim, const struct sb_tallies *tallies,
                                 uint64_t total)
{
    struct sb_ledger_entry *const entry = claim->entry;

    entry->open = false;
    if (!tallies || total == 0)
        return SB_OK;
    if (sb_seen_take(tallies, total, &entry->seen))
        return SB_NO_MEMORY;
    free(entry->seen.places); /* steps are within a run */
    entry->seen.places = NULL;
    sb_openings_add(&entry->openings, &claim->opening);
    return SB_OK;
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
                                const struct sb_tallies *tallies, uint64_t total, struct sb_error *error)
{
    struct sb_ledger *ledger = NULL;
    size_t which = 0;
    int lock;
    enum sb_status status;

    if (!claim->run)
        return SB_OK;
    if (claim->entry && record_add(claim, tallies, total))
        return sb_error_memory(error, "the ledger");
    while (strcmp(sb_ledger_outcomes[which], outcome) != 0)
        which++;
    status = sb_ledger_lock(claim->path, NULL, error, &lock);
    if (status)
        return status;
    status = sb_ledger_load(claim, error, &ledger);
    if (status == SB_OK) {
        record_put(ledger, claim, which, claim->entry ? claim->entry->seen.total : total);
        status = sb_ledger_write(claim->path, ledger, error);
    }
    sb_ledger_unlock(lock);
    sb_ledger_keep(ledger, claim->entry);
    sb_ledger_free(ledger);
    return status;
}
