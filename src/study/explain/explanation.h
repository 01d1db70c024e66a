/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An explanation of a shuffle: its tree of draws, the orders that its paths lead to, one path step by
 * step, and the argument. Probabilities are fractions in lowest terms, as text.
 */
#ifndef SB_STUDY_EXPLAIN_EXPLANATION_H
#define SB_STUDY_EXPLAIN_EXPLANATION_H

#include "core/permutation.h"
#include "report/result.h"
#include "shufflebias.h"

enum {
    SB_EXPLAIN_PATHS_MOST = 4096, /* larger trees are not stored */
    SB_EXPLAIN_DRAWN_MOST = 64,   /* trees with more paths are not drawn as text */
    SB_EXPLAIN_FIGURE_ITEMS = 4,  /* the most items in a figure of the tree */
    /* the most paths in a figure of the tree: as many as the naive swap of 4 items has */
    SB_EXPLAIN_FIGURE_PATHS = 256,
    SB_EXPLAIN_ORDERS_MOST = 40320, /* 8!: the most orders that are listed separately */
    SB_EXPLAIN_OPEN_MOST = 6,       /* orders listed beside a step */
    SB_EXPLAIN_SHARE_ROOM = 48,     /* two integers of up to 65 bits */
    SB_EXPLAIN_NOTES_MOST = 4,
};

/* One draw of a path: a branch of the tree. */
struct sb_explain_draw {
    uint32_t bound, answer;
    bool even;                         /* whether all possible answers are equally likely */
    char share[SB_EXPLAIN_SHARE_ROOM]; /* the probability of this answer: "1/3" */
};

/* A path from the root to a leaf, which is an order. */
struct sb_explain_path {
    size_t first, length; /* the draws of the path: explain->draw[first .. first + length - 1] */
    size_t rank;          /* rank of the order that the path leads to */
    char *mass;           /* probability of the path; owned */
};

/* One order. */
struct sb_explain_order {
    uint64_t paths;      /* number of paths that lead to it, if explain->paths_known */
    char *mass;          /* probability of the order; owned */
    double share, ratio; /* this probability as a double, and divided by the fair share */
};

/* All orders with the same number of paths and the same probability. */
struct sb_explain_group {
    size_t orders;
    size_t first;                         /* the rank of the first of them */
    const struct sb_explain_order *order; /* what these orders have in common */
};

/* A step of the walked path: a swap with its draws or, if the shuffle is not made of swaps, a single draw. */
struct sb_explain_step {
    size_t first, draws; /* explain->walk[first .. first + draws - 1]; a swap may take none */
    bool swap;
    size_t at, from; /* the positions exchanged, from 0 */
    bool whole;      /* false: some item is being moved, so the deck is not a permutation */
    size_t open;     /* number of orders still possible; 0 if unknown */
    size_t ranks[SB_EXPLAIN_OPEN_MOST]; /* ranks of the first of these orders */
};

/* A part of the argument. */
struct sb_explain_note {
    const char *about; /* "shuffle", "counting", "draw", "seed"; static */
    char *text;        /* sentences; owned */
};

struct sb_explain {
    char *name, *shuffle, *draw; /* the scheme, normalised, and its parts; owned */
    const char *title, *cite;    /* title and citation of the shuffle; static; cite may be NULL */
    /* pseudocode, each line of which ends in a newline, and the reason why it is fair or biased; static */
    const char *pseudocode, *why;
    size_t n, deal;
    char *total;  /* the number of orders, "6"; owned, like the next two */
    char *series; /* the number of equally likely series of answers or words; NULL if unknown */

    /* The tree, if it is small; paths in the order of their answers. */
    size_t paths_count, draws_count;
    struct sb_explain_path *path;  /* [paths_count]; owned */
    struct sb_explain_draw *drawn; /* [draws_count]; owned */
    bool even;                     /* whether all paths have the same probability */

    /* The law, if it is cheap to compute. */
    size_t orders_count;            /* 0, or the number of all orders */
    bool paths_known;               /* whether the orders' numbers of paths are known */
    struct sb_explain_order *order; /* [orders_count] by rank; owned */
    size_t groups_count;
    struct sb_explain_group *group; /* [groups_count] the likeliest first; owned */

    /* The path that is walked, if any. */
    bool walked;
    size_t walk_count, steps_count;
    struct sb_explain_draw *walk; /* [walk_count]; owned */
    struct sb_explain_step *step; /* [steps_count]; owned */
    sb_item *deck;                /* [steps_count * n] the deck after each step; owned */
    sb_item *result;              /* [n] the deck after the last step; owned */
    char *mass;                   /* probability of the path; owned */

    size_t notes_count;
    struct sb_explain_note note[SB_EXPLAIN_NOTES_MOST];
};

extern const struct sb_result_type sb_explain_result;

#endif
