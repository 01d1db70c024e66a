/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact engines. Each engine has a const descriptor, in a file or folder of its own; `deals` stands in engine.c. To
 * add an engine, add a file and a line in meson.build. An engine says what it can compute for a law, and at what cost.
 * The commands ask for a result and never name an engine.
 *
 * The oracle is not an engine: it computes the law of an outside subject, which is not a struct sb_law.
 */
#ifndef SB_EXACT_ENGINE_H
#define SB_EXACT_ENGINE_H

#include "core/evidence.h"
#include "draw/draw.h"
#include "shuffle/shuffle.h"

#include <float.h>

/* A request for an exact law: the input of every engine. */
struct sb_law {
    const struct sb_shuffler *shuffler;
    /* the draw, whose law gives the weights of the answers; NULL if all answers are equally likely */
    const struct sb_draw *draw;
    uint64_t largest; /* the draw uses words in 0..largest; see sb_draw_largest() */
    /* number of threads; 0: one for each processor. The law does not depend on this number. */
    unsigned threads;
    const volatile sig_atomic_t *stop; /* may be NULL */
    sb_progress *progress;             /* may be NULL */
    void *progress_state;
    const char *subject; /* the name to pass to `progress` */
    bool fractions;      /* whether the law must not be in doubles */
    bool arranged;       /* whether the law will be added up to that of a deck with equal items */
};

bool sb_law_stopped(const struct sb_law *law);

void sb_law_report(const struct sb_law *law, uint64_t done, uint64_t total);

/* Reports progress. Returns whether to stop. */
bool sb_law_pause(const struct sb_law *law, uint64_t done, uint64_t total);

enum sb_engine_task {
    SB_TASK_LAW,    /* the task: the probability of each deal */
    SB_TASK_MATRIX, /* the task: the matrix of items by positions */
    SB_TASK_EFFECT, /* the task: how far the law is from uniform, without listing its deals */
    SB_TASK_ODDS,   /* the task: the probabilities of single permutations */
};

enum { SB_ODDS_ITEMS_MOST = 128 };

/* Limits on a cost. The first limit allows every task that an engine can do. The second limit is for a law
 * that the user did not request. The third limit is for a law whose effects have a formula, or for a law that
 * is one of many in a report. */
#define SB_COST_UNLIMITED DBL_MAX
#define SB_COST_UNASKED 2e9
#define SB_COST_MINUTES 5e11

/* A method for a task is NULL if the engine never does this task; `cost` is never NULL. The caller closes the results.
 * The methods may return SB_TOO_LARGE, SB_INVALID, SB_NO_MEMORY or, after the stop flag was raised, SB_STOPPED. */
struct sb_engine_type {
    const char *name; /* name, as shown in reports */
    /* Returns the estimated nanoseconds on one processor. 0 if the cost is negligible or not estimated.
     * HUGE_VAL if the engine cannot do the task. NAN if memory ran out during the estimate. */
    double (*cost)(const struct sb_law *law, enum sb_engine_task task);
    /* `law` makes evidence with the counts of all deals. `matrix` makes evidence with the matrix alone; the
     * `cells` of this evidence is 0. `effect` computes the effect sizes alone. */
    enum sb_status (*law)(const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence);
    enum sb_status (*matrix)(const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence);
    enum sb_status (*effect)(const struct sb_law *law, struct sb_error *error, struct sb_effect *effect);
    /* Computes the probabilities of the permutations a[0..n-1], a[n..2n-1] and so on. Permutation i has the
     * probability weight[i] / denominator; this fraction need not be in lowest terms. The caller has
     * initialised the integers. The shuffler of the law has deal = n <= SB_ODDS_ITEMS_MOST. */
    enum sb_status (*odds)(const struct sb_law *law, const sb_item a[], size_t count, struct sb_error *error,
                           mpz_t weight[], mpz_t denominator);
};

/* All engines in the order of src/exact/meson.build, and their number. */
extern const struct sb_engine_type *const sb_engine_types[];
extern const size_t sb_engine_types_count;

/* Returns the cheapest engine for the task, and sets *cost to the cost of this engine. If several engines are
 * the cheapest, returns the last of these in the list. If no engine can do the task, sets *cost to HUGE_VAL
 * and returns the first engine of the list; the method of this engine then returns the reason as an error. */
const struct sb_engine_type *sb_engine_for(const struct sb_law *law, enum sb_engine_task task, double *cost);

/* Error: SB_TOO_LARGE if the draw's words have more than 64 bits. Only formulas have laws of such words. */
enum sb_status sb_engine_check_words(const struct sb_law *law, struct sb_error *error);

