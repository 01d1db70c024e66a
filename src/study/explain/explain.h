/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of an explanation, each computed from the exact law. */
#ifndef SB_STUDY_EXPLAIN_EXPLAIN_H
#define SB_STUDY_EXPLAIN_EXPLAIN_H

#include "exact/law.h"
#include "exact/walk.h"
#include "study/explain/explanation.h"
#include "study/sentence.h"
#include "subject/scheme.h"

/* Copies the draws that the walk has made, draw[0 .. walk->length - 1], and sets `mass` to their joint
 * probability; the caller owns `mass`. SB_NO_MEMORY. */
enum sb_status sb_explain_take(const struct sb_walk *walk, struct sb_explain_draw draw[], char **mass);

/* Describes an error of a walk through the tree; returns the status. */
enum sb_status sb_explain_fault(enum sb_status status, const struct sb_explain *explain,
                                struct sb_error *error);

/*
 * Marks in used[0..SB_COMPUTED_MOST] the bounds of the shuffle's draws, without keys. Also finds whether the
 * shuffle draws again after rejected answers, and the largest bound, 0 for none. SB_NO_MEMORY.
 */
enum sb_status sb_explain_survey(const struct sb_law *law, bool used[], uint32_t *most, bool *redraws);

/* Collects all paths, unless there are too many. SB_NO_MEMORY, SB_INVALID, SB_BROKEN. */
enum sb_status sb_explain_paths(const struct sb_law *law, struct sb_explain *explain);

/* Computes the orders and their groups from the law, which has counts. Call after sb_explain_paths().
 * SB_NO_MEMORY. */
enum sb_status sb_explain_orders(const struct sb_law *law, const struct sb_evidence *evidence,
                                 struct sb_explain *explain);

/* Walks the path whose answers are written as "0,2,1", or "first". SB_INVALID, SB_TOO_LARGE, SB_NO_MEMORY,
 * SB_BROKEN. */
enum sb_status sb_explain_walk(const struct sb_law *law, const char *path, struct sb_error *error,
                               struct sb_explain *explain);

/* Writes the argument. Call after all other parts. `evidence` may be NULL. SB_NO_MEMORY. */
enum sb_status sb_explain_argue(const struct sb_scheme *scheme, const struct sb_law *law,
                                const struct sb_evidence *evidence, struct sb_explain *explain);

/* The last parts of the argument: the bias of the bounded draw, and how many orders a seed can reach.
 * Write nothing if there is nothing to say. */
void sb_explain_argue_draw(const struct sb_law *law, const struct sb_explain *explain, struct sb_sentence *s);
void sb_explain_argue_seed(const struct sb_scheme *scheme, const mpz_t total,
                           const struct sb_explain *explain, struct sb_sentence *s);

#endif
