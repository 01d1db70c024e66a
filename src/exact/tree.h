/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact law of a shuffle: tries every answer to each of its draws.
 *
 * A run of the shuffle is a path from the root of a tree to a leaf: a node is a draw, and its branches are
 * the answers. A leaf's probability is the product of its branches' weights, which are integers over the
 * node's sum. Counts are over the least common denominator so far.
 */
#ifndef SB_EXACT_TREE_H
#define SB_EXACT_TREE_H

#include "exact/law.h"

enum {
    SB_LEAVES_MOST = 100000000, /* larger trees are refused */
};

/*
 * Estimates the number of leaves from the product of the branches along a few random paths (Knuth,
 * Mathematics of Computation 29 (1975) 121, doi:10.1090/S0025-5718-1975-0373371-6). Exact if all paths are
 * alike. HUGE_VAL if a path does not end or has too many draws; NAN if memory runs out.
 */
double sb_tree_leaves(const struct sb_law *law);

/*
 * Computes the law as exact evidence, which the caller closes. SB_TOO_LARGE: more than SB_LEAVES_MOST leaves,
 * or more deals than SB_CELLS_MOST; SB_NO_MEMORY; SB_STOPPED.
 */
enum sb_status sb_tree_law(const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence);

#endif
