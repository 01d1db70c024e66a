/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports whose work many processes share, over any transport; the program uses MPI. docs/mpi.md */
#ifndef SHUFFLEBIAS_CLUSTER_H
#define SHUFFLEBIAS_CLUSTER_H

#include "shufflebias/basics.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A process among those that share the work of reports. Each process fills one struct. Rank 0 makes its
 * reports with options.ranks, and gets the same bytes that it would get alone; all other ranks are in
 * sb_ranks_help() meanwhile. So all ranks call `broadcast`, `sum`, `most`, `either`, `gather`, `open` and
 * `close` in the same order. The functions report no errors: if a rank is lost, the transport must end all of
 * them.
 *
 *     main:   if (ranks.rank > 0)
 *                 return sb_ranks_help(&ranks, &error);
 *             options.ranks = &ranks;
 *             sb_reports_new(schemes, count, &options, &error, &reports);
 *             sb_ranks_dismiss(&ranks);
 */
struct sb_ranks {
    unsigned rank, size; /* this rank, 0..size-1; size is 2 or more */
    void *state;         /* passed to the functions */
    /* Copies `size` bytes of rank 0 to all others, which may wait for them for a long time. */
    void (*broadcast)(void *state, void *bytes, size_t size);
    /*
     * Combine `count` elements of all ranks into the array of rank 0: the sum, the maximum, and the bitwise
     * or. The arrays of the other ranks stay unchanged.
     */
    void (*sum)(void *state, uint64_t tally[], size_t count);
    void (*most)(void *state, uint8_t held[], size_t count);
    void (*either)(void *state, uint64_t bits[], size_t count);
    /*
     * Appends the bytes of all other ranks to those of rank 0, whose buffer has room for all. Returns how
     * many bytes rank 0 has afterwards; the value has no meaning at the other ranks.
     */
    size_t (*gather)(void *state, void *bytes, size_t size);
    /* Open and close a counter that all ranks share; it starts at `first`. Both wait for all ranks. */
    void (*open)(void *state, uint64_t first);
    void (*close)(void *state);
    /* Adds `count` to the open counter and returns its previous value. Only one thread at a time calls it. */
    uint64_t (*take)(void *state, uint64_t count);
};

/*
 * Every rank but rank 0 calls this once. It computes this rank's part of all reports that rank 0 makes, on as
 * many threads as rank 0's options say, and returns when rank 0 calls sb_ranks_dismiss(). Errors: SB_INVALID
 * if rank 0 has another version; SB_NO_MEMORY: the other ranks now wait indefinitely, so the caller must end
 * them. Example: above.
 */
SB_API enum sb_status sb_ranks_help(const struct sb_ranks *ranks, struct sb_error *error);

/*
 * Rank 0 calls this once, after its last report: sb_ranks_help() then returns at the other ranks. Example:
 * above.
 */
SB_API void sb_ranks_dismiss(const struct sb_ranks *ranks);

#ifdef __cplusplus
}
#endif

#endif
