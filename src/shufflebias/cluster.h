/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many processes can share the work of reports, over any transport. The program shufflebias uses MPI.
 * docs/mpi.md */
#ifndef SHUFFLEBIAS_CLUSTER_H
#define SHUFFLEBIAS_CLUSTER_H

#include "shufflebias/basics.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One of the processes that share the work of reports. Each process fills one struct. Rank 0 sets options.ranks and makes its reports, which are byte for byte the reports of
 * a single process. Meanwhile all other ranks run sb_ranks_help(). All ranks call `broadcast`, `sum`,
 * `most`, `either`, `gather`, `open` and `close` in the same order. The functions report no errors: if one
 * rank is lost, the transport must end all ranks.
 *
 *     main:   if (ranks.rank > 0)
 *                 return sb_ranks_help(&ranks, &error);
 *             options.ranks = &ranks;
 *             sb_reports_new(schemes, count, &options, &error, &reports);
 *             sb_ranks_dismiss(&ranks);
 */
struct sb_ranks {
    unsigned rank, size; /* the number of this rank, 0..size-1; the number of ranks, at least 2 */
    void *state;         /* passed to the functions */
    /* Copies `size` bytes from rank 0 to all other ranks. The other ranks may have to wait a long time. */
    void (*broadcast)(void *state, void *bytes, size_t size);
    /*
     * These three functions combine the arrays of all ranks, element by element, into the array of rank 0:
     * `sum` adds, `most` takes the maximum, and `either` takes the bitwise or. The arrays of the other ranks
     * stay unchanged.
     */
    void (*sum)(void *state, uint64_t tally[], size_t count);
    void (*most)(void *state, uint8_t held[], size_t count);
    void (*either)(void *state, uint64_t bits[], size_t count);
    /*
     * Appends the bytes of all other ranks to the bytes of rank 0. The buffer of rank 0 has room for the
     * bytes of all ranks. `size` is the number of bytes of the calling rank. At rank 0 the function returns
     * the new number of bytes in the buffer; at the other ranks the returned value has no meaning.
     */
    size_t (*gather)(void *state, void *bytes, size_t size);
    /* Opens a counter that all ranks share, and sets the counter to `first`. Returns when all ranks have
     * called this function. */
    void (*open)(void *state, uint64_t first);
    /* Closes the counter. Returns when all ranks have called this function. */
    void (*close)(void *state);
    /* Adds `count` to the open counter and returns the counter's previous value. Only one thread of a rank
     * calls this function at a time. */
    uint64_t (*take)(void *state, uint64_t count);
};

/*
 * Computes the calling rank's part of all reports that rank 0 makes, on as many threads as rank 0's options
 * say. Every rank except rank 0 calls this function once. The function returns when rank 0 calls
 * sb_ranks_dismiss(). Errors: SB_INVALID if rank 0 has another version of the library; SB_NO_MEMORY, after
 * which the other ranks wait indefinitely, so the caller must end those ranks. Example: above.
 */
SB_API enum sb_status sb_ranks_help(const struct sb_ranks *ranks, struct sb_error *error);

/*
 * Makes sb_ranks_help() return at the other ranks. Rank 0 calls this function once, after its last report.
 * Example: above.
 */
SB_API void sb_ranks_dismiss(const struct sb_ranks *ranks);

#ifdef __cplusplus
}
#endif

#endif
