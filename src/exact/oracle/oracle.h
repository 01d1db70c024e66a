/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact law of somebody else's shuffle: every answer to its questions in turn.
 *
 * It is the tree whose shuffle is a peer. A question is a node, its answers the branches, and a deck a leaf
 * whose mass is one over the product of the bounds above it. Where a peer asks for a number in [0, 1) it is
 * given the middle of one of M equal cells, so that a leaf stands for a box of numbers. It counts only if the
 * deck is the same with all numbers at the low and at the high ends of their cells.
 */
#ifndef SB_EXACT_ORACLE_ORACLE_H
#define SB_EXACT_ORACLE_ORACLE_H

#include "core/evidence.h"
#include "core/peer.h"

enum {
    SB_ORACLE_ITEMS_MOST = 10, /* whose orders are counted one by one */
    SB_ORACLE_CELLS_MOST = 65536,
    SB_ORACLE_DRAWS_MOST = 1000000,
};

struct sb_oracle {
    struct sb_peer *peer;
    size_t n;            /* items */
    uint32_t cells;      /* M, 1..SB_ORACLE_CELLS_MOST */
    uint32_t draws_most; /* questions of a path, at least 1; longer ones are cut */
    uint64_t paths_most; /* larger trees are refused, or left where they are found to be larger */
    const volatile sig_atomic_t *stop; /* may be NULL */
    sb_progress *progress;             /* may be NULL */
    void *progress_state;
};

/* lcm(1, ..., n): as many cells make floor(u k) exact for every k <= n. n <= 10. */
uint32_t sb_oracle_cells(size_t n);

/*
 * The law, as exact evidence that the caller closes; evidence->inquiry says what it rests on, and which part
 * of the probability is not resolved: paths that were cut, numbers that do not fit their cells, what was left
 * when the stop flag was raised. SB_TOO_LARGE: more than 10 items, or about more paths than asked for;
 * SB_SUBJECT: the peer broke its word, or answers differently when it is asked again; SB_STOPPED before
 * anything was counted; SB_NO_MEMORY.
 */
enum sb_status sb_oracle_law(const struct sb_oracle *oracle, struct sb_error *error,
                             struct sb_evidence *evidence);

#endif
