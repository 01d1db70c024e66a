/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the tallies of all ranks (the processes that share a run) at the root. Cost: one reduction. */
#include "core/ranks.h"

#include "core/error.h"

#include <string.h>

enum sb_status sb_ranks_check(const struct sb_ranks *ranks, struct sb_error *error)
{
    if (ranks->size < 2 || ranks->rank >= ranks->size)
        return sb_error_set(error, SB_INVALID,
                            "there is no rank %u of %u: give 2 ranks or more the numbers from 0", ranks->rank,
                            ranks->size);
    if (!ranks->broadcast || !ranks->sum || !ranks->most || !ranks->either || !ranks->gather ||
        !ranks->open || !ranks->close || !ranks->take)
        return sb_error_set(error, SB_INVALID, "a function of struct sb_ranks is NULL: set all eight");
    return SB_OK;
}

void sb_ranks_sum(const struct sb_ranks *ranks, uint64_t tally[], size_t count)
{
    if (!ranks)
        return;
    ranks->sum(ranks->state, tally, count);
    if (!sb_ranks_is_root(ranks))
        memset(tally, 0, count * sizeof tally[0]);
}
