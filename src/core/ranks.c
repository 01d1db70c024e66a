/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the tallies of all ranks (the processes that share a run) at the root. Cost: one reduction. */
#include "core/ranks.h"

#include "core/error.h"
#include "core/struct_size.h"

#include <string.h>

enum sb_status sb_ranks_check(const struct sb_ranks *ranks, struct sb_error *error)
{
    struct sb_ranks own;
    const enum sb_status status = sb_struct_read(ranks, "sb_ranks", sizeof own, error, &own);

    if (status == SB_OK && ranks->struct_size < sizeof own)
        return sb_error_set(error, SB_INVALID,
                            "`struct_size = %zu`: struct sb_ranks has %zu bytes: call sb_ranks_init() before "
                            "you set fields",
                            ranks->struct_size, sizeof own);
    if (status)
        return status;
    if (own.size < 2 || own.rank >= own.size)
        return sb_error_set(error, SB_INVALID,
                            "there is no rank %u of %u: give 2 ranks or more the numbers from 0", own.rank,
                            own.size);
    if (!own.broadcast || !own.sum || !own.most || !own.either || !own.gather || !own.open || !own.close ||
        !own.take)
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
