/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks through all paths that a shuffle's draws can take.
 *
 * A path is the series of answers of one run. The walk runs the shuffle once per path, and goes through the
 * paths like an odometer. In the previous path, the walk finds the last answer that has a successor. The next
 * run repeats all answers before that one, gives the successor instead of that answer, and then gives the
 * first answer to each new draw.
 *
 * A shuffle that redraws may reject answers. Then the probability of an accepted answer is its weight divided
 * by the sum of the weights of all accepted answers. This sum is known only after all answers have been
 * tried. So the first redraw makes the walk start again. From then on, the walk probes each new node: the
 * walk tries each answer, which costs one more run per branch.
 */
#ifndef SB_EXACT_WALK_H
#define SB_EXACT_WALK_H

#include "core/numbers.h"
#include "exact/law.h"

enum { SB_WALK_DEPTH_MOST = 4096 };

/* A draw on the path. */
struct sb_walk_node {
    uint32_t bound, answer;
    const uint64_t *law; /* [bound] weights of the answers; NULL if all are 1 */
    bool probing;        /* whether the walk is still trying which answers are rejected */
    /* whether only one answer is accepted; this answer has probability 1, whatever its weight */
    bool forced;
    uint32_t children; /* number of possible answers that are not known to be rejected */
    sb_wide sum;       /* sum of the weights of the answers that `children` counts */
    uint8_t *struck;   /* [bound] which answers are rejected; owned; only if nodes are probed */
    /* from the root to this node: the product of the weights, and the product of the sums */
    uint64_t num, den;
    mpz_t wide_num, wide_den;
};

struct sb_walk {
    struct sb_source src; /* must be the first member: a shuffle sees only this member */
    const struct sb_law *law;
    struct sb_deck deck;
    uint64_t **laws; /* [law_bounds] the weights for each bound, computed on first use; owned */
    size_t law_bounds;
    struct sb_walk_node *node; /* [SB_WALK_DEPTH_MOST] owned */
    size_t opened;             /* number of nodes, from the root, that have been initialised */
    size_t length;             /* number of nodes on the path */
    size_t depth;              /* how many nodes of the path this run has used */
    size_t settled;            /* how many nodes of the path, from the root, have valid products */
    /* whether the last answer was rejected; if so, the next draw is at the same node */
    bool redraw;
    bool probes;    /* whether nodes are probed */
    bool retry;     /* whether this run only explored the tree, and must be repeated */
    bool random;    /* whether a random branch is taken at new nodes, for an estimate */
    uint64_t state; /* state of the generator for random branches */
    /* [steer_length] the requested answers, by depth; NULL if no answers are requested */
    const uint32_t *steer;
    size_t steer_length;
    /* the node for which no answer, or an impossible answer, was requested; NULL if there is none */
    const struct sb_walk_node *lost;
};

/* Opens a walk, which the caller closes. Does not run the shuffle yet. SB_NO_MEMORY. */
enum sb_status sb_walk_open(const struct sb_law *law, bool random, struct sb_walk *walk);
void sb_walk_close(struct sb_walk *walk);

/*
 * Runs the shuffle along the current path to the end of the path. Then walk->deck.a is the result, and
 * node[0..length-1] is the path. If the walk had to start again, sets `probes`; all earlier paths are then
 * invalid. SB_INVALID: the shuffle may reject every answer of a draw, or `lost` is set. SB_TOO_LARGE: a path
 * is too long, or a draw has too many answers. SB_NO_MEMORY. SB_BROKEN.
 */
enum sb_status sb_walk_run(struct sb_walk *walk);

/* Moves to the next path. Returns false after the last path. The products of the first `settled` nodes remain
 * valid. */
bool sb_walk_advance(struct sb_walk *walk);

/* Returns the weight of an answer at a node, or 0 if the answer is rejected. */
uint64_t sb_walk_weight(const struct sb_walk_node *node, uint32_t answer);

/* Sets `share`, which the caller has initialised, to the probability of the node's answer, given the path to
 * the node. */
void sb_walk_share(const struct sb_walk_node *node, mpq_t share);

#endif
