/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An explanation of a shuffle: the tree of draws, the orders at the ends of its paths, one path step by step, and
 * why the shuffle is fair or biased. Probabilities are fractions in lowest terms, as text. */
#ifndef SB_STUDY_EXPLAIN_EXPLAIN_H
#define SB_STUDY_EXPLAIN_EXPLAIN_H

#include "report/page.h"
#include "study/results.h"

enum {
    SB_EXPLAIN_PATHS_MOST = 4096, /* trees with more paths are not stored */
    SB_EXPLAIN_DRAWN_MOST = 64,   /* trees with more paths are not drawn as text */
    SB_EXPLAIN_FIGURE_ITEMS = 4,  /* the most items in a figure of the tree */
    /* the most paths in a figure of the tree: as many as the naive swap of 4 items has */
    SB_EXPLAIN_FIGURE_PATHS = 256,
    SB_EXPLAIN_FIGURE_ORDERS = 120, /* the most orders in the figure of an explanation */
    SB_EXPLAIN_ORDERS_MOST = 40320, /* 8!: the most orders that are listed separately */
    SB_EXPLAIN_OPEN_MOST = 6,       /* the most orders listed beside a step */
    SB_EXPLAIN_SHARE_ROOM = 48,     /* bytes for a fraction of two integers of up to 65 bits */
    SB_EXPLAIN_NOTES_MOST = 4,
    /* the most characters of a fraction; longer fractions are hard to read, so decimal numbers replace them */
    SB_EXPLAIN_MASS_MOST = 24,
};

/* One draw of a path: a branch of the tree. */
struct sb_explain_draw {
    uint32_t bound, answer;
    bool even;                         /* whether all possible answers are equally likely */
    char share[SB_EXPLAIN_SHARE_ROOM]; /* the probability of this answer: "1/3" */
};

/* A path from the root of the tree to a leaf. The leaf is an order. */
struct sb_explain_path {
    size_t first, length; /* the draws of the path: explain->drawn[first .. first + length - 1] */
    size_t rank;          /* rank of the order that the path leads to */
    char *mass;           /* probability of the path; owned */
};

/* An order at the leaves of the tree. */
struct sb_explain_order {
    uint64_t paths; /* number of paths that lead to the order, if explain->paths_known */
    char *mass;     /* probability of the order; owned */
    /* the probability as a double, and its ratio to the probability in a fair shuffle */
    double share, ratio;
};

/* All orders with the same number of paths and the same probability. */
struct sb_explain_group {
    size_t orders;
    size_t first;                         /* the lowest rank of the group's orders */
    const struct sb_explain_order *order; /* one of the group's orders; all have equal fields */
};

/* A step of the walked path: a swap with its draws or, if the shuffle is not made of swaps, a single draw. */
struct sb_explain_step {
    /* the draws of the step: explain->walk[first .. first + draws - 1]; a swap may have no draws */
    size_t first, draws;
    bool swap;
    size_t at, from;                    /* the positions that are exchanged; the first position is 0 */
    bool whole;                         /* whether the deck is a permutation; false while an item is being moved */
    size_t open;                        /* number of orders that are still possible after the step; 0 if unknown */
    size_t ranks[SB_EXPLAIN_OPEN_MOST]; /* ranks of the first orders that are still possible */
};

/* A part of the argument. */
struct sb_explain_note {
    const char *about; /* "shuffle", "counting", "draw", "seed"; static */
    char *text;        /* one or more sentences; owned */
};

struct sb_explain {
    struct sb_scheme scheme;
    size_t n, deal;
    char *total;  /* number of orders, in decimal digits: "6"; owned */
    char *series; /* number of equally likely series of draws, as text; owned; NULL if unknown */

    /* The tree, if it is small. The paths are sorted by their answers. */
    size_t paths_count, draws_count;
    struct sb_explain_path *path;  /* [paths_count]; owned */
    struct sb_explain_draw *drawn; /* [draws_count]; owned */
    bool even;                     /* whether all paths have the same probability */

    /* The law, if it takes little time to compute. */
    size_t orders_count;            /* number of all orders; 0 if the law was not computed */
    bool paths_known;               /* whether `paths` of each order is known */
    struct sb_explain_order *order; /* [orders_count]; indexed by rank; owned */
    size_t groups_count;
    struct sb_explain_group *group; /* [groups_count]; the likeliest group first; owned */

    /* The walked path, if `walked` is true. */
    bool walked;
    size_t walk_count, steps_count;
    struct sb_explain_draw *walk; /* [walk_count]; owned */
    struct sb_explain_step *step; /* [steps_count]; owned */
    sb_item *deck;                /* [steps_count * n]; the deck after each step; owned */
    sb_item *result;              /* [n]; the deck after the last step; owned */
    char *mass;                   /* probability of the path; owned */

    size_t notes_count;
    struct sb_explain_note note[SB_EXPLAIN_NOTES_MOST];
};

/* Copies the draws of the walk so far to draw[walk->length], and sets *mass to their probability, which the caller
 * frees. */
enum sb_status sb_explain_take(const struct sb_walk *walk, struct sb_explain_draw draw[], char **mass);

/* Writes the error line for an error of a walk through the tree; returns the status. */
enum sb_status sb_explain_fault(enum sb_status status, const struct sb_explain *explain, struct sb_error *error);

/* Marks in used[0..SB_COMPUTED_MOST] the bounds of the shuffle's draws, except draws of sort keys. Sets *most to
 * the largest one, 0 if there are no draws, and *redraws to whether the shuffle draws again after rejected answers.
 * SB_NO_MEMORY. */
enum sb_status sb_explain_survey(const struct sb_law *law, bool used[], uint32_t *most, bool *redraws);

/* Collects all paths, unless there are too many. Errors: SB_NO_MEMORY, SB_INVALID, SB_BROKEN. */
enum sb_status sb_explain_paths(const struct sb_law *law, struct sb_explain *explain);

/* Computes the orders and their groups, after sb_explain_paths(), from a law with counts. SB_NO_MEMORY. */
enum sb_status sb_explain_orders(const struct sb_law *law, const struct sb_evidence *evidence,
                                 struct sb_explain *explain);

/* Writes the argument, after all other parts. `evidence` may be NULL. SB_NO_MEMORY. */
enum sb_status sb_explain_argue(const struct sb_law *law, const struct sb_evidence *evidence,
                                struct sb_explain *explain);

/* Returns the notation of the order with this rank, such as "231"; "()" if there are no items. */
struct sb_notation sb_explain_order_text(const struct sb_explain *explain, size_t rank);

/* Returns the colour of an order: whether it is more or less likely than in a fair shuffle. */
enum sb_ink sb_explain_ink(const struct sb_explain_order *order);

/* Returns the draw of a path at this depth; `depth` is below the length of the path. */
const struct sb_explain_draw *sb_path_draw(const struct sb_explain *explain, size_t path, size_t depth);

/* Returns the number of draws, counted from the root, that the two paths have in common. */
size_t sb_path_common(const struct sb_explain *explain, size_t one, size_t other);

/* Returns the number of draws of the longest path. */
size_t sb_path_depth(const struct sb_explain *explain);

/* Adds the answers of all paths that lead to the order with this rank: " 0,0,1 0,1,0". */
void sb_path_list(const struct sb_explain *explain, size_t rank, struct sb_sentence *s);

#endif
