/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact engines. Each engine has a file or folder of its own, with a const descriptor. To add an engine,
 * add a file and a line in meson.build. An engine says what it can compute for a law, and at what cost. The
 * commands ask for a result and never name an engine.
 *
 * The oracle is not an engine: it computes the law of an outside subject, which is not a struct sb_law.
 */
#ifndef SB_EXACT_ENGINE_H
#define SB_EXACT_ENGINE_H

#include "core/evidence.h"
#include "exact/law.h"

#include <float.h>

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

/* A method for a task is NULL if the engine never does this task; `cost` is never NULL. The caller closes the
 * results. The methods may return SB_TOO_LARGE, SB_INVALID, SB_NO_MEMORY or, after the stop flag was raised,
 * SB_STOPPED. */
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

/* Returns whether an engine can compute the matrix without the law. */
bool sb_engine_finds_matrix(const struct sb_law *law);

/* Sets *possible to whether some engine can compute the law at a cost of at most `limit`, or can compute the
 * matrix or the effects at any cost. SB_NO_MEMORY. */
enum sb_status sb_engine_possible(const struct sb_law *law, double limit, bool *possible);

/* Computes the law if this costs at most `limit`. If not, returns SB_OK and leaves the evidence unchanged. */
enum sb_status sb_engine_law(const struct sb_law *law, double limit, struct sb_error *error,
                             struct sb_evidence *evidence);

/*
 * Makes evidence, which the caller closes. Computes the law if the law costs at most `law_limit`, unless the
 * law takes minutes and an engine can compute the effects. A law in doubles whose bias is near their rounding
 * errors, and whose effects no engine can compute, is computed again in fractions if this takes at most half a
 * minute. If that is not possible, the doubles stay. If the law is not computed, computes the matrix if
 * the matrix costs at most `matrix_limit`. If neither is computed, and an engine can compute the effects,
 * makes evidence with neither the law nor the matrix. SB_TOO_LARGE: law, matrix and effects are each
 * impossible or too expensive.
 */
enum sb_status sb_engine_evidence(const struct sb_law *law, double law_limit, double matrix_limit,
                                  struct sb_error *error, struct sb_evidence *evidence);

/*
 * Computes the effects of an exact law, if an engine can do so and the evidence itself does not show them: it has no
 * counts, or it has doubles, and a bias so small that doubles have fewer than six right digits of it. Sets *known to
 * whether the effects were computed. If so, the caller closes the effects, and evidence->engine also names the engine
 * that computed the effects.
 */
enum sb_status sb_engine_effect(const struct sb_law *law, struct sb_error *error,
                                struct sb_evidence *evidence, struct sb_effect *effect, bool *known);

#endif