/* Returns whether an engine can compute the matrix without the law. */
bool sb_engine_finds_matrix(const struct sb_law *law);

/* Sets *possible to whether some engine can compute the law at a cost of at most `limit`, or can compute the
 * matrix or the effects at any cost. SB_NO_MEMORY. */
enum sb_status sb_engine_possible(const struct sb_law *law, double limit, bool *possible);

/* Computes the law if this costs at most `limit`. If not, returns SB_OK and leaves the evidence unchanged. */
enum sb_status sb_engine_law(const struct sb_law *law, double limit, struct sb_error *error,
                             struct sb_evidence *evidence);

/*
 * Makes evidence, which the caller closes. Computes the law if the law costs at most `law_limit`, unless the law takes
 * minutes and an engine can compute the effects. A law in doubles whose bias is near their rounding errors, and whose
 * effects no engine can compute, is computed again in fractions if this takes at most half a minute. If that is not
 * possible, the doubles stay. If the law is not computed, computes the matrix if the matrix costs at most
 * `matrix_limit`. If neither is computed, and an engine can compute the effects, makes evidence with neither the law
 * nor the matrix. SB_TOO_LARGE: law, matrix and effects are each impossible or too expensive.
 */
enum sb_status sb_engine_evidence(const struct sb_law *law, double law_limit, double matrix_limit,
                                  struct sb_error *error, struct sb_evidence *evidence);

/*
 * Computes the effects of an exact law, if an engine can do so and the evidence itself does not show them: it has no
 * counts, or it has doubles, and a bias so small that doubles have fewer than six right digits of it. Sets *known to
 * whether the effects were computed. If so, the caller closes the effects, and evidence->engine also names the engine
 * that computed the effects.
 */
enum sb_status sb_engine_effect(const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence,
                                struct sb_effect *effect, bool *known);

/* ---- the tree of draws ---- */

enum {
    SB_LEAVES_MOST = 100000000, /* the largest number of leaves; the engine refuses larger trees */
};

/* Estimates the number of leaves. For each of a few random paths, multiplies the numbers of branches at the nodes. The
 * estimate is exact if all paths have the same numbers of branches. HUGE_VAL if a path does not end or has too many
 * draws. NAN if memory runs out. */
double sb_tree_leaves(const struct sb_law *law);

/* Computes the law as exact evidence, which the caller closes. SB_TOO_LARGE: there are more than SB_LEAVES_MOST leaves,
 * or more than SB_CELLS_MOST deals. SB_INVALID: the shuffle may redraw indefinitely. SB_NO_MEMORY. SB_STOPPED. */
enum sb_status sb_tree_law(const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence);

/*
 * A walk through all paths that a shuffle's draws can take.
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

/* Moves to the next path. Returns false after the last path. The products of the first `settled` nodes remain valid. */
bool sb_walk_advance(struct sb_walk *walk);

/* Returns the weight of an answer at a node, or 0 if the answer is rejected. */
uint64_t sb_walk_weight(const struct sb_walk_node *node, uint32_t answer);

/* Sets `share`, which the caller has initialised, to the probability of the node's answer, given the path to
 * the node. */
void sb_walk_share(const struct sb_walk_node *node, mpq_t share);

/* What the exact engines share, and what connects the files of one engine. Only the engines and their tests include
 * this header. */

/* Sets the error of an engine that was stopped before it knew the law, or that ran out of memory. Returns the
 * status. */
enum sb_status sb_engine_fail(const struct sb_law *law, enum sb_status status, struct sb_error *error);

/* Sets weight[0..bound-1] to the weights of the answers below `bound`, 1 <= bound. The weights have no common factor.
 * If the draw is exactly uniform, all weights are 1. Returns the sum of the weights minus 1, since the sum may be 2^64.
 * O(bound). */
uint64_t sb_weights_get(const struct sb_law *law, size_t bound, uint64_t weight[]);

/* One of the two draws of a swap: the positions that it may choose, and their weights. */
struct sb_draw_weights {
    size_t first, bound; /* the positions first..first+bound-1 */
    uint64_t *narrow;    /* [n] the weights from `first` on; owned */
    mpz_t *weight;       /* [n] weight of each position; owned */
    mpz_t total;         /* sum of the weights */
};

/* The caller closes the draw, even after a failure. SB_NO_MEMORY. */
enum sb_status sb_draw_weights_open(size_t n, struct sb_draw_weights *draw);
void sb_draw_weights_close(size_t n, struct sb_draw_weights *draw);
void sb_draw_weights_set(const struct sb_law *law, size_t first, size_t bound, struct sb_draw_weights *draw);

