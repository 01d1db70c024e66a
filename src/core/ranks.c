/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tallies of a crew are sums, and it is the first member who has them. Cost: what the crew takes to add. */
#include "core/ranks.h"

#include <string.h>

void sb_crew_sum(const struct sb_crew *crew, uint64_t tally[], size_t count)
{
    if (!crew)
        return;
    crew->sum(crew->state, tally, count);
    if (!sb_crew_leads(crew))
        memset(tally, 0, count * sizeof tally[0]);
}
