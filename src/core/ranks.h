/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helpers for ranks (struct sb_ranks in shufflebias.h), the processes that share a run. A NULL pointer stands
 * for a single process. */
#ifndef SB_CORE_RANKS_H
#define SB_CORE_RANKS_H

#include "core/calls.h"

/* Returns whether this process is the root, which receives all tallies. A process without other ranks is the
 * root. */
static inline bool sb_ranks_is_root(const struct sb_ranks *ranks)
{
    return !ranks || ranks->rank == 0;
}

/* Copies the root's bytes to all ranks. */
static inline void sb_ranks_broadcast(const struct sb_ranks *ranks, void *bytes, size_t size)
{
    if (ranks && size > 0)
        ranks->broadcast(ranks->state, bytes, size);
}

/* Checks the numbers of a caller's struct, all of whose functions are required. Error: SB_INVALID. */
enum sb_status sb_ranks_check(const struct sb_ranks *ranks, struct sb_error *error);

/* Adds up the tallies of all ranks at the root, and sets the tallies of the other ranks to zero. */
void sb_ranks_sum(const struct sb_ranks *ranks, uint64_t tally[], size_t count);

#endif