/* For a shuffle made of swaps: sets `denominator`, which the caller has initialised, to the product of the sums of the
 * weights of all its draws. weight[0..n-1] is scratch space. */
void sb_weights_denominator(const struct sb_law *law, uint64_t weight[], mpz_t denominator);

/* ---- closed forms ---- */

extern const struct sb_engine_type sb_engine_closed;

/* The effects of a closed form: those of a fair sample have no meaning. */
extern const struct sb_effect sb_closed_effect;

/* Returns (1 + x) ln(1 + x) - x, for x >= -1: the integrand of the Kullback-Leibler divergence from uniform. A deal has
 * the probability (1 + x)/K, where K is the number of deals. The result is accurate to all digits, even if x is tiny.
 */
double sb_closed_divergence(double x);

/* Returns the ratio whose excess over 1 and whose ln are given. Each is accurate where the other is not: the ln of a
 * ratio near 1 loses digits, and so does the excess of a small ratio. The result is 0 if ln_ratio is -HUGE_VAL. */
double sb_closed_ratio(double excess, double ln_ratio);

/* Returns whether the draws of the shuffle map one to one onto its deals. This takes three shuffles. SB_NO_MEMORY. */
enum sb_status sb_draws_has(const struct sb_law *law, bool *has);

/* A possible value of a ratio: `deviation` is this value minus 1, and `weight` is the probability of the
 * value under uniformity. */
struct sb_atom {
    double deviation, weight;
};

enum { SB_FACTOR_VALUES = 8 };

/* A factor of the ratio to uniform: a random variable with mean 1 and few values. */
struct sb_factor {
    size_t count;
    /* [count] in ascending order of deviation; the weights add up to 1 */
    struct sb_atom atom[SB_FACTOR_VALUES];
};

/* Bounds on total variation. The bounds are equal if total variation is known exactly (up to rounding at
 * about the 12th digit). */
struct sb_bracket {
    double low, high;
};

/* Computes the total variation if the ratio is the product of factor[0..count-1]. Uses `threads` and `stop` of the law.
 * SB_NO_MEMORY, SB_STOPPED. */
enum sb_status sb_product_variation(const struct sb_factor factor[], size_t count, const struct sb_law *law,
                                    struct sb_bracket *bracket);

/* Returns whether the shuffle is a riffle with fair coins or a sort by random keys, and n is small enough. If
 * only part of the deck is dealt, the permutations must also be few enough to give each a count. */
bool sb_piles_has(const struct sb_law *law);

/* Returns whether the permutations are few enough to give each a count. */
bool sb_piles_countable(const struct sb_law *law);

/* Fills in the counts of evidence that is open. SB_NO_MEMORY, SB_STOPPED. */
enum sb_status sb_piles_counts(const struct sb_law *law, struct sb_evidence *evidence);

/* Computes the effects of the law of whole permutations. The caller closes the effects. SB_NO_MEMORY, SB_STOPPED. */
enum sb_status sb_piles_effect(const struct sb_law *law, struct sb_effect *effect);

/* ---- the matrix ---- */

enum {
    SB_POSITION_EXACT_MOST = 256,     /* the largest n for a matrix in integers */
    SB_POSITION_FIRST_MOST = 1024,    /* the largest n for its first column alone, if one card is dealt */
    SB_POSITION_CELLS_MOST = 1 << 26, /* the largest number of cells of a matrix, items times positions */
    SB_POSITION_ORIGINS_MOST = 1024,  /* the largest n for a shuffle with `origin` */
};

/*
 * Computes the matrix as exact evidence, which the caller closes. evidence->cells is 0, since the counts by
 * rank are unknown. If `exact` is true, the matrix has integers over one denominator, and n is at most
 * SB_POSITION_EXACT_MOST or, if one card is dealt, SB_POSITION_FIRST_MOST. Otherwise the matrix has doubles,
 * whose relative error is at most evidence->error unless a double is below 1e-290. SB_INVALID: the shuffle
 * has neither a plan nor `origin`. SB_TOO_LARGE. SB_NO_MEMORY. SB_STOPPED.
 */
enum sb_status sb_position_matrix(const struct sb_law *law, bool exact, struct sb_error *error,
                                  struct sb_evidence *evidence);

/* Fill in the matrix of zeroed evidence, for shuffles with `origin`, in integers and in doubles. */
enum sb_status sb_position_origins_integers(const struct sb_law *law, struct sb_evidence *evidence);
enum sb_status sb_position_origins_doubles(const struct sb_law *law, struct sb_evidence *evidence);

#endif
