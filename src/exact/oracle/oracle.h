/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact law of an outside shuffle: tries every answer to each of its questions.
 *
 * It is the law of a tree whose shuffle is a peer. A question is a node, its answers are the branches, and a
 * deck is a leaf whose mass is one over the product of the bounds above it. If a peer asks for a number in
 * [0, 1), it gets the middle of one of M equal cells, so a leaf stands for a box of numbers. The leaf counts
 * only if the deck is the same with all numbers at the low and at the high ends of their cells.
 */
#ifndef SB_EXACT_ORACLE_ORACLE_H
#define SB_EXACT_ORACLE_ORACLE_H

#include "core/evidence.h"
#include "core/peer.h"

enum {
    SB_ORACLE_ITEMS_MOST = 10, /* the most items, since orders are counted one by one */
    SB_ORACLE_CELLS_MOST = 65536,
    SB_ORACLE_DRAWS_MOST = 1000000,
};

struct sb_oracle {
    struct sb_peer *peer;
    size_t n;            /* number of items */
    uint32_t cells;      /* M, 1..SB_ORACLE_CELLS_MOST */
    uint32_t draws_most; /* the most questions of a path, at least 1; longer paths are cut */
    /* The most paths; larger trees are refused, or abandoned once they turn out to be larger. */
    uint64_t paths_most;
    const volatile sig_atomic_t *stop; /* may be NULL */
    sb_progress *progress;             /* may be NULL */
    void *progress_state;
};

/* lcm(1, ..., n): this many cells make floor(u k) exact for every k <= n. n <= 10. */
uint32_t sb_oracle_cells(size_t n);

/*
 * Computes the law as exact evidence, which the caller closes. evidence->inquiry says how complete it is, and
 * which part of the probability is not resolved: paths that were cut, numbers that do not fit their cells,
 * and paths left when the stop flag was raised. SB_TOO_LARGE: more than 10 items, or more paths than
 * requested, by the estimate; SB_SUBJECT: the peer violated the protocol, or the same answers give different
 * results; SB_STOPPED: before anything was counted; SB_NO_MEMORY.
 */
enum sb_status sb_oracle_law(const struct sb_oracle *oracle, struct sb_error *error,
                             struct sb_evidence *evidence);

#endif
