/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the counts of a key to statistics and tallies: what a run goes on from. */
#include "study/ledger.h"

#include "core/error.h"

#include <string.h>

enum sb_status sb_ledger_types(const struct sb_ledger_claim *claim, struct sb_error *error,
                               const struct sb_statistic_type *type[], size_t *count)
{
    const struct sb_ledger_entry *const entry = claim->entry;
    size_t known = 0;

    for (size_t i = 0; i < entry->statistics_count; i++) {
        const char *const name = entry->statistic[i].statistic;

        if (entry->statistic[i].increments) /* the same again */
            continue;
        const struct sb_statistic_type *const found = sb_statistic_find(name);
        bool twice = false;

        for (size_t j = 0; j < known; j++)
            twice = twice || type[j] == found;
        if (!found || twice)
            return sb_error_set(error, SB_INVALID,
                                "key '%s' of '%.200s' has counts of %.60s%s: use another key", entry->key,
                                claim->path, name, twice ? " twice" : ", which is unknown");
        type[known++] = found;
    }
    *count = known;
    return SB_OK;
}

enum sb_status sb_ledger_resume(const struct sb_ledger_claim *claim, struct sb_error *error,
                                struct sb_tallies *tallies)
{
    const struct sb_ledger_entry *const entry = claim->entry;
    const size_t count = tallies->count - (tallies->repeat ? 1 : 0);
    struct sb_tally *const tally = tallies->tally;

    if (entry->statistics_count != count || entry->watched != (tallies->repeat != NULL) ||
        !sb_counts_lend(entry->statistic, count, tally))
        return sb_error_set(
            error, SB_INVALID,
            "key '%s' of '%.200s' has counts of other statistics, or of other cells: use another "
            "key",
            entry->key, claim->path);
    sb_observer_resume(tallies->observer, tally);
    if (tallies->increments)
        sb_observer_resume(tallies->increments, tally + tallies->statistics);
    tallies->birthday.decks = entry->birthday.decks; /* the decks themselves are forgotten */
    tallies->birthday.repeats = entry->birthday.repeats;
    memcpy(tallies->birthday.ln_e, entry->birthday.ln_e, sizeof tallies->birthday.ln_e);
    sb_tallies_read(tallies);
    return SB_OK;
}
