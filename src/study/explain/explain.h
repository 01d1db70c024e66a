/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions that compute the parts of an explanation from the exact law. */
#ifndef SB_STUDY_EXPLAIN_EXPLAIN_H
#define SB_STUDY_EXPLAIN_EXPLAIN_H

#include "exact/engine.h"
#include "study/explain/explanation.h"
#include "study/sentence.h"
#include "subject/scheme.h"

#include <string.h>

/* Copies the draws of the walk so far to draw[0 .. walk->length - 1], and sets `*mass` to their joint
 * probability as text, which the caller frees. Error: SB_NO_MEMORY. */
enum sb_status sb_explain_take(const struct sb_walk *walk, struct sb_explain_draw draw[], char **mass);

/* Writes the error line for an error of a walk through the tree; returns the status. */
enum sb_status sb_explain_fault(enum sb_status status, const struct sb_explain *explain,
                                struct sb_error *error);

/*
 * Marks in used[0..SB_COMPUTED_MOST] the bounds of the shuffle's draws, except draws of sort keys. Sets *most
 * to the largest bound, or to 0 if there are no draws, and *redraws to whether the shuffle draws again after
 * rejected answers. Error: SB_NO_MEMORY.
 */
enum sb_status sb_explain_survey(const struct sb_law *law, bool used[], uint32_t *most, bool *redraws);

/* Collects all paths, unless there are too many. Errors: SB_NO_MEMORY, SB_INVALID, SB_BROKEN. */
enum sb_status sb_explain_paths(const struct sb_law *law, struct sb_explain *explain);

/* Computes the orders and their groups from the law, which must have counts. Call this function after
 * sb_explain_paths(). Error: SB_NO_MEMORY. */
enum sb_status sb_explain_orders(const struct sb_law *law, const struct sb_evidence *evidence,
                                 struct sb_explain *explain);

/* Walks the path with the given answers, such as "0,2,1", or the first path if `path` is "first". Errors:
 * SB_INVALID, SB_TOO_LARGE, SB_NO_MEMORY, SB_BROKEN. */
enum sb_status sb_explain_walk(const struct sb_law *law, const char *path, struct sb_error *error,
                               struct sb_explain *explain);

/* Returns whether all orders have the same probability. The orders must be known. */
static inline bool sb_explain_fair(const struct sb_explain *explain)
{
    return strcmp(explain->group[0].order->mass, explain->group[explain->groups_count - 1].order->mass) == 0;
}

/* Writes the argument. Call this function after the functions for all other parts. `evidence` may be NULL.
 * Error: SB_NO_MEMORY. */
enum sb_status sb_explain_argue(const struct sb_scheme *scheme, const struct sb_law *law,
                                const struct sb_evidence *evidence, struct sb_explain *explain);

/* Writes the first part of the argument: what is known of the shuffle by itself. `even` says whether every draw is
 * uniform; `evidence`, which needs a matrix, may be NULL. */
void sb_explain_argue_shuffle(const struct sb_explain *explain, const struct sb_evidence *evidence, bool even,
                              struct sb_sentence *s);

/* These functions write the last two parts of the argument: the bias of the bounded draw, and the number of
 * orders that seeds can reach. A function writes nothing if its part does not apply. The first function returns
 * whether every draw of the shuffle is uniform. */
bool sb_explain_argue_draw(const struct sb_law *law, const struct sb_explain *explain, struct sb_sentence *s);
void sb_explain_argue_seed(const struct sb_scheme *scheme, const mpz_t total,
                           const struct sb_explain *explain, struct sb_sentence *s);

#endif
