/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of questions that a peer asks. The tree is an array of nodes with links to their parents. For each
 * depth, there is a list of the questions that still have answers to try. */
#include "exact/oracle/oracle_tree.h"

#include <stdlib.h>

enum { TREE_NODES_MOST = 1 << 25 };

enum sb_status sb_oracle_tree_open(uint32_t draws_most, struct sb_oracle_tree *tree)
{
    *tree = (struct sb_oracle_tree) {
        .open = malloc(draws_most * sizeof *tree->open),
        .depths = draws_most,
        .shallowest = draws_most,
    };
    for (size_t i = 0; tree->open && i < draws_most; i++)
        tree->open[i] = SB_ORACLE_ROOT;
    return tree->open ? SB_OK : SB_NO_MEMORY;
}

void sb_oracle_tree_close(struct sb_oracle_tree *tree)
{
    free(tree->node);
    free(tree->open);
    *tree = (struct sb_oracle_tree) { .node = NULL };
}

static enum sb_status tree_reserve(struct sb_oracle_tree *tree, size_t count)
{
    struct sb_oracle_node *node;
    size_t room = tree->room ? tree->room : 1024;

    if (count <= tree->room)
        return SB_OK;
    if (count > TREE_NODES_MOST)
        return SB_NO_MEMORY;
    while (room < count)
        room *= 2;
    node = realloc(tree->node, room * sizeof *node);
    if (!node)
        return SB_NO_MEMORY;
    tree->node = node;
    tree->room = room;
    return SB_OK;
}

enum sb_status sb_oracle_tree_add(struct sb_oracle_tree *tree, const struct sb_oracle_run *run,
                                  struct sb_oracle_branch branch, struct sb_oracle_branch *last)
{
    if (tree_reserve(tree, tree->count + run->length - run->known))
        return SB_NO_MEMORY;
    for (size_t depth = run->known; depth < run->length; depth++) {
        const struct sb_question *const question = &run->path[depth];
        struct sb_oracle_node *const node = &tree->node[tree->count];

        *node = (struct sb_oracle_node) {
            .parent = branch,
            .bound = question->bound,
            .next = 1,
            .number = question->number,
        };
        if (node->bound > 1) {
            node->after = tree->open[depth];
            tree->open[depth] = (uint32_t)tree->count;
            if (depth < tree->shallowest)
                tree->shallowest = depth;
        }
        tree->waiting += node->bound - 1;
        branch = (struct sb_oracle_branch) { (uint32_t)tree->count++, 0 };
    }
    *last = branch;
    return SB_OK;
}

bool sb_oracle_tree_next(struct sb_oracle_tree *tree, struct sb_oracle_branch *branch)
{
    while (tree->shallowest < tree->depths && tree->open[tree->shallowest] == SB_ORACLE_ROOT)
        tree->shallowest++;
    if (tree->shallowest == tree->depths)
        return false;
    uint32_t *const open = &tree->open[tree->shallowest];
    struct sb_oracle_node *const node = &tree->node[*open];

    *branch = (struct sb_oracle_branch) { *open, node->next++ };
    tree->waiting--;
    if (node->next == node->bound)
        *open = node->after;
    return true;
}

void sb_oracle_tree_path(const struct sb_oracle_tree *tree, struct sb_oracle_branch branch,
                         struct sb_oracle_run *run)
{
    size_t length = 0;

    for (uint32_t node = branch.node; node != SB_ORACLE_ROOT; node = tree->node[node].parent.node)
        length++;
    run->length = length;
    while (length > 0) {
        const struct sb_oracle_node *const node = &tree->node[branch.node];

        run->path[--length] = (struct sb_question) { node->bound, branch.answer, node->number };
        branch = node->parent;
    }
}
