/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact engines: one file or folder each, which ends in a const descriptor. A new one is that file and a
 * line in meson.build. An engine says what it can compute of a law and what that would cost; the commands ask
 * for a result and name no engine.
 *
 * The oracle is not one of them: it computes the law of an outside subject, which is no struct sb_law.
 */
#ifndef SB_EXACT_ENGINE_H
#define SB_EXACT_ENGINE_H

#include "core/finding.h"
#include "exact/law.h"

#include <float.h>

enum sb_engine_task {
    SB_TASK_LAW,    /* the probability of each deal */
    SB_TASK_MATRIX, /* where each item ends up */
    SB_TASK_EFFECT, /* how far from uniform the law is, where its deals are not listed */
    SB_TASK_ODDS,   /* the probabilities of single permutations */
};

enum { SB_ODDS_ITEMS_MOST = 128 };

/* Limits of a cost: one that only HUGE_VAL, the cost of the impossible, exceeds; and one for a law that nobody
 * asked for. */
#define SB_COST_UNLIMITED DBL_MAX
#define SB_COST_UNASKED 2e9

/* The methods but `cost` are NULL where the engine never does that. Each leaves its result to the caller, who
 * closes it. SB_TOO_LARGE, SB_INVALID, SB_NO_MEMORY; SB_STOPPED by the stop flag. */
struct sb_engine_type {
    const char *name; /* as reports give it */
    /* About how many nanoseconds of one processor the task takes; 0 where that is next to nothing or not
     * estimated, HUGE_VAL where the engine cannot do it, NAN where no memory is left to find that out. */
    double (*cost)(const struct sb_law *law, enum sb_engine_task task);
    /* Evidence with the counts of all deals; or with the matrix alone, whose `cells` are 0. */
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

/* The engine that does the task soonest, of equals the last in the list, and its cost. If none can, the cost
 * is HUGE_VAL, and the engine the first of the list, whose method says why. */
const struct sb_engine_type *sb_engine_for(const struct sb_law *law, enum sb_engine_task task, double *cost);

/* Whether the law is known at a cost of at most `limit`, or its matrix or its effects at any cost.
 * SB_NO_MEMORY. */
enum sb_status sb_engine_possible(const struct sb_law *law, double limit, bool *possible);

/* The law, if it costs at most `limit`; else the evidence is left untouched. */
enum sb_status sb_engine_law(const struct sb_law *law, double limit, struct sb_error *error,
                             struct sb_evidence *evidence);

/*
 * The law, if it costs at most `law_limit`; else the matrix, likewise; else, where at least the effects are
 * known, evidence that has neither. The caller closes it. SB_TOO_LARGE: nothing is known, or it costs more.
 */
enum sb_status sb_engine_evidence(const struct sb_law *law, double law_limit, double matrix_limit,
                                  struct sb_error *error, struct sb_evidence *evidence);

/* The effects behind evidence of that law without counts, which then names their engine too; whether they are
 * *known: then the caller closes them. */
enum sb_status sb_engine_effect(const struct sb_law *law, struct sb_error *error,
                                struct sb_evidence *evidence, struct sb_effect *effect, bool *known);

#endif
