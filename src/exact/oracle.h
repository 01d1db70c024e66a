/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the exact law of an outside shuffle, the peer, by trying every answer to each question of the peer.
 *
 * The questions of the peer form a tree. A question is a node, its answers are the branches, and a deck is a leaf. The
 * probability of a leaf is 1 divided by the product of the bounds of the questions above it. A peer may also ask for a
 * number in [0, 1). Then the answer is the middle of one of M equal cells, so a leaf stands for a box of numbers. The
 * oracle counts such a leaf only if the deck stays the same at several corners of the box: with all numbers at the low
 * ends of their cells, and after each step in which one number after another moves to the high end.
 */
#ifndef SB_EXACT_ORACLE_H
#define SB_EXACT_ORACLE_H

#include "core/draws.h"
#include "core/evidence.h"

enum {
    SB_ORACLE_ITEMS_MOST = 10, /* the largest n, since each order has a count of its own */
};

struct sb_oracle {
    struct sb_peer *peer;
    size_t n;            /* number of items */
    uint32_t cells;      /* M, 1..65536 */
    uint32_t draws_most; /* the largest number of questions on a path, at least 1; longer paths are cut */
    /* The largest number of paths. The oracle refuses a tree whose estimated number of paths is larger, and
     * stops after this many paths. */
    uint64_t paths_most;
    const volatile sig_atomic_t *stop; /* may be NULL */
    sb_progress *progress;             /* may be NULL */
    void *progress_state;
};

/* The oracle stops when all paths that are left have a smaller probability together. It also cuts paths so improbable
 * that `paths_most` of them have a smaller probability together. So redraw loops end. */
#define SB_ORACLE_NEGLIGIBLE 0x1p-60

/* Returns lcm(1, ..., n), n <= 10. With this many cells, floor(u k) is the same for all u in a cell, for
 * every k <= n. */
uint32_t sb_oracle_cells(size_t n);

/*
 * Computes the law as exact evidence, which the caller closes. evidence->inquiry says how complete the law
 * is, and which part of the probability is not resolved. Three kinds of paths are not resolved: paths that
 * were cut, paths whose deck is not the same for all numbers of a cell, and paths that were not tried because
 * of the limit, because of the stop flag, or because their probability is negligible. SB_TOO_LARGE: there are
 * more than 10 items, or the estimated number of paths is above the limit. SB_SUBJECT: the peer violated the
 * protocol, or the same answers gave different results. SB_STOPPED: the stop flag was raised before any path was
 * counted. SB_NO_MEMORY.
 */
enum sb_status sb_oracle_law(const struct sb_oracle *oracle, struct sb_error *error, struct sb_evidence *evidence);

/* ---- one shuffle of the peer, along a path of answers: only the oracle and its tests use the rest ---- */

/* A question and its answer. */
struct sb_question {
    /* number of answers. If the question asks for an integer, there are at least 2, since a question with one answer
     * has no choice. If the question asks for a number in [0, 1), `bound` is the number of cells, at least 1. */
    uint32_t bound;
    uint32_t answer;
    bool number; /* whether the question asks for a number in [0, 1) */
};

/* Where a number in [0, 1) lies in its cell. */
enum sb_oracle_end { SB_ORACLE_MIDDLE, SB_ORACLE_LOW, SB_ORACLE_HIGH };

/* What a run does with a question after the end of its path. */
enum sb_oracle_fresh {
    SB_ORACLE_FIRST,  /* gives the first answer, and appends the question to the path */
    SB_ORACLE_RANDOM, /* gives a random answer, and appends the question to the path */
    SB_ORACLE_NONE,   /* treats the question as a violation, since a known path is being repeated */
};

