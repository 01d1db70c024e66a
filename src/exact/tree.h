/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact law of a shuffle: every answer to its draws in turn.
 *
 * A run of the shuffle is a path from the root of a tree to a leaf: a node is a draw, its branches the
 * answers. A leaf's probability is the product of its branches' weights, which are integers over the node's
 * sum; counts go over the least common denominator met so far.
 */
#ifndef SB_EXACT_TREE_H
#define SB_EXACT_TREE_H

#include "exact/law.h"

enum {
    SB_LEAVES_MOST = 100000000, /* larger trees are refused */
};

/*
 * About how many leaves there are, from the product of the branches along a few random paths (Knuth,
 * Mathematics of Computation 29 (1975) 121, doi:10.1090/S0025-5718-1975-0373371-6): exact where all paths are
 * alike, HUGE_VAL where a path does not end or draws more than there is room for; NAN without memory.
 */
double sb_tree_leaves(const struct sb_law *law);

/*
 * The law, as exact evidence that the caller closes. SB_TOO_LARGE: more than SB_LEAVES_MOST leaves, or more
 * deals than SB_CELLS_MOST; SB_NO_MEMORY; SB_STOPPED by the stop flag.
 */
enum sb_status sb_tree_law(const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence);

#endif
