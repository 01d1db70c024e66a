/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tallies of all ranks are sums, which the root has. Cost: what the ranks take to add. */
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