struct sb_oracle_run {
    struct sb_draws draws; /* must be the first member: the peer sees only this member */
    const struct sb_oracle *oracle;
    struct sb_question *path; /* [draws_most]; owned */
    size_t length;            /* number of questions on the path */
    size_t known;             /* how many questions of the path come from earlier runs */
    enum sb_oracle_end end;
    /* The numbers of the first `high` questions are at the high ends of their cells, whatever `end` is. The caller sets
     * this field. */
    size_t high;
    enum sb_oracle_fresh fresh;
    size_t asked;             /* questions in this run so far, even questions with one answer */
    size_t passed;            /* how many questions of the path this run has answered */
    double p;                 /* probability of these answers */
    bool cut;                 /* whether the path is longer than draws_most, or its probability is negligible */
    bool strayed;             /* whether a question differs from the path, or a deck came too early */
    struct sb_question stray; /* the question that differs; its bound is 0 if a deck came too early */
    bool stopped;             /* whether the stop flag ended the run */
    bool endless;             /* whether no deck came after too many questions */
    bool boundless;           /* whether the peer asked for a draw with the bound 0 */
    bool numbers;             /* whether a question of the path asks for a number in [0, 1) */
    uint64_t state;           /* state of the generator for random answers */
    sb_item *deck;            /* [n] the result; owned */
    size_t rank;              /* rank of the deck */
};

/* Opens a run. SB_NO_MEMORY. */
enum sb_status sb_oracle_run_open(const struct sb_oracle *oracle, struct sb_oracle_run *run);
void sb_oracle_run_close(struct sb_oracle_run *run);

/* Lets the peer shuffle once. path[0..length-1] are the expected questions, with the answers to give. Further questions
 * are appended. If the run is cut or has strayed, the peer gets random answers until the end, and the deck has no
 * meaning. SB_SUBJECT: the peer violated the protocol, its deck is invalid, or no deck came. SB_STOPPED. */
enum sb_status sb_oracle_run_once(struct sb_oracle_run *run, enum sb_oracle_fresh fresh, enum sb_oracle_end end,
                                  struct sb_error *error);

/* Returns 32 random bits. */
uint32_t sb_oracle_random(uint64_t *state);

/* Returns the number in [0, 1) that stands for this cell, as the answer to question `index`. */
double sb_oracle_number(uint32_t cell, uint32_t cells, size_t index, enum sb_oracle_end end);

/* Returns the number in [0, 1) with which this run answers question `index` of its path. */
double sb_oracle_run_number(const struct sb_oracle_run *run, size_t index);

/* ---- the known part of the tree of questions ---- */

/* stands for the parent of the first question, and for the end of a list */
enum { SB_ORACLE_ROOT = INT32_MAX };

enum { SB_ORACLE_NODES_MOST = 1 << 25 }; /* the largest number of questions in a tree */

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
    double *open_p; /* [depths] probability of all branches that were left open at each depth; owned */
    size_t depths;
    size_t shallowest; /* all open questions have this depth or a greater depth */
    uint64_t waiting;  /* number of branches to follow, each of which leads to one path or to more */
};

/* Opens a tree for paths of up to `draws_most` questions. SB_NO_MEMORY. */
enum sb_status sb_oracle_tree_open(uint32_t draws_most, struct sb_oracle_tree *tree);
void sb_oracle_tree_close(struct sb_oracle_tree *tree);

/* Adds the new questions of a run below `branch`; this branch led to the first new question. Sets *last to
 * the last branch of the run. SB_NO_MEMORY, also if there would be more than SB_ORACLE_NODES_MOST questions. */
enum sb_status sb_oracle_tree_add(struct sb_oracle_tree *tree, const struct sb_oracle_run *run,
                                  struct sb_oracle_branch branch, struct sb_oracle_branch *last);

/* Sets *branch to the next branch to follow. Returns false after the last branch, and if the probability of all
 * branches to follow is below SB_ORACLE_NEGLIGIBLE. */
bool sb_oracle_tree_next(struct sb_oracle_tree *tree, struct sb_oracle_branch *branch);

/* Sets the path of a run to the path that ends with `branch`. */
void sb_oracle_tree_path(const struct sb_oracle_tree *tree, struct sb_oracle_branch branch, struct sb_oracle_run *run);

#endif
