/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the exact law of an outside shuffle, the peer, by trying every answer to each question of the
 * peer.
 *
 * The questions of the peer form a tree. A question is a node, its answers are the branches, and a deck is a
 * leaf. The probability of a leaf is 1 divided by the product of the bounds of the questions above it. A peer
 * may also ask for a number in [0, 1). Then the answer is the middle of one of M equal cells, so a leaf
 * stands for a box of numbers. The oracle counts such a leaf only if the deck stays the same at several
 * corners of the box: with all numbers at the low ends of their cells, and after each step in which one number
 * after another moves to the high end.
 */
#ifndef SB_EXACT_ORACLE_ORACLE_H
#define SB_EXACT_ORACLE_ORACLE_H

#include "core/draws.h"
#include "core/evidence.h"

enum {
    SB_ORACLE_ITEMS_MOST = 10, /* the largest n, since each order has a count of its own */
    SB_ORACLE_CELLS_MOST = 65536,
    SB_ORACLE_DRAWS_MOST = 1000000,
};

struct sb_oracle {
    struct sb_peer *peer;
    size_t n;            /* number of items */
    uint32_t cells;      /* M, 1..SB_ORACLE_CELLS_MOST */
    uint32_t draws_most; /* the largest number of questions on a path, at least 1; longer paths are cut */
    /* The largest number of paths. The oracle refuses a tree whose estimated number of paths is larger, and
     * stops after this many paths. */
    uint64_t paths_most;
    const volatile sig_atomic_t *stop; /* may be NULL */
    sb_progress *progress;             /* may be NULL */
    void *progress_state;
};

/* Returns lcm(1, ..., n), n <= 10. With this many cells, floor(u k) is the same for all u in a cell, for
 * every k <= n. */
uint32_t sb_oracle_cells(size_t n);

/*
 * Computes the law as exact evidence, which the caller closes. evidence->inquiry says how complete the law
 * is, and which part of the probability is not resolved. Three kinds of paths are not resolved: paths that
 * were cut, paths whose deck is not the same for all numbers of a cell, and paths that were not tried because
 * of the limit or the stop flag. SB_TOO_LARGE: there are more than 10 items, or the estimated number of paths
 * is above the limit. SB_SUBJECT: the peer violated the protocol, or the same answers gave different results.
 * SB_STOPPED: the stop flag was raised before any path was counted. SB_NO_MEMORY.
 */
enum sb_status sb_oracle_law(const struct sb_oracle *oracle, struct sb_error *error,
                             struct sb_evidence *evidence);

#endif
