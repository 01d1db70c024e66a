/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of an explanation, each from the exact law that is asked for. */
#ifndef SB_STUDY_EXPLAIN_EXPLAIN_H
#define SB_STUDY_EXPLAIN_EXPLAIN_H

#include "exact/law.h"
#include "exact/walk.h"
#include "study/explain/explanation.h"
#include "study/sentence.h"
#include "subject/scheme.h"

/* The draws that the walk has made, draw[0 .. walk->length - 1], and the probability of all of them; `mass`
 * is owned by the caller. SB_NO_MEMORY. */
enum sb_status sb_explain_take(const struct sb_walk *walk, struct sb_explain_draw draw[], char **mass);

/* Says what went wrong in a walk through the tree: returns the status. */
enum sb_status sb_explain_fault(enum sb_status status, const struct sb_explain *explain,
                                struct sb_error *error);

/*
 * Marks the bounds that the shuffle draws below, keys left out, used[0..SB_ITEMS_MOST]; whether it draws
 * again what was struck out, and the largest bound, 0 for none. SB_NO_MEMORY.
 */
enum sb_status sb_explain_survey(const struct sb_law *law, bool used[], uint32_t *most, bool *redraws);

/* All paths, unless they are too many. SB_NO_MEMORY, SB_INVALID, SB_BROKEN. */
enum sb_status sb_explain_paths(const struct sb_law *law, struct sb_explain *explain);

/* The orders and their groups, out of the law, which has counts; the paths are there. SB_NO_MEMORY. */
enum sb_status sb_explain_orders(const struct sb_law *law, const struct sb_evidence *evidence,
                                 struct sb_explain *explain);

/* Walks the path whose answers are written as "0,2,1", or "first". SB_INVALID, SB_TOO_LARGE, SB_NO_MEMORY,
 * SB_BROKEN. */
enum sb_status sb_explain_walk(const struct sb_law *law, const char *path, struct sb_error *error,
                               struct sb_explain *explain);

/* The argument; everything else is there. `evidence` may be NULL. SB_NO_MEMORY. */
enum sb_status sb_explain_argue(const struct sb_scheme *scheme, const struct sb_law *law,
                                const struct sb_evidence *evidence, struct sb_explain *explain);

/* Its parts: what the bounded draw adds; how far a seed reaches among so many orders. Nothing where there is
 * nothing to say. */
void sb_explain_argue_draw(const struct sb_law *law, const struct sb_explain *explain, struct sb_sentence *s);
void sb_explain_argue_seed(const struct sb_scheme *scheme, const mpz_t total,
                           const struct sb_explain *explain, struct sb_sentence *s);

#endif
