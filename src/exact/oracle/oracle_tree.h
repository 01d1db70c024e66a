/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The known part of the tree of a peer's questions, and the next branch to follow.
 *
 * Of all answers not given yet, the next is one with the fewest questions before it. So an infinite tree, as
 * of a shuffle with a redraw loop, is explored from the root, where most of the probability is. Cost: 24
 * bytes per question, O(1) to find the next branch, O(length) for its path.
 */
#ifndef SB_EXACT_ORACLE_ORACLE_TREE_H
#define SB_EXACT_ORACLE_ORACLE_TREE_H

#include "exact/oracle/oracle_run.h"

enum { SB_ORACLE_ROOT = INT32_MAX }; /* stands in place of a parent if the question is the first */

/* An answer to a question, which leads to the next question or to a deck. */
struct sb_oracle_branch {
    uint32_t node;   /* the question, or SB_ORACLE_ROOT: before the first one */
    uint32_t answer; /* the answer to that question; 0 at the root */
};

struct sb_oracle_node {
    struct sb_oracle_branch parent;
    uint32_t bound, next; /* the next answer to give */
    uint32_t after; /* the next open question of the same depth; SB_ORACLE_ROOT at the end of the list */
    bool number;
};

struct sb_oracle_tree {
    struct sb_oracle_node *node; /* [count of room]; owned */
    size_t count, room;
    uint32_t *open; /* [depths] the first open question of each depth, or SB_ORACLE_ROOT; owned */
    size_t depths;
    size_t shallowest; /* no question is open at a smaller depth */
};

/* A tree for paths of up to `draws_most` questions. SB_NO_MEMORY. */
enum sb_status sb_oracle_tree_open(uint32_t draws_most, struct sb_oracle_tree *tree);
void sb_oracle_tree_close(struct sb_oracle_tree *tree);

/*
 * Adds the new questions of a run below `branch`, which led to the first of them. *last becomes the last
 * branch of the run. SB_NO_MEMORY, also beyond 2^25 questions.
 */
enum sb_status sb_oracle_tree_add(struct sb_oracle_tree *tree, const struct sb_oracle_run *run,
                                  struct sb_oracle_branch branch, struct sb_oracle_branch *last);

/* The next branch to follow; false after the last. */
bool sb_oracle_tree_next(struct sb_oracle_tree *tree, struct sb_oracle_branch *branch);

/* Sets a run's path to the one that leads to a branch. */
void sb_oracle_tree_path(const struct sb_oracle_tree *tree, struct sb_oracle_branch branch,
                         struct sb_oracle_run *run);

#endif
