/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The known part of the tree of questions that a peer asks, and the next branch to follow.
 *
 * The next answer to give is the one with the fewest questions before it, or one of several such answers. So
 * an infinite tree, such as the tree of a shuffle with a redraw loop, is explored from the root, where most
 * of the probability is. Cost: 24 bytes per question; O(1) to find the next branch, and O(length) to find the
 * path to the branch.
 */
#ifndef SB_EXACT_ORACLE_ORACLE_TREE_H
#define SB_EXACT_ORACLE_ORACLE_TREE_H

#include "exact/oracle/oracle_run.h"

/* stands for the parent of the first question, and for the end of a list */
enum { SB_ORACLE_ROOT = INT32_MAX };

/* An answer to a question. The answer leads to the next question or to a deck. */
struct sb_oracle_branch {
    uint32_t node;   /* the question; SB_ORACLE_ROOT if the branch leads to the first question */
    uint32_t answer; /* the answer to that question; 0 if `node` is SB_ORACLE_ROOT */
};

struct sb_oracle_node {
    struct sb_oracle_branch parent;
    uint32_t bound, next; /* number of answers, and the next answer to give */
    /* the next open question, one with answers left to give, of the same depth; SB_ORACLE_ROOT at the end of
     * the list */
    uint32_t after;
    bool number;
};

struct sb_oracle_tree {
    struct sb_oracle_node *node; /* [room] the questions, of which the first `count` are used; owned */
    size_t count, room;
    uint32_t *open; /* [depths] the first open question of each depth, or SB_ORACLE_ROOT; owned */
    size_t depths;
    size_t shallowest; /* all open questions have this depth or a greater depth */
    uint64_t waiting;  /* number of branches to follow, each of which leads to one path or to more */
};

/* Opens a tree for paths of up to `draws_most` questions. SB_NO_MEMORY. */
enum sb_status sb_oracle_tree_open(uint32_t draws_most, struct sb_oracle_tree *tree);
void sb_oracle_tree_close(struct sb_oracle_tree *tree);

/* Adds the new questions of a run below `branch`; this branch led to the first new question. Sets *last to
 * the last branch of the run. SB_NO_MEMORY, also if there would be more than 2^25 questions. */
enum sb_status sb_oracle_tree_add(struct sb_oracle_tree *tree, const struct sb_oracle_run *run,
                                  struct sb_oracle_branch branch, struct sb_oracle_branch *last);

/* Sets *branch to the next branch to follow. Returns false after the last branch. */
bool sb_oracle_tree_next(struct sb_oracle_tree *tree, struct sb_oracle_branch *branch);

/* Sets the path of a run to the path that ends with `branch`. */
void sb_oracle_tree_path(const struct sb_oracle_tree *tree, struct sb_oracle_branch branch,
                         struct sb_oracle_run *run);

#endif
