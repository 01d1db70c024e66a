/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The paths of a tree of draws, as text and figures need them. */
#ifndef SB_STUDY_EXPLAIN_EXPLAIN_PATHS_TEXT_H
#define SB_STUDY_EXPLAIN_EXPLAIN_PATHS_TEXT_H

#include "study/explain/explanation.h"

#include <stdio.h>

/* The draw of a path at a depth below its length. */
const struct sb_explain_draw *sb_path_draw(const struct sb_explain *explain, size_t path, size_t depth);

/* How many draws the two paths have in common, counted from the root. */
size_t sb_path_common(const struct sb_explain *explain, size_t one, size_t other);

/* The number of draws of the longest path. */
size_t sb_path_depth(const struct sb_explain *explain);

/* Writes the path's answers, "0,2,1", as far as they fit. Returns what snprintf() would return. */
size_t sb_path_answers(const struct sb_explain *explain, size_t path, char text[], size_t room);

/* Writes " 0,0,1 0,1,0": the answers of all paths that lead to the order of this rank, each after a blank. */
void sb_path_list(const struct sb_explain *explain, size_t rank, FILE *stream);

#endif
