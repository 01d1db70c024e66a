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

    if (!entry || claim->opened == SB_LEDGER_OPENING)
        return SB_OK;
    for (; count && claim->opened < SB_LEDGER_OPENING; count--, claim->opened++)
        for (size_t i = 0; i < deal; i++) /* FNV-1a, by items */
            claim->opening = (claim->opening ^ *items++) * UINT64_C(1099511628211);
    for (size_t i = 0; claim->opened == SB_LEDGER_OPENING && i < entry->openings_count; i++)
        if (entry->opening[i] == claim->opening)
            return sb_error_set(
                error, SB_SUBJECT,
                "%.100s: its first %d permutations are those of an earlier run with key '%s', and would "
                "count twice: seed it anew in each run, or leave the key out",
                entry->subject, SB_LEDGER_OPENING, claim->key);
    return SB_OK;
}

/* Copies of all counts. */
static enum sb_status record_copy(const struct sb_tally tally[], size_t count, struct sb_ledger_entry *entry)
{
    struct sb_counts *const copy = sb_counts_copy(tally, count);

    if (!copy)
        return SB_NO_MEMORY;
    sb_counts_free(entry->statistic, entry->statistics_count);
    entry->statistic = copy;
    entry->statistics_count = count;
    return SB_OK;
}

/* What the run's key has seen now, and how the run began. */
static enum sb_status record_add(const struct sb_ledger_claim *claim, const struct sb_tallies *tallies,
                                 uint64_t total)
{
    struct sb_ledger_entry *const entry = claim->entry;

    entry->open = false;
    if (!tallies || total == 0)
        return SB_OK;
    if (record_copy(tallies->tally, tallies->count - (tallies->repeat ? 1 : 0), entry))
        return SB_NO_MEMORY;
    entry->total = total;
    entry->watched = tallies->repeat;
    entry->birthday = tallies->birthday;
    if (claim->opened < SB_LEDGER_OPENING)
        return SB_OK;
    if (entry->openings_count == SB_LEDGER_OPENINGS) {
        entry->openings_count--;
        memmove(&entry->opening[0], &entry->opening[1], entry->openings_count * sizeof entry->opening[0]);
    }
    entry->opening[entry->openings_count++] = claim->opening;
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
        record_put(ledger, claim, which, claim->entry ? claim->entry->total : total);
        status = sb_ledger_write(claim->path, ledger, error);
    }
    sb_ledger_unlock(lock);
    sb_ledger_keep(ledger, claim->entry);
    sb_ledger_free(ledger);
    return status;
}
