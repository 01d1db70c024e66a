/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the tallies of all ranks (the processes that share a run) at the root. Cost: one reduction. */
#include "core/ranks.h"

#include <string.h>

void sb_ranks_sum(const struct sb_ranks *ranks, uint64_t tally[], size_t count)
{
    if (!ranks)
        return;
    ranks->sum(ranks->state, tally, count);
    if (!sb_ranks_is_root(ranks))
        memset(tally, 0, count * sizeof tally[0]);
}
