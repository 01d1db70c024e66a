/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the exact law of a shuffle by trying every answer to each draw.
 *
 * A run of the shuffle is a path from the root of a tree to a leaf: a node is a draw, and its branches are
 * the answers. A branch has an integer weight; its probability is this weight divided by the sum of the
 * weights at the node. The probability of a leaf is the product of the probabilities of the branches on its
 * path. Counts have the least common denominator of all leaves so far.
 */
#ifndef SB_EXACT_TREE_H
#define SB_EXACT_TREE_H

#include "exact/law.h"

enum {
    SB_LEAVES_MOST = 100000000, /* the largest number of leaves; the engine refuses larger trees */
};

/*
 * Estimates the number of leaves. For each of a few random paths, multiplies the numbers of branches at the
 * nodes (Knuth, Mathematics of Computation 29 (1975) 121, doi:10.1090/S0025-5718-1975-0373371-6). The
 * estimate is exact if all paths have the same numbers of branches. HUGE_VAL if a path does not end or has
 * too many draws. NAN if memory runs out.
 */
double sb_tree_leaves(const struct sb_law *law);

/*
 * Computes the law as exact evidence, which the caller closes. SB_TOO_LARGE: there are more than
 * SB_LEAVES_MOST leaves, or more than SB_CELLS_MOST deals. SB_INVALID: the shuffle may redraw indefinitely.
 * SB_NO_MEMORY. SB_STOPPED.
 */
enum sb_status sb_tree_law(const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence);

#endif
