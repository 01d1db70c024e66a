/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tree of a peer's questions, as far as it is known: where to go next.
 *
 * Of all answers that have not been given yet the next is one with the fewest questions before it. So a tree
 * without end, as of a shuffle that draws again and again, is cleared from the root, where most of the
 * probability is. Cost: 24 bytes for a question, O(1) to find the next, O(length) for the path there.
 */
#ifndef SB_EXACT_ORACLE_ORACLE_TREE_H
#define SB_EXACT_ORACLE_ORACLE_TREE_H

#include "exact/oracle/oracle_run.h"

enum { SB_ORACLE_ROOT = INT32_MAX }; /* in the place of a parent: the question is the first */

/* An answer to a question, and so what comes after it. */
struct sb_oracle_branch {
    uint32_t node;   /* the question, or SB_ORACLE_ROOT: before the first one */
    uint32_t answer; /* to it; 0 at the root */
};

struct sb_oracle_node {
    struct sb_oracle_branch parent;
    uint32_t bound, next; /* the answer to be given next */
    uint32_t after;       /* in the list of open ones that are as deep; SB_ORACLE_ROOT at its end */
    bool number;
};

struct sb_oracle_tree {
    struct sb_oracle_node *node; /* [count of room]; owned */
    size_t count, room;
    uint32_t *open; /* [depths] the first open question after as many others, or SB_ORACLE_ROOT; owned */
    size_t depths;
    size_t shallowest; /* none is open at a lesser depth */
};

/* A tree for paths of up to `draws_most` questions. SB_NO_MEMORY. */
enum sb_status sb_oracle_tree_open(uint32_t draws_most, struct sb_oracle_tree *tree);
void sb_oracle_tree_close(struct sb_oracle_tree *tree);

/*
 * Puts the questions of a run that are new below `branch`, which led to the first of them; *last becomes the
 * last branch of the run. SB_NO_MEMORY, also where there are more than 2^25.
 */
enum sb_status sb_oracle_tree_add(struct sb_oracle_tree *tree, const struct sb_oracle_run *run,
                                  struct sb_oracle_branch branch, struct sb_oracle_branch *last);

/* The next branch to go; false after the last. */
bool sb_oracle_tree_next(struct sb_oracle_tree *tree, struct sb_oracle_branch *branch);

/* Makes the way to a branch the path of a run. */
void sb_oracle_tree_path(const struct sb_oracle_tree *tree, struct sb_oracle_branch branch,
                         struct sb_oracle_run *run);

#endif
