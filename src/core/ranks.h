/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the engines have of a crew (struct sb_crew in shufflebias.h); a crew of NULL is one process alone. */
#ifndef SB_CORE_RANKS_H
#define SB_CORE_RANKS_H

#include "shufflebias.h"

/* Whether this is the first member, to whom all tallies come, or alone. */
static inline bool sb_crew_leads(const struct sb_crew *crew)
{
    return !crew || crew->rank == 0;
}

/* The first member's bytes to all. */
static inline void sb_crew_tell(const struct sb_crew *crew, void *bytes, size_t size)
{
    if (crew && size > 0)
        crew->tell(crew->state, bytes, size);
}

/* Adds the tallies of all up at the first member; the others begin again from zeroes. */
void sb_crew_sum(const struct sb_crew *crew, uint64_t tally[], size_t count);

#endif
