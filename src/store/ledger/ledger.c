/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ledger in memory: how to load it, and how to add and remove entries. */
#include "store/ledger/ledger.h"

#include "core/core.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *const sb_ledger_outcomes[SB_LEDGER_OUTCOMES] = { "pass", "fail", "inconclusive", "broken" };

enum sb_status sb_ledger_agrees(const struct sb_ledger_claim *claim, const struct sb_ledger *ledger,
                                struct sb_error *error)
{
    const bool alpha = ledger && ledger->alpha != claim->alpha;

    if (!ledger || (!alpha && ledger->delta == claim->delta))
        return SB_OK;
    return sb_error_set(error, SB_INVALID,
                        "'%.200s' is a ledger for %s = %g, not %g: ask for that, or name another",
                        claim->path, alpha ? "alpha" : "delta", alpha ? ledger->alpha : ledger->delta,
                        alpha ? claim->alpha : claim->delta);
}

enum sb_status sb_ledger_load(const struct sb_ledger_claim *claim, struct sb_error *error,
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
    return status ? status : sb_ledger_agrees(claim, *ledger, error);
}

size_t sb_ledger_place(struct sb_ledger *ledger, uint64_t share)
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

void sb_ledger_keep(struct sb_ledger *ledger, const struct sb_ledger_entry *entry)
{
    for (size_t i = 0; ledger && i < ledger->entries_count; i++)
        if (ledger->entry[i] == entry)
            ledger->entry[i] = NULL;
}
