/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the engines know of the ranks (struct sb_ranks in shufflebias.h); NULL is one process alone. */
#ifndef SB_CORE_RANKS_H
#define SB_CORE_RANKS_H

#include "shufflebias.h"

/* Whether this is the first member, to whom all tallies come, or alone. */
static inline bool sb_ranks_is_root(const struct sb_ranks *ranks)
{
    return !ranks || ranks->rank == 0;
}

/* The first member's bytes to all. */
static inline void sb_ranks_broadcast(const struct sb_ranks *ranks, void *bytes, size_t size)
{
    if (ranks && size > 0)
        ranks->broadcast(ranks->state, bytes, size);
}

/* Adds the tallies of all up at the first member; the others begin again from zeroes. */
void sb_ranks_sum(const struct sb_ranks *ranks, uint64_t tally[], size_t count);

#endif
