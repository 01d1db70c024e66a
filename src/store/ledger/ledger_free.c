/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives the memory of a ledger back. */
#include "store/ledger/ledger.h"

#include <stdlib.h>

void sb_ledger_entry_free(struct sb_ledger_entry *entry)
{
    if (!entry)
        return;
    sb_snapshot_close(&entry->seen);
    free(entry->key);
    free(entry->subject);
    free(entry->profile);
    free(entry);
}

void sb_ledger_free(struct sb_ledger *ledger)
{
    if (!ledger)
        return;
    for (size_t i = 0; i < ledger->recent_count; i++) {
        free(ledger->recent[i].key);
        free(ledger->recent[i].subject);
    }
    for (size_t i = 0; i < ledger->entries_count; i++)
        sb_ledger_entry_free(ledger->entry[i]);
    free(ledger);
}
