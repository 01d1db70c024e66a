/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A walk through all the paths that a shuffle's draws can take.
 *
 * A path is the series of answers of one run. The walk runs the shuffle once per path, like an odometer: it
 * repeats the answers of the path before, but for the last one that has a successor, and takes the first of
 * each new draw.
 *
 * A node whose answers may be struck out (a shuffle that draws again) has first to be probed: its branches'
 * weights go over the sum of the accepted ones, which is known only when each answer has been tried. So the
 * first redraw makes the walk start anew in a mode in which each new node is probed, at the price of one more
 * run per branch.
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
    bool probing;        /* which answers are struck out is still being found out */
    bool forced;         /* all but one answer are struck out: it has probability 1, whatever its weight */
    uint32_t children;   /* answers that are possible and not struck out, as far as known */
    sb_wide sum;         /* of their weights */
    uint8_t *struck;     /* [bound]; owned; only where nodes are probed */
    uint64_t num, den;   /* the product of the weights from the root to here, and of the sums */
    mpz_t wide_num, wide_den;
};

struct sb_walk {
    struct sb_source src; /* first: a shuffle sees this */
    const struct sb_law *law;
    struct sb_deck deck;
    uint64_t **laws; /* [law_bounds] by bound, made when first asked for; owned */
    size_t law_bounds;
    struct sb_walk_node *node; /* [SB_WALK_DEPTH_MOST] owned */
    size_t length;             /* of the path: nodes in use */
    size_t depth;              /* how many of them this run has passed */
    size_t settled;            /* nodes whose products hold */
    bool redraw;               /* the last answer was struck out: the next draw is the same node */
    bool probes;               /* nodes are probed */
    bool retry;                /* this run told something about a node; it has to be run again */
    bool random;               /* new nodes take a random branch: for the estimate */
    uint64_t state;            /* of the generator for that */
    const uint32_t *steer;     /* [steer_length] new nodes take these answers in turn; NULL: they do not */
    size_t steer_length;
    const struct sb_walk_node *lost; /* the node whose answer is missing there, or cannot be given */
};

/* A walk over the tree that has not begun; owned by the caller, who closes it. SB_NO_MEMORY. */
enum sb_status sb_walk_open(const struct sb_law *law, bool random, struct sb_walk *walk);
void sb_walk_close(struct sb_walk *walk);

/*
 * Runs the shuffle along the path at hand to its end: walk->deck.a is the result, node[0..length-1] the path.
 * Sets `probes` where the walk had to start anew: then all paths before do not count. SB_INVALID: the shuffle
 * can come to strike out every answer of a draw, or `lost` is set; SB_TOO_LARGE, SB_NO_MEMORY, SB_BROKEN.
 */
enum sb_status sb_walk_run(struct sb_walk *walk);

/* To the next path; false after the last. Products of nodes before `settled` still hold. */
bool sb_walk_advance(struct sb_walk *walk);

/* The weight of an answer at a node: 0 if it is struck out. */
uint64_t sb_walk_weight(const struct sb_walk_node *node, uint32_t answer);

/* The probability of the node's answer, given the path to the node. The caller has initialised it. */
void sb_walk_share(const struct sb_walk_node *node, mpq_t share);

#endif
