/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Restores statistics and tallies from a key's counts, for a run that continues the key's evidence. */
#include "store/ledger/ledger.h"

#include "core/core.h"

enum sb_status sb_ledger_types(const struct sb_ledger_claim *claim, struct sb_error *error,
                               const struct sb_statistic_type *type[], size_t *count)
{
    const struct sb_ledger_entry *const entry = claim->entry;
    const char *const name = sb_snapshot_types(&entry->snapshot, type, count);

    if (!name)
        return SB_OK;
    return sb_error_set(error, SB_INVALID, "key '%s' of '%.200s' has counts of %.60s%s: use another key",
                        entry->key, claim->path, name,
                        sb_statistic_find(name) ? " twice" : ", which is unknown");
}

enum sb_status sb_ledger_resume(const struct sb_ledger_claim *claim, struct sb_error *error,
                                struct sb_tallies *tallies)
{
    const struct sb_ledger_entry *const entry = claim->entry;

    if (sb_snapshot_resume(&entry->snapshot,
                           /* the decks are not in the snapshot but in another file:
                            * store/ledger/ledger_decks.h */
                           tallies))
        return SB_OK;
    return sb_error_set(
        error, SB_INVALID,
        "key '%s' of '%.200s' has counts of other statistics, or of other cells: use another key", entry->key,
        claim->path);
}
