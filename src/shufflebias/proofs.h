/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Proofs: the exact law of your own shuffle, which asks the library for its draws. docs/prove.md */
#ifndef SHUFFLEBIAS_PROOFS_H
#define SHUFFLEBIAS_PROOFS_H

#include "shufflebias/basics.h"
#include "shufflebias/reports.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * How the library calls your shuffle. Fill the struct with sb_proof_init() and change what you need. The
 * caller keeps all pointers alive until the call returns.
 */
struct sb_request {
    size_t n; /* number of items, 0..10; default 3 */
    /*
     * This field is for shuffles that ask for a number u in [0, 1). The library divides [0, 1) into this
     * number of equal cells, 1..65536. 0, the default, means lcm(1..n), with which floor(u k) is exactly
     * uniform for every k <= n.
     */
    uint32_t cells;
    /*
     * The largest number of draws in one shuffle, 1..1000000; default 1000. The library stops longer
     * shuffles, and the report shows their probability as not resolved.
     */
    uint32_t draws;
    /* the largest number of different series of draws, above 0; default 1000000. If there are more series,
     * the call returns SB_TOO_LARGE */
    uint64_t paths;
    bool counts;                       /* lists all counts even if there are more than 8 items */
    const volatile sig_atomic_t *stop; /* nonzero ends the work early, with the results so far; may be NULL */
    sb_progress *progress;             /* may be NULL */
    void *progress_state;              /* passed to progress */

    /* Only for a function. */
    size_t size; /* bytes of an item; 0, the default, means 2: uint16_t */

    /* Only for a command. */
    /* the call fails after this many seconds without a request or a deck; above 0; default 60 */
    double timeout;
    sb_overheard *overheard; /* receives the command's standard error; NULL discards it */
    void *overheard_state;   /* passed to overheard */
    /*
     * Receives the command's process group while the command runs, and 0 afterwards. A signal handler can
     * kill() the group before the handler ends the program. May be NULL.
     */
    volatile sig_atomic_t *group;
};

/* Sets every field to its default. Example: prove_own.c. */
SB_API void sb_proof_init(struct sb_request *proof);

/* The source of one shuffle's draws. Opaque; valid until the function sb_drawn_shuffle() returns. */
struct sb_draws;

/* Returns an integer in 0..bound-1; bound >= 1. Example: prove_own.c. */
SB_API uint32_t sb_draws_below(struct sb_draws *draws, uint32_t bound);

/*
 * Returns a number in [0, 1), the middle of a cell. Proofs are much faster with integers: prefer
 * sb_draws_below(). Example: prove_own.c.
 */
SB_API double sb_draws_uniform(struct sb_draws *draws);

/*
 * A shuffle under test that takes all randomness from `draws`. The function shuffles an array of n items,
 * `size` bytes each, in place. The function must keep no state between calls, and must end at some time if
 * the draws are random. The function returns 0. Another value says that the shuffle failed: the library calls
 * the function no more, and the proof ends with SB_SUBJECT.
 *
 * Items of 1, 2, 4 or 8 bytes are the unsigned integers 0..n-1 in increasing order. Items of any other size
 * are objects to move as a whole: the first two bytes are the item's number, an unsigned integer, and the
 * other bytes have a pattern that shows whether the object was moved as a whole.
 */
typedef int sb_drawn_shuffle(void *items, size_t n, size_t size, struct sb_draws *draws, void *state);

/*
 * Computes the exact law of a C function. The library calls the function in this thread with every possible
 * series of draws. The library repeats some series to check that the result depends only on the draws. The
 * report shows `name`; NULL means "callback". The result is a single report. Its verdict is "uniform",
 * "biased" or, if part of the probability is not resolved, "inconclusive". The caller frees *reports with
 * sb_reports_free().
 *
 * Errors: SB_INVALID; SB_TOO_LARGE if there are more items or series than the proof allows; SB_SUBJECT if the
 * function returns a value other than 0, if a result is not a permutation, or if the same draws give
 * different results; SB_NO_MEMORY; SB_STOPPED. Example: prove_own.c.
 */
SB_API enum sb_status sb_prove_callback(const char *name, sb_drawn_shuffle *shuffle, void *state,
                                        const struct sb_request *proof, struct sb_error *error,
                                        struct sb_reports **reports);

/*
 * Computes the exact law of a program: command[] holds its name and arguments, then NULL. The library starts
 * the program without a shell. At the end the library kills the program and all processes that the program
 * started. For each shuffle the program reads the line `start`. To draw, the program prints `draw K` for an
 * integer in 0..K-1, or `random` for a number in [0, 1), and reads the answer. At the end of the shuffle the
 * program prints the deck, numbered from 0 or from 1, as `deck 2 0 1`. Errors: those of sb_prove_callback();
 * SB_SUBJECT also if the program does not start, prints another line, exits or stays silent. Example:
 * prove_own.c.
 */
SB_API enum sb_status sb_prove_command(const char *const command[], const struct sb_request *proof,
                                       struct sb_error *error, struct sb_reports **reports);

#ifdef __cplusplus
}
#endif

#endif
