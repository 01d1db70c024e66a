/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks through all paths that a shuffle's draws can take.
 *
 * A path is the series of answers of one run. The walk runs the shuffle once per path, like an odometer: it
 * repeats the answers of the previous path up to the last one that has a successor, takes that successor, and
 * then the first answer of each new draw.
 *
 * A shuffle that redraws may reject answers. A node's branch weights are then over the sum of the accepted
 * weights, which is known only after each answer has been tried. So the first redraw makes the walk start
 * again in a mode that probes each new node, which costs one more run per branch.
 */
#ifndef SB_EXACT_WALK_H
#define SB_EXACT_WALK_H

#include "core/wide.h"
#include "exact/law.h"

enum { SB_WALK_DEPTH_MOST = 4096 };

/* A draw on the path. */
struct sb_walk_node {
    uint32_t bound, answer;
    const uint64_t *law; /* [bound] weights; NULL: 1 each */
    bool probing;        /* whether the walk is still trying which answers are rejected */
    /* whether all answers but one are rejected; that one has probability 1, whatever its weight */
    bool forced;
    uint32_t children; /* number of possible answers that are not known to be rejected */
    sb_wide sum;       /* sum of their weights */
    uint8_t *struck;   /* [bound] which answers are rejected; owned; only if nodes are probed */
    uint64_t num, den; /* the product of the weights from the root to here, and of the sums */
    mpz_t wide_num, wide_den;
};

struct sb_walk {
    struct sb_source src; /* must be the first member: a shuffle sees only this */
    const struct sb_law *law;
    struct sb_deck deck;
    uint64_t **laws; /* [law_bounds] by bound, computed on first use; owned */
    size_t law_bounds;
    struct sb_walk_node *node; /* [SB_WALK_DEPTH_MOST] owned */
    size_t length;             /* number of nodes in use: the length of the path */
    size_t depth;              /* how many of these nodes this run has used */
    size_t settled;            /* how many of these nodes have valid products */
    bool redraw;               /* the last answer was rejected: the next draw is the same node */
    bool probes;               /* whether nodes are probed */
    bool retry;                /* this run has shown something about a node, and must be repeated */
    bool random;               /* whether new nodes take a random branch, as the estimate needs */
    uint64_t state;            /* state of the generator for random branches */
    const uint32_t *steer;     /* [steer_length] the answers for new nodes, in order; NULL: none requested */
    size_t steer_length;
    const struct sb_walk_node *lost; /* the node whose requested answer is missing or impossible */
};

/* Makes a walk that has not started; the caller closes it. SB_NO_MEMORY. */
enum sb_status sb_walk_open(const struct sb_law *law, bool random, struct sb_walk *walk);
void sb_walk_close(struct sb_walk *walk);

/*
 * Runs the shuffle along the current path to its end: walk->deck.a is the result, node[0..length-1] the path.
 * Sets `probes` if the walk had to start again; then all earlier paths are invalid. SB_INVALID: the shuffle
 * may reject every answer of a draw, or `lost` is set; SB_TOO_LARGE, SB_NO_MEMORY, SB_BROKEN.
 */
enum sb_status sb_walk_run(struct sb_walk *walk);

/* Moves to the next path; false after the last. Products of nodes before `settled` remain valid. */
bool sb_walk_advance(struct sb_walk *walk);

/* The weight of an answer at a node: 0 if it is rejected. */
uint64_t sb_walk_weight(const struct sb_walk_node *node, uint32_t answer);

/* The probability of the node's answer, given the path to the node. The caller has initialised it. */
void sb_walk_share(const struct sb_walk_node *node, mpq_t share);

#endif
