/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The communication between the MPI ranks of a walk by slices. The root broadcasts, and the other ranks send
 * their data to the root. Cost: in each step, every rank sends and receives a slice, with 4 bytes per count.
 */
#include "exact/convolve/convolve_slices_walk.h"

#include <string.h>

enum sb_status sb_slices_agree(const struct sb_ranks *ranks, enum sb_status status)
{
    uint64_t word = status == SB_OK;

    sb_ranks_broadcast(ranks, &word, sizeof word);
    return status || word ? status : SB_STOPPED;
}

void sb_slices_begin(struct sb_slices_walk *walk)
{
    if (walk->law->ranks)
        walk->law->ranks->open(walk->law->ranks->state, 0);
}

void sb_slices_end(struct sb_slices_walk *walk)
{
    if (walk->law->ranks)
        walk->law->ranks->close(walk->law->ranks->state);
}

/* The counter that all ranks share (law->ranks->take) is above 0 once the root has stopped. The root reads
 * the counter, too, because some transports answer the other ranks only during a call by the root. */
bool sb_slices_stopped(struct sb_slices_walk *walk, size_t thread)
{
    const struct sb_law *const law = walk->law;
    const bool stopped = law->stop && *law->stop;

    if (law->ranks && thread == 0 && law->ranks->take(law->ranks->state, stopped ? 1 : 0) > 0)
        walk->halted = true;
    return stopped || walk->halted;
}

void sb_slices_sum(struct sb_slices_walk *walk, size_t count)
{
    const struct sb_ranks *const ranks = walk->law->ranks;

    for (size_t i = 0; i < count / 2; i++) /* the halves do not carry, because the sums are below 2^32 */
        walk->pair[i] = walk->sum[2 * i] | (uint64_t)walk->sum[2 * i + 1] << 32;
    ranks->sum(ranks->state, walk->pair, count / 2);
    sb_ranks_broadcast(ranks, walk->pair, count / 2 * sizeof walk->pair[0]);
    for (size_t i = 0; i < count / 2; i++) {
        walk->sum[2 * i] = (uint32_t)walk->pair[i];
        walk->sum[2 * i + 1] = (uint32_t)(walk->pair[i] >> 32);
    }
}

void sb_slices_copy(struct sb_slices_walk *walk, size_t x, void *cells, size_t bytes)
{
    const struct sb_ranks *const ranks = walk->law->ranks;
    const bool mine = walk->mine >> x & 1;

    if (x % ranks->size != 0)
        (void)ranks->gather(ranks->state, mine || ranks->rank == 0 ? cells : NULL, mine ? bytes : 0);
    sb_ranks_broadcast(ranks, cells, bytes);
}

void sb_slices_join(struct sb_slices_walk *walk)
{
    const struct sb_ranks *const ranks = walk->law->ranks;

    for (size_t k = 1; k < walk->threads; k++) {
        sb_convolve_census_merge(walk->part[k].list, walk->part[0].list);
        memset(walk->part[k].list, 0, sizeof walk->part[k].list);
    }
    walk->pair[0] = walk->entries;
    (void)ranks->gather(ranks->state, walk->pair, sizeof walk->pair[0]);
    for (size_t rank = 1; ranks->rank == 0 && rank < ranks->size; rank++)
        walk->entries = walk->pair[rank] > walk->entries ? (size_t)walk->pair[rank] : walk->entries;
    sb_ranks_broadcast(ranks, &walk->entries, sizeof walk->entries);
    sb_ranks_sum(ranks, walk->times, walk->entries);
    memcpy(walk->list[0], walk->part[0].list, sizeof walk->list[0]);
    (void)ranks->gather(ranks->state, walk->list, sizeof walk->list[0]);
    for (size_t rank = 1; ranks->rank == 0 && rank < ranks->size; rank++)
        sb_convolve_census_merge(walk->list[rank], walk->part[0].list);
}
