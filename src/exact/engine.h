/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact engines: one file or folder each, which ends in a const descriptor. A new engine is a new file
 * and a line in meson.build. An engine says what it can compute for a law and at what cost; the commands ask
 * for a result and never name an engine.
 *
 * The oracle is not an engine: it computes the law of an outside subject, which is not a struct sb_law.
 */
#ifndef SB_EXACT_ENGINE_H
#define SB_EXACT_ENGINE_H

#include "core/finding.h"
#include "exact/law.h"

#include <float.h>

enum sb_engine_task {
    SB_TASK_LAW,    /* the task: the probability of each deal */
    SB_TASK_MATRIX, /* the task: the matrix of items by positions */
    SB_TASK_EFFECT, /* the task: how far the law is from uniform, without listing its deals */
    SB_TASK_ODDS,   /* the task: the probabilities of single permutations */
};

enum { SB_ODDS_ITEMS_MOST = 128 };

/* Limits of a cost: the first is below only HUGE_VAL, the cost of the impossible; the second is for a law
 * that the user did not ask for. */
#define SB_COST_UNLIMITED DBL_MAX
#define SB_COST_UNASKED 2e9

/* Every method except `cost` is NULL if the engine never does that task. The caller closes the results.
 * SB_TOO_LARGE, SB_INVALID, SB_NO_MEMORY; SB_STOPPED by the stop flag. */
struct sb_engine_type {
    const char *name; /* name, as shown in reports */
    /* The estimated nanoseconds of one processor; 0 if negligible or not estimated, HUGE_VAL if the engine
     * cannot do the task, NAN if memory ran out during the estimate. */
    double (*cost)(const struct sb_law *law, enum sb_engine_task task);
    /* Evidence with the counts of all deals; or with the matrix alone and `cells` 0. */
    enum sb_status (*law)(const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence);
    enum sb_status (*matrix)(const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence);
    enum sb_status (*effect)(const struct sb_law *law, struct sb_error *error, struct sb_effect *effect);
    /* The probability of each permutation a[0..n-1], a[n..2n-1] and so on is weight[i] / denominator, not in
     * lowest terms. The law's shuffler has deal = n <= SB_ODDS_ITEMS_MOST; the integers are initialised. */
    enum sb_status (*odds)(const struct sb_law *law, const sb_item a[], size_t count, struct sb_error *error,
                           mpz_t weight[], mpz_t denominator);
};

/* All engines in the order of src/exact/meson.build, and their number. */
extern const struct sb_engine_type *const sb_engine_types[];
extern const size_t sb_engine_types_count;

/* The cheapest engine for the task, and its cost; of engines with equal cost, the last of the list. If no
 * engine can do the task, the cost is HUGE_VAL, and the result is the first engine of the list, whose method
 * gives the reason. */
const struct sb_engine_type *sb_engine_for(const struct sb_law *law, enum sb_engine_task task, double *cost);

/* Whether the law is known at a cost of at most `limit`, or its matrix or its effects at any cost.
 * SB_NO_MEMORY. */
enum sb_status sb_engine_possible(const struct sb_law *law, double limit, bool *possible);

/* Computes the law if it costs at most `limit`; else leaves the evidence unchanged. */
enum sb_status sb_engine_law(const struct sb_law *law, double limit, struct sb_error *error,
                             struct sb_evidence *evidence);

/*
 * Computes the law if it costs at most `law_limit`; else the matrix if it costs at most `matrix_limit`; else,
 * if at least the effects are known, makes evidence that has neither. The caller closes it. SB_TOO_LARGE:
 * nothing is known, or it costs more.
 */
enum sb_status sb_engine_evidence(const struct sb_law *law, double law_limit, double matrix_limit,
                                  struct sb_error *error, struct sb_evidence *evidence);

/* The effects of a law whose evidence has no counts; the evidence then also names their engine. *known says
 * whether the effects are known; if so, the caller closes them. */
enum sb_status sb_engine_effect(const struct sb_law *law, struct sb_error *error,
                                struct sb_evidence *evidence, struct sb_effect *effect, bool *known);

#endif
